// The application: handles the pointer and keys, and decides when to draw.

const GROW = 380; // milliseconds of the animation when a community opens

class App {
  constructor(graph) {
    this.graph = graph;
    this.map = document.getElementById("map");
    this.names = document.getElementById("names");
    this.camera = new Camera();
    this.scene = new Scene(graph);
    this.labels = new Labels(this.names);
    this.painter = this.paint();
    this.panel = new Panel(document.getElementById("panel"), graph, (item) => this.choose(item, true));
    this.search = new Search(document.getElementById("query"), document.getElementById("found"), graph, (item) => this.choose(item, true));
    this.begun = -Infinity;
    this.waiting = false;
    this.extent();
    this.resize();
    this.camera.jump(this.home());
    this.levelButtons();
    this.listen();
    this.change(false);
    this.panel.show(null);
  }

  paint() {
    try {
      return new CardPainter(this.map);
    } catch {
      // A canvas that was asked for WebGL has no other context: replace it.
      const fresh = this.map.cloneNode();
      this.map.replaceWith(fresh);
      this.map = fresh;
      return new PlainPainter(fresh);
    }
  }

  // extent sets the box around everything.
  extent() {
    const all = [...this.graph.roots, ...this.graph.loose];
    const low = [Infinity, Infinity], high = [-Infinity, -Infinity];
    for (const { x, y, r } of all) {
      low[0] = Math.min(low[0], x - r); low[1] = Math.min(low[1], y - r);
      high[0] = Math.max(high[0], x + r); high[1] = Math.max(high[1], y + r);
    }
    const known = all.length > 0;
    this.whole = { x: known ? (low[0] + high[0]) / 2 : 0, y: known ? (low[1] + high[1]) / 2 : 0, w: known ? high[0] - low[0] : 1, h: known ? high[1] - low[1] : 1 };
  }

  home() {
    const { x, y, w, h } = this.whole;
    return { x, y, scale: Math.min(this.camera.width / w, this.camera.height / h) * 0.94 };
  }

  resize() {
    const box = this.map.getBoundingClientRect();
    this.ratio = Math.min(window.devicePixelRatio || 1, 2);
    this.camera.width = Math.max(box.width, 1);
    this.camera.height = Math.max(box.height, 1);
    for (const c of [this.map, this.names]) { c.width = Math.round(box.width * this.ratio); c.height = Math.round(box.height * this.ratio); }
    this.camera.least = this.home().scale * 0.4;
  }

  levelButtons() {
    const box = document.getElementById("levels"), n = Math.min(this.graph.levels, 6);
    const names = ["Communities", ...Array.from({ length: Math.max(n - 1, 0) }, (_, i) => "Level " + (i + 2)), "Entities"];
    if (!n) { box.hidden = true; return; }
    names.forEach((name, i) => box.append(el("button", { type: "button", text: name, "aria-pressed": String(i === 0), on: () => {
      this.scene.openTo(i === names.length - 1 ? Infinity : i);
      this.scene.chosen = null;
      this.panel.show(null);
      this.press(i);
      this.fly(this.home());
      this.change(true);
    } })));
  }

  press(which) {
    [...document.getElementById("levels").children].forEach((b, i) => b.setAttribute("aria-pressed", String(i === which)));
  }

  // choose selects an item on the map and shows it in the panel; null is the whole map.
  choose(item, fly) {
    document.getElementById("hint").hidden = true;
    this.scene.chosen = item;
    this.panel.show(item);
    if (!item) { this.fly(this.home()); this.change(true); return; }
    this.scene.reveal(item);
    const community = this.graph.isCommunity(item);
    if (community) this.scene.setOpen(item, true);
    this.press(-1);
    if (community) this.fly(this.camera.fit(item, 0.86));
    else if (fly) this.fly(this.around(item));
    this.change(true);
  }

  // around returns the view of an entity: its community, or the entity with space around it.
  around(e) {
    const near = Math.max(this.camera.scale, Math.min(1.2, 16 / e.r));
    const home = e.home >= 0 ? this.camera.fit(this.graph.communities[e.home], 0.8).scale : near;
    return { x: e.x, y: e.y, scale: Math.max(Math.min(near, 30 / e.r), Math.min(home, 22 / e.r)) };
  }

  close(c) {
    this.scene.setOpen(c, false);
    this.scene.chosen = c;
    this.panel.show(c);
    this.change(true);
  }

