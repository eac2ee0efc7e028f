// Draws the map on a 2D canvas, for browsers without WebGL 2.

class PlainPainter {
  constructor(canvas) { this.context = canvas.getContext("2d"); this.name = "canvas"; }

  shapes(picture) { this.picture = picture; }

  colors(picture) { this.picture = picture; }

  draw(camera, grown, ratio) {
    const c = this.context, { circles, lines } = this.picture;
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.clearRect(0, 0, camera.width, camera.height);
    const place = (s) => camera.toView(s.x0 + (s.x - s.x0) * grown, s.y0 + (s.y - s.y0) * grown);
    const disc = (s) => {
      const [x, y] = place(s), r = Math.max((s.r0 + (s.r - s.r0) * grown) * camera.scale, 1.3);
      if (x + r < 0 || y + r < 0 || x - r > camera.width || y - r > camera.height) return;
      c.beginPath();
      c.arc(x, y, r, 0, 2 * Math.PI);
      c.globalAlpha = s.alpha * (s.ground ? 0.1 : 1);
      c.fillStyle = `rgb(${s.color})`;
      c.fill();
    };
    for (const s of circles) if (s.ground) disc(s);
    for (const l of lines) {
      c.globalAlpha = l.alpha;
      c.strokeStyle = `rgb(${l.color})`;
      c.lineWidth = l.wide / ratio;
      c.beginPath();
      c.moveTo(...place(l.a));
      c.lineTo(...place(l.b));
      c.stroke();
    }
    for (const s of circles) if (!s.ground) disc(s);
    c.globalAlpha = 1;
  }

  finish() { this.context.getImageData(0, 0, 1, 1); }
}
