// The view of a community: its report, the evidence of the report, and its contents.

function communityView(panel, c) {
  const g = panel.graph, report = c.report;
  const facts = el("div", { cls: "facts" }, el("span", {}, el("b", { text: c.size.toLocaleString("en") }), c.size === 1 ? " entity" : " entities"));
  if (c.children.length) facts.append(el("span", {}, el("b", { text: String(c.children.length) }), c.children.length === 1 ? " community inside" : " communities inside"));
  if (report) facts.append(el("span", {}, "importance ", el("b", { text: String(report.rating) }), " of 10"));
  facts.append(el("span", { text: c.label }));
  const parts = [panel.trail(c), el("h2", {}, dot(c.color, true), " " + c.title), facts];
  if (report) {
    const cited = el("ol", { cls: "cited" });
    parts.push(el("p", {}, ...numbered(report.summary, report, cited)));
    if (report.findings.length) parts.push(el("h3", { text: "Findings" }));
    for (const [title, text] of report.findings) {
      parts.push(el("h4", {}, ...numbered(title, report, cited)));
      if (text) parts.push(el("p", {}, ...numbered(text, report, cited)));
    }
    if (report.refs.length) {
      for (const ref of report.refs) cited.append(reference(panel, ref));
      parts.push(el("h3", { text: "Evidence" }), cited);
    }
  } else {
    parts.push(el("p", { cls: "why", text: "This community has no report." }));
  }
  if (c.children.length) parts.push(el("h3", { text: "Communities inside" }), ...panel.list([...c.children].sort((a, b) => b.size - a.size || a.id - b.id), (child) => panel.communityRow(child, false)));
  parts.push(el("h3", { text: "Entities" }), ...panel.list(g.membersOf(c), (e) => panel.entityRow(e), 15));
  return parts;
}

// numbered turns the citations [n] in a text into buttons that show their evidence.
function numbered(text, report, cited) {
  return text.split(/(\[\d+\])/).map((piece) => {
    const number = /^\[(\d+)\]$/.exec(piece);
    const place = number ? report.refs.findIndex((r) => r.number === Number(number[1])) : -1;
    if (place < 0) return piece;
    const show = () => {
      for (const li of cited.children) li.classList.toggle("lit", li === cited.children[place]);
      cited.children[place].scrollIntoView({ block: "center", behavior: calm() ? "auto" : "smooth" });
    };
    return el("sup", {}, el("button", { type: "button", text: number[1], on: show, "aria-label": `Evidence ${number[1]}` }));
  });
}

const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

function reference(panel, ref) {
  const g = panel.graph, li = el("li", {}, el("span", { cls: "kind", text: `${ref.number}  ` }));
  if (ref.kind === "e" && ref.target >= 0) {
    const e = g.entities[ref.target];
    li.append(el("button", { cls: "link", type: "button", text: e.name, on: () => panel.choose(e) }), el("span", { cls: "kind", text: " " + e.type }));
  } else if (ref.kind === "r" && ref.target >= 0) {
    const { a, b } = g.edges[ref.target];
    [a, b].forEach((i, k) => {
      if (k) li.append(" — ");
      li.append(el("button", { cls: "link", type: "button", text: g.entities[i].name, on: () => panel.choose(g.entities[i]) }));
    });
  } else {
    li.append(el("b", { text: ref.title }));
  }
  const own = ref.kind === "e" && ref.target >= 0 ? g.entities[ref.target] : null;
  if (own && own.quotes.length) li.append(panel.quote(own.quotes[0].text, own.quotes[0].document, own.name));
  else if (ref.quote) li.append(panel.quote(ref.quote, ref.document, ref.title.split(" — ")[0]));
  return li;
}
