// The view of an entity: what it is, its relationships, and quotes that mention it.

function entityView(panel, e) {
  const g = panel.graph, edges = g.edgesOf(e);
  const facts = el("div", { cls: "facts" });
  if (e.type && e.type !== "unknown") facts.append(el("span", { text: e.type }));
  facts.append(el("span", {}, el("b", { text: e.degree.toLocaleString("en") }), e.degree === 1 ? " relationship" : " relationships"));
  if (e.mentions) facts.append(el("span", {}, "in ", el("b", { text: e.mentions.toLocaleString("en") }), e.mentions === 1 ? " place" : " places"));
  const parts = [panel.trail(e), el("h2", {}, dot(e.color, true), " " + e.name), facts];
  if (e.about) parts.push(el("p", { text: e.about }));
  if (e.quotes.length) {
    parts.push(el("h3", { text: "In the documents" }));
    for (const q of e.quotes) parts.push(panel.quote(q.text, q.document, e.name));
  }
  if (edges.length) {
    const most = edges[0].edge.weight;
    parts.push(el("h3", { text: "Relationships" }), ...panel.list(edges, ({ edge, other }) => {
      const bar = el("span", { cls: "bar", title: count(edge.weight, "mention") }, el("i"));
      bar.firstChild.style.width = `${Math.max(8, 100 * edge.weight / most)}%`;
      bar.firstChild.style.background = other.color;
      const row = panel.entityRow(other, "");
      row.lastChild.replaceWith(bar);
      return edge.about && edge.about !== e.about ? [row, el("div", { cls: "why", text: sentence(edge.about, 240) })] : [row];
    }, 12));
  }
  return parts;
}
