// The view of the map: its centre, and pixels per unit.

class Camera {
  constructor() { this.x = 0; this.y = 0; this.scale = 1; this.width = 1; this.height = 1; this.flight = null; }

  toMap(px, py) { return [this.x + (px - this.width / 2) / this.scale, this.y + (py - this.height / 2) / this.scale]; }

  toView(x, y) { return [(x - this.x) * this.scale + this.width / 2, (y - this.y) * this.scale + this.height / 2]; }

  move(dx, dy) { this.x -= dx / this.scale; this.y -= dy / this.scale; this.flight = null; }

  zoom(factor, px = this.width / 2, py = this.height / 2) {
    const [x, y] = this.toMap(px, py);
    this.scale = Math.min(Math.max(this.scale * factor, this.least || 1e-6), 4);
    this.x = x - (px - this.width / 2) / this.scale;
    this.y = y - (py - this.height / 2) / this.scale;
    this.flight = null;
  }

  // fit returns the view in which a circle fills most of the stage.
  fit({ x, y, r }, share = 0.94) { return { x, y, scale: Math.min(this.width, this.height) * share / (2 * Math.max(r, 1e-9)) }; }

  jump(view) { Object.assign(this, view); this.flight = null; }

  fly(view, now) { this.flight = { from: { x: this.x, y: this.y, scale: this.scale }, to: view, start: now, length: 420 }; }

  // step continues a flight and returns whether it goes further.
  step(now) {
    const f = this.flight;
    if (!f) return false;
    const t = Math.min((now - f.start) / f.length, 1), e = t < 0.5 ? 2 * t * t : 1 - 2 * (1 - t) * (1 - t);
    this.scale = f.from.scale * Math.pow(f.to.scale / f.from.scale, e);
    // The position follows the scale, so that a zoom moves in a straight line.
    const s = f.to.scale === f.from.scale ? e : (1 / this.scale - 1 / f.from.scale) / (1 / f.to.scale - 1 / f.from.scale);
    this.x = f.from.x + (f.to.x - f.from.x) * s;
    this.y = f.from.y + (f.to.y - f.from.y) * s;
    if (t === 1) this.flight = null;
    return t < 1;
  }
}
