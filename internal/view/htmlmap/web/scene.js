// The part of the graph that is on the map: a closed community is a circle, an open one
// a pale ground under its contents.

class Scene {
  constructor(graph) {
    this.graph = graph;
    this.open = new Uint8Array(graph.communities.length);
    this.stand = new Int32Array(graph.entities.length).fill(-1); // of each entity, the index of the item that shows it
    this.items = [];
    this.grounds = [];
    this.edges = [];
    this.chosen = null;
    this.hover = null;
    this.build();
  }

  build() {
    const before = new Map(this.items.map((it) => [it.of.id, it]));
    const g = this.graph;
    this.items = [];
    this.grounds = [];
    this.stand.fill(-1);
    const put = (of, r, source) => {
      const was = before.get(of.id) || source;
      this.items.push({ of, x: of.x, y: of.y, r, x0: was ? was.x : of.x, y0: was ? was.y : of.y, r0: was ? was.r : 0, color: hexColor(of.color) });
    };
    const visit = (c, source) => {
      source = before.get(c.id) || source;
      if (!this.open[c.id]) {
        for (let i = c.from; i < c.to; i++) this.stand[g.order[i]] = this.items.length;
        put(c, c.r * 0.86, source);
        return;
      }
      this.grounds.push({ of: c, x: c.x, y: c.y, r: c.r, color: hexColor(c.color) });
      c.children.forEach((child) => visit(child, source));
      for (const e of c.members) { this.stand[e.index] = this.items.length; put(e, e.r, source); }
    };
    g.roots.forEach((c) => visit(c, null));
    for (const e of g.loose) { this.stand[e.index] = this.items.length; put(e, e.r, null); }
    this.join();
    this.rank = this.items.map((_, i) => i).sort((a, b) => this.weight(b) - this.weight(a) || a - b);
  }

  weight(i) {
    const { of } = this.items[i];
    return this.graph.isCommunity(of) ? 1e6 + of.size : of.degree;
  }

  // join adds up the edges between visible items.
  join() {
    const n = this.items.length, sums = new Map();
    for (const { a, b, weight } of this.graph.edges) {
      const x = this.stand[a], y = this.stand[b];
      if (x === y) continue;
      const key = x < y ? x * n + y : y * n + x;
      sums.set(key, (sums.get(key) || 0) + weight);
    }
    this.edges = [];
    let most = 1;
    for (const [key, weight] of sums) {
      this.edges.push({ a: Math.floor(key / n), b: key % n, weight });
      most = Math.max(most, weight);
    }
    this.heaviest = most;
    this.edges.sort((x, y) => x.weight - y.weight || x.a - y.a || x.b - y.b);
  }

  setOpen(c, open) {
    this.open[c.id] = open ? 1 : 0;
    if (!open) c.children.forEach((child) => this.setOpen(child, false));
  }

  // reveal opens the communities around an item, so that it is visible.
  reveal(item) {
    const up = this.graph.isCommunity(item) ? item.up : item.home;
    if (up >= 0) for (const c of this.graph.above(this.graph.communities[up])) this.open[c.id] = 1;
  }

  // openTo opens communities above a level; level 0 shows the root communities.
  openTo(level) {
    for (const c of this.graph.communities) this.open[c.id] = c.level < level ? 1 : 0;
  }

  // lit returns the indexes of items linked to the selected or hovered one; null for all.
  lit() {
    const focus = this.hover && !this.graph.isCommunity(this.hover) ? this.hover : this.chosen;
    if (!focus || this.graph.isCommunity(focus) && this.open[focus.id] && !focus.children.length && !focus.members.length) return null;
    const g = this.graph, lit = new Set();
    if (g.isCommunity(focus)) {
      for (let i = focus.from; i < focus.to; i++) lit.add(this.stand[g.order[i]]);
      if (!this.open[focus.id]) {
        const own = this.stand[g.order[focus.from]];
        for (const { a, b } of this.edges) if (a === own || b === own) { lit.add(a); lit.add(b); }
      }
    } else {
      lit.add(this.stand[focus.index]);
      for (const { other } of g.edgesOf(focus)) lit.add(this.stand[other.index]);
    }
    return { focus, lit };
  }

  // at returns the item, or the open community, at a position of the map.
  at(x, y, scale) {
    let best = null, near = Infinity;
    for (const it of this.items) {
      const d = Math.hypot(it.x - x, it.y - y) - Math.max(it.r, 5 / scale);
      if (d < 0 && d < near) { near = d; best = it.of; }
    }
    if (best) return best;
    for (const { of } of this.grounds) {
      if (Math.hypot(of.x - x, of.y - y) < of.r && (!best || of.level > best.level)) best = of;
    }
    return best;
  }
}