  fly(view) {
    if (calm()) this.camera.jump(view); else this.camera.fly(view, performance.now());
  }

  // change builds the scene again and animates its growth.
  change(grow) {
    this.scene.build();
    this.begun = grow && !calm() ? performance.now() : -Infinity;
    this.color();
    this.painter.shapes(this.picture);
    this.redraw();
  }

  // color sets how strongly each shape is drawn.
  color() {
    const s = this.scene, lit = s.lit(), many = Math.max(s.edges.length, 1);
    const faint = Math.min(0.42, Math.max(0.05, 9 / Math.sqrt(many)));
    const chosen = lit && !this.graph.isCommunity(lit.focus) ? s.stand[lit.focus.index] : -1;
    const circles = s.grounds.map((g) => ({ ...g, x0: g.x, y0: g.y, r0: g.r, alpha: lit && !this.relates(g.of, lit.focus) ? 0.35 : 1, ground: true }));
    s.items.forEach((it, i) => circles.push(Object.assign(it, { alpha: !lit || lit.lit.has(i) ? 1 : 0.22 })));
    const lines = s.edges.map(({ a, b, weight }) => {
      const strong = lit && (chosen >= 0 ? a === chosen || b === chosen : lit.lit.has(a) && lit.lit.has(b));
      const p = s.items[a], q = s.items[b], heavy = Math.log1p(weight) / Math.log1p(s.heaviest);
      return {
        a: p, b: q, color: p.color.map((v, k) => (v + q.color[k]) >> 1),
        alpha: strong ? 0.8 : lit ? faint * 0.25 : faint * (0.55 + 0.45 * heavy),
        wide: (0.8 + (this.graph.isCommunity(p.of) && this.graph.isCommunity(q.of) ? 7 : 2.6) * heavy) * this.ratio,
      };
    });
    this.picture = { circles, lines };
  }

  // relates returns whether one is inside the other.
  relates(c, focus) {
    const g = this.graph, up = g.isCommunity(focus) ? focus : g.communities[focus.home];
    return !!up && (g.above(up).includes(c) || g.above(c).includes(up));
  }

  recolor() { this.color(); this.painter.colors(this.picture); this.redraw(); }

  redraw() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame((now) => { this.waiting = false; if (this.frame(now)) this.redraw(); });
  }

  theme() {
    const css = getComputedStyle(document.documentElement), bg = css.getPropertyValue("--bg").trim();
    return { bg, ink: css.getPropertyValue("--ink").trim(), dark: css.colorScheme === "dark" };
  }

  // frame draws once and returns whether something still moves.
  frame(now) {
    const flying = this.camera.step(now), t = Math.min((now - this.begun) / GROW, 1), grown = 1 - (1 - t) ** 3;
    this.painter.draw(this.camera, Math.max(grown, 0), this.ratio);
    this.labels.draw(this.scene, this.camera, this.ratio, this.colors || (this.colors = this.theme()), Math.max(grown, 0));
    return flying || t < 1;
  }
}

