// The graph of the page: unpacks the data and links its objects.

async function unpack() {
  const text = atob(document.getElementById("data").textContent.trim());
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return JSON.parse(await new Response(stream).text());
}

// Entities in no community are grey, as in package communitycolor.
const GREY = "#959BA5";

class Graph {
  constructor(d) {
    this.corpus = d.corpus;
    this.documents = d.documents;
    const text = (i) => (i < 0 ? "" : d.texts[i]);
    this.communities = d.communities.map(([label, title, level, up, size, color, x, y, r], id) => (
      { id, label, title, level, up, size, color, x, y, r, children: [], members: [], report: null, from: 0, to: 0 }));
    const n = d.entities.length;
    this.entities = d.entities.map(([name, type, home, x, y, degree, mentions, about, quotes], i) => {
      const e = { id: this.communities.length + i, index: i, name, type: type < 0 ? "" : d.types[type], home, x, y, degree, mentions, about: text(about), quotes: [] };
      e.r = 4 * Math.sqrt(1 + degree / 2) / d.unit;
      e.color = home < 0 ? GREY : this.communities[home].color;
      for (let q = 0; q < quotes.length; q += 2) e.quotes.push({ text: text(quotes[q]), document: text(quotes[q + 1]) });
      return e;
    });
    this.edges = d.edges.map(([a, b, weight, about]) => ({ a, b, weight, about: text(about) }));
    this.roots = [];
    for (const c of this.communities) (c.up < 0 ? this.roots : this.communities[c.up].children).push(c);
    this.loose = this.entities.filter((e) => e.home < 0);
    for (const e of this.entities) if (e.home >= 0) this.communities[e.home].members.push(e);
    this.levels = this.communities.reduce((most, c) => Math.max(most, c.level + 1), 0);
    this.order = [];
    this.roots.forEach((c) => this.number(c));
    this.link(n);
    for (const [c, rating, summary, findings, refs] of d.reports) {
      this.communities[c].report = {
        rating, summary, findings,
        refs: refs.map(([number, kind, target, title, quote, document]) => ({ number, kind, target, title, quote: text(quote), document: text(document) })),
      };
    }
  }

  // number gives the entities of each community a contiguous range of order.
  number(c) {
    c.from = this.order.length;
    c.children.forEach((child) => this.number(child));
    for (const e of c.members) this.order.push(e.index);
    c.to = this.order.length;
    c.members.sort((a, b) => b.degree - a.degree || a.index - b.index);
  }

  // link lists the edges of each entity, in a contiguous range of places.
  link(n) {
    this.start = new Int32Array(n + 1);
    for (const { a, b } of this.edges) { this.start[a + 1]++; this.start[b + 1]++; }
    for (let i = 0; i < n; i++) this.start[i + 1] += this.start[i];
    const next = this.start.slice();
    this.places = new Int32Array(this.edges.length * 2);
    this.edges.forEach(({ a, b }, i) => { this.places[next[a]++] = i; this.places[next[b]++] = i; });
  }

  // edgesOf returns the edges of an entity, the heaviest first, each with its other end.
  edgesOf(e) {
    const list = [];
    for (let i = this.start[e.index]; i < this.start[e.index + 1]; i++) {
      const edge = this.edges[this.places[i]];
      list.push({ edge, other: this.entities[edge.a === e.index ? edge.b : edge.a] });
    }
    return list.sort((x, y) => y.edge.weight - x.edge.weight || y.other.degree - x.other.degree || x.other.index - y.other.index);
  }

  // membersOf returns the entities of a community and its descendants, the highest degree first.
  membersOf(c) {
    return this.order.slice(c.from, c.to).map((i) => this.entities[i]).sort((a, b) => b.degree - a.degree || a.index - b.index);
  }

  // above returns the communities from the root level down to this one.
  above(c) {
    const path = [];
    for (let at = c; at; at = this.communities[at.up]) path.unshift(at);
    return path;
  }

  item(id) {
    return id < this.communities.length ? this.communities[id] : this.entities[id - this.communities.length];
  }

  isCommunity(item) { return item.children !== undefined; }
}

const hexColor = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
