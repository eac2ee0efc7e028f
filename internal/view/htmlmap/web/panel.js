// The panel of the page: describes what is selected. Texts of the graph are only ever
// set as textContent.

// el creates an element; all other options become attributes.
function el(tag, { text, cls, on, ...attributes } = {}, ...children) {
  const e = document.createElement(tag);
  if (text !== undefined) e.textContent = text;
  if (cls) e.className = cls;
  if (on) e.addEventListener("click", on);
  for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value);
  e.append(...children.filter((c) => c !== null && c !== undefined));
  return e;
}

function dot(color, big) {
  const d = el("span", { cls: big ? "dot big" : "dot", "aria-hidden": "true" });
  d.style.background = color;
  return d;
}

const count = (n, one, many) => `${n.toLocaleString("en")} ${n === 1 ? one : many || one + "s"}`;

const sentence = (text, most) => {
  const plain = text.replace(/\s*\[\d+\]/g, "");
  if (plain.length <= most) return plain;
  const cut = plain.slice(0, most);
  return cut.slice(0, Math.max(cut.lastIndexOf(" "), most / 2)) + "…";
};

class Panel {
  constructor(root, graph, choose) {
    this.root = root;
    this.graph = graph;
    this.choose = choose;
  }

  show(item) {
    const g = this.graph;
    this.root.replaceChildren(...(!item ? this.overview() : g.isCommunity(item) ? communityView(this, item) : entityView(this, item)));
    this.root.scrollTop = 0;
  }

  overview() {
    const g = this.graph;
    const facts = [["documents", g.documents], ["entities", g.entities.length], ["relationships", g.edges.length], ["communities", g.communities.length]];
    const parts = [
      el("h2", { text: "What is in " + g.corpus }),
      el("p", { cls: "why", text: "Each circle is a community: people, places, things and ideas that the documents name together. Its area grows with what is in it, near ones have more in common, and those inside a circle have a shade of its colour." }),
      el("div", { cls: "facts" }, ...facts.filter(([, n]) => n > 0).map(([name, n]) => el("span", {}, el("b", { text: n.toLocaleString("en") }), " " + (n === 1 ? (name === "communities" ? "community" : name.slice(0, -1)) : name)))),
    ];
    if (g.roots.length) parts.push(el("h3", { text: "Communities" }), ...this.list([...g.roots].sort((a, b) => b.size - a.size || a.id - b.id), (c) => this.communityRow(c, true)));
    else parts.push(el("p", { text: "There are no communities yet." }));
    const top = [...g.entities].sort((a, b) => b.degree - a.degree || a.index - b.index).slice(0, 200);
    parts.push(el("h3", { text: "Best linked" }), ...this.list(top, (e) => this.entityRow(e), 8));
    return parts;
  }

  // list shows the first items, and the others on demand.
  list(items, row, first = 12) {
    const box = el("div");
    const add = (from, to) => items.slice(from, to).forEach((i) => box.append(...[row(i)].flat()));
    add(0, first);
    let shown = first;
    if (items.length <= first) return [box];
    const more = el("button", { cls: "more", type: "button" });
    const label = () => { more.textContent = `${count(items.length - shown, "more", "more")}`; };
    label();
    more.addEventListener("click", () => {
      add(shown, shown + 50);
      shown += 50;
      if (shown >= items.length) more.remove(); else label();
    });
    return [box, more];
  }

  communityRow(c, about) {
    const row = el("button", { cls: "row", type: "button", on: () => this.choose(c) },
      dot(c.color), el("span", { cls: "name", text: c.title }), el("span", { cls: "kind", text: count(c.size, "entity", "entities") }));
    if (!about || !c.report || !c.report.summary) return [row];
    return [row, el("div", { cls: "why", text: sentence(c.report.summary, 150) })];
  }

  entityRow(e, side) {
    return el("button", { cls: "row", type: "button", on: () => this.choose(e) },
      dot(e.color), el("span", { cls: "name", text: e.name }), el("span", { cls: "kind", text: side !== undefined ? side : e.type }));
  }

  // trail returns the breadcrumbs from the whole map to an item.
  trail(item) {
    const g = this.graph, up = g.isCommunity(item) ? item.up : item.home;
    const path = up < 0 ? [] : g.above(g.communities[up]);
    const parts = [el("button", { type: "button", text: "Whole map", on: () => this.choose(null) })];
    for (const c of path) parts.push(el("span", { text: "›", "aria-hidden": "true" }), el("button", { type: "button", text: sentence(c.title, 34), on: () => this.choose(c) }));
    return el("nav", { cls: "trail", "aria-label": "Where this is" }, ...parts);
  }

  quote(text, document, name) {
    const q = el("blockquote", {}, ...marked(text, name));
    if (document) q.append(el("footer", { text: document }));
    return q;
  }
}

// marked returns a text in which a name is highlighted.
function marked(text, name) {
  const at = name ? text.toLowerCase().indexOf(name.toLowerCase()) : -1;
  if (at < 0) return [text];
  return [text.slice(0, at), el("mark", { text: text.slice(at, at + name.length) }), text.slice(at + name.length)];
}
