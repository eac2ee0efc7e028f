// Labels of the map: the heaviest first, without overlaps.

const MOST_NAMES = 130;

class Labels {
  constructor(canvas) { this.context = canvas.getContext("2d"); this.widths = new Map(); }

  width(text, font) {
    const key = font + text;
    let w = this.widths.get(key);
    if (w === undefined) {
      if (this.widths.size > 20000) this.widths.clear();
      this.context.font = font;
      w = this.context.measureText(text).width;
      this.widths.set(key, w);
    }
    return w;
  }

  // lines breaks a title into at most three lines of a given width.
  lines(text, font, width) {
    const lines = [""];
    for (const word of text.split(" ")) {
      const longer = lines.at(-1) ? lines.at(-1) + " " + word : word;
      if (!lines.at(-1) || this.width(longer, font) <= width) lines[lines.length - 1] = longer;
      else lines.push(word);
    }
    return lines.length > 3 ? [...lines.slice(0, 2), lines[2] + "…"] : lines;
  }

  draw(scene, camera, ratio, theme, grown) {
    const c = this.context;
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.clearRect(0, 0, camera.width, camera.height);
    c.textAlign = "center";
    c.textBaseline = "middle";
    c.lineJoin = "round";
    const taken = [];
    const free = (x, y, w, h) => {
      for (const t of taken) if (Math.abs(t[0] - x) * 2 < t[2] + w && Math.abs(t[1] - y) * 2 < t[3] + h) return false;
      taken.push([x, y, w, h]);
      return true;
    };
    const lit = scene.lit();
    this.grounds(scene, camera, theme, free);
    let left = MOST_NAMES;
    const first = lit ? scene.rank.filter((i) => lit.lit.has(i)) : [];
    if (lit && !scene.graph.isCommunity(lit.focus)) first.sort((a, b) => (scene.items[b].of === lit.focus) - (scene.items[a].of === lit.focus));
    for (const i of first.length ? [...first, ...scene.rank] : scene.rank) {
      if (left <= 0) break;
      if (this.item(scene, scene.items[i], camera, theme, free, lit, i, grown)) left--;
    }
  }

  // grounds draws the titles of open communities at their upper edge.
  grounds(scene, camera, theme, free) {
    for (const g of scene.grounds) {
      const r = g.r * camera.scale;
      if (r < 70) continue;
      const [x, y] = camera.toView(g.x, g.y - g.r);
      const size = Math.min(12 + r / 60, 16), font = `600 ${size}px system-ui, sans-serif`;
      const text = this.clip(g.of.title, font, Math.max(r * 2, 150));
      const w = this.width(text, font);
      if (y < 4 || y > camera.height || x < -w || x > camera.width + w || !free(x, y + size * 0.2, w + 8, size + 6)) continue;
      this.write(text, x, y + size * 0.2, font, theme.dark ? this.lighter(g.of.color) : this.darker(g.of.color), theme.bg, 4);
    }
  }

  item(scene, it, camera, theme, free, lit, i, grown) {
    const [x, y] = camera.toView(it.x0 + (it.x - it.x0) * grown, it.y0 + (it.y - it.y0) * grown), r = Math.max(it.r * camera.scale, 1.3);
    if (x < -60 || y < -20 || x > camera.width + 60 || y > camera.height + 20) return false;
    const special = it.of === scene.chosen || it.of === scene.hover;
    if (lit && !lit.lit.has(i) && !special) return false;
    if (scene.graph.isCommunity(it.of)) {
      if (r < 9 && !special) return false;
      return this.community(it, x, y, r, theme, free);
    }
    if (r < 3.2 && !special && !lit) return false;
    const size = Math.min(Math.max(10.5, r * 0.62), 17), font = `${special ? 700 : 500} ${size}px system-ui, sans-serif`;
    const text = this.clip(it.of.name, font, 180), w = this.width(text, font), ly = y + r + size * 0.72;
    if (!free(x, ly, w + 4, size + 2)) return false;
    this.write(text, x, ly, font, theme.ink, theme.bg, 3.5);
    return true;
  }

  community(it, x, y, r, theme, free) {
    const size = Math.min(Math.max(11, r * 0.2), 22), font = `600 ${size}px system-ui, sans-serif`;
    const lines = this.lines(it.of.title, font, r * 1.62), w = Math.max(...lines.map((l) => this.width(l, font)));
    const high = lines.length * size * 1.18;
    if (w <= r * 1.8 && high < r * 1.5) {
      if (!free(x, y, w, high)) return false;
      lines.forEach((l, k) => this.write(l, x, y + (k - (lines.length - 1) / 2) * size * 1.18, font, "#ffffff", "rgba(15,20,35,.38)", 2.5));
      return true;
    }
    const below = `600 12px system-ui, sans-serif`, text = this.clip(it.of.title, below, 150), width = this.width(text, below);
    if (!free(x, y + r + 9, width + 4, 15)) return false;
    this.write(text, x, y + r + 9, below, theme.ink, theme.bg, 3.5);
    return true;
  }

  write(text, x, y, font, ink, halo, wide) {
    const c = this.context;
    c.font = font;
    c.strokeStyle = halo;
    c.lineWidth = wide;
    c.strokeText(text, x, y);
    c.fillStyle = ink;
    c.fillText(text, x, y);
  }

  clip(text, font, width) {
    if (this.width(text, font) <= width) return text;
    let end = Math.max(4, Math.floor(text.length * width / this.width(text, font)) - 1);
    return text.slice(0, end).trimEnd() + "…";
  }

  darker(hex) { return `rgb(${hexColor(hex).map((v) => Math.round(v * 0.72))})`; }

  lighter(hex) { return `rgb(${hexColor(hex).map((v) => Math.round(v + (255 - v) * 0.45))})`; }
}