// listen binds pointer, wheel, keys and buttons.
App.prototype.listen = function () {
  const map = this.map, pointers = new Map();
  let moved = 0, pinch = 0;
  const local = (event) => { const b = map.getBoundingClientRect(); return [event.clientX - b.left, event.clientY - b.top]; };
  const under = (event) => this.scene.at(...this.camera.toMap(...local(event)), this.camera.scale);
  map.addEventListener("pointerdown", (event) => { pointers.set(event.pointerId, local(event)); map.setPointerCapture(event.pointerId); moved = 0; pinch = 0; });
  map.addEventListener("pointermove", (event) => {
    const was = pointers.get(event.pointerId), at = local(event);
    if (!was) return this.touch(under(event));
    if (pointers.size === 2) {
      const other = [...pointers].find(([id]) => id !== event.pointerId)[1], apart = Math.hypot(at[0] - other[0], at[1] - other[1]);
      if (pinch) this.camera.zoom(apart / pinch, (at[0] + other[0]) / 2, (at[1] + other[1]) / 2);
      pinch = apart;
      moved = 99;
    } else {
      moved += Math.abs(at[0] - was[0]) + Math.abs(at[1] - was[1]);
      if (moved > 4) { this.camera.move(at[0] - was[0], at[1] - was[1]); map.classList.add("drag"); }
    }
    pointers.set(event.pointerId, at);
    this.redraw();
  });
  const up = (event) => {
    const known = pointers.delete(event.pointerId);
    map.classList.remove("drag");
    if (known && moved <= 4 && event.type === "pointerup") this.click(under(event));
  };
  map.addEventListener("pointerup", up);
  map.addEventListener("pointercancel", up);
  map.addEventListener("pointerleave", () => this.touch(null));
  map.addEventListener("wheel", (event) => {
    event.preventDefault();
    this.camera.zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0016)), ...local(event));
    this.redraw();
  }, { passive: false });
  this.keys(map);
  new ResizeObserver(() => {
    const whole = this.home(), still = Math.abs(this.camera.scale / whole.scale - 1) < 1e-6;
    this.resize();
    if (still) this.camera.jump(this.home());
    this.recolor();
  }).observe(map);
  const button = (id, act) => document.getElementById(id).addEventListener("click", () => { act(); this.redraw(); });
  button("in", () => this.camera.zoom(1.4));
  button("out", () => this.camera.zoom(1 / 1.4));
  button("whole", () => this.choose(null));
  button("theme", () => { document.documentElement.dataset.theme = this.theme().dark ? "light" : "dark"; this.colors = null; });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { this.colors = null; this.redraw(); });
};

App.prototype.keys = function (map) {
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement.id !== "query") { document.getElementById("query").focus(); event.preventDefault(); }
    if (event.key === "Escape" && document.activeElement.id !== "query") this.choose(null);
  });
  const moves = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };
  map.addEventListener("keydown", (event) => {
    if (moves[event.key]) this.camera.move(...moves[event.key]);
    else if (event.key === "+" || event.key === "=") this.camera.zoom(1.25);
    else if (event.key === "-") this.camera.zoom(0.8);
    else return;
    event.preventDefault();
    this.redraw();
  });
};

// click opens what is closed and chooses the rest; a click on the ground of the
// chosen community closes it, one outside everything shows the whole map.
App.prototype.click = function (item) {
  if (item && item === this.scene.chosen && this.graph.isCommunity(item) && this.scene.open[item.id]) this.close(item);
  else this.choose(item, false);
};

App.prototype.touch = function (item) {
  this.map.classList.toggle("over", !!item);
  if (item === this.scene.hover) return;
  const open = item && this.graph.isCommunity(item) && this.scene.open[item.id];
  this.scene.hover = open ? null : item;
  this.recolor();
};

// measure draws a number of frames of a moving camera and returns how long they took.
App.prototype.measure = function (frames) {
  return new Promise((done) => {
    const start = performance.now(), home = this.home();
    let n = 0, busy = 0, own = 0;
    const one = () => {
      const before = performance.now();
      this.camera.jump({ x: home.x, y: home.y, scale: home.scale * (1.5 + Math.sin(n / 7)) });
      this.frame(before);
      own += performance.now() - before;
      this.painter.finish();
      busy += performance.now() - before;
      if (++n < frames) requestAnimationFrame(one);
      else done({ fps: 1000 * frames / (performance.now() - start), busy: busy / frames, own: own / frames, painter: this.painter.name, items: this.scene.items.length, edges: this.scene.edges.length });
    };
    requestAnimationFrame(one);
  });
};

// follow goes where the address points: "#level-2" opens that many levels, every
// other name is looked for as in the search.
App.prototype.follow = function (hash) {
  let name = hash.slice(1);
  try { name = decodeURIComponent(name); } catch { /* keep it undecoded */ }
  const level = /^level-(\d+)$/.exec(name), buttons = document.getElementById("levels").children;
  if (level) buttons[Math.min(Number(level[1]), buttons.length) - 1]?.click();
  else if (name) { const [item] = this.search.find(name); if (item) this.choose(item, true); }
  if (this.camera.flight) this.camera.jump(this.camera.flight.to);
  this.begun = -Infinity;
};

unpack().then((data) => {
  window.app = new App(new Graph(data));
  window.app.follow(location.hash);
  window.addEventListener("hashchange", () => window.app.follow(location.hash));
  document.getElementById("wait").hidden = true;
}, (error) => {
  document.getElementById("wait").textContent = "This browser cannot read the map: " + error.message + ". A current Firefox, Chrome, Edge or Safari can.";
});
