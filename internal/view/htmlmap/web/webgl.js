// Draws the map with WebGL 2.

class CardPainter {
  constructor(canvas) {
    const gl = canvas.getContext("webgl2", { antialias: false, alpha: true, premultipliedAlpha: true });
    if (!gl) throw new Error("no WebGL 2");
    this.gl = gl;
    this.name = "WebGL";
    this.circle = this.program(CIRCLE_VERTEX, CIRCLE_FRAGMENT);
    this.line = this.program(LINE_VERTEX, LINE_FRAGMENT);
    const corners = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, corners);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]), gl.STATIC_DRAW);
    this.circles = this.batch(corners, [3, 3]);
    this.lines = this.batch(corners, [4, 4]);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  }

  program(vertex, fragment) {
    const gl = this.gl, p = gl.createProgram();
    for (const [kind, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const s = gl.createShader(kind);
      gl.shaderSource(s, source);
      gl.compileShader(s);
      gl.attachShader(p, s);
    }
    gl.linkProgram(p);
    if (!gl.getProgramParameter(p, gl.LINK_STATUS)) throw new Error("a shader does not link");
    const at = {};
    for (const name of ["middle", "size", "scale", "grown"]) at[name] = gl.getUniformLocation(p, name);
    return { p, at };
  }

  // batch returns the buffers of shapes: two positions, a colour and a number each.
  batch(corners, places) {
    const gl = this.gl, b = { array: gl.createVertexArray(), shape: gl.createBuffer(), tint: gl.createBuffer(), count: 0, per: places[0] + places[1] + 1 };
    gl.bindVertexArray(b.array);
    gl.bindBuffer(gl.ARRAY_BUFFER, corners);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
    gl.bindBuffer(gl.ARRAY_BUFFER, b.shape);
    let offset = 0;
    for (const [slot, n] of [[1, places[0]], [2, places[1]], [4, 1]]) {
      gl.enableVertexAttribArray(slot);
      gl.vertexAttribPointer(slot, n, gl.FLOAT, false, b.per * 4, offset * 4);
      gl.vertexAttribDivisor(slot, 1);
      offset += n;
    }
    gl.bindBuffer(gl.ARRAY_BUFFER, b.tint);
    gl.enableVertexAttribArray(3);
    gl.vertexAttribPointer(3, 4, gl.UNSIGNED_BYTE, true, 0, 0);
    gl.vertexAttribDivisor(3, 1);
    gl.bindVertexArray(null);
    return b;
  }

  // shapes sets what is drawn: grounds, lines and circles, each with its colour.
  shapes(picture) {
    const circles = new Float32Array(picture.circles.length * 7), lines = new Float32Array(picture.lines.length * 9);
    picture.circles.forEach((c, i) => circles.set([c.x0, c.y0, c.r0, c.x, c.y, c.r, c.ground ? 1 : 0], i * 7));
    picture.lines.forEach((l, i) => lines.set([l.a.x0, l.a.y0, l.b.x0, l.b.y0, l.a.x, l.a.y, l.b.x, l.b.y, l.wide], i * 9));
    this.grounds = picture.circles.findIndex((c) => !c.ground);
    if (this.grounds < 0) this.grounds = picture.circles.length;
    this.fill(this.circles, "shape", circles, picture.circles.length);
    this.fill(this.lines, "shape", lines, picture.lines.length);
    this.colors(picture);
  }

  colors(picture) {
    for (const [batch, list] of [[this.circles, picture.circles], [this.lines, picture.lines]]) {
      const tint = new Uint8Array(list.length * 4);
      list.forEach(({ color, alpha }, i) => { tint.set(color, i * 4); tint[i * 4 + 3] = Math.round(alpha * 255); });
      this.fill(batch, "tint", tint, list.length);
    }
  }

  fill(batch, name, data, count) {
    const gl = this.gl;
    batch.count = count;
    gl.bindBuffer(gl.ARRAY_BUFFER, batch[name]);
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.DYNAMIC_DRAW);
  }

  draw(camera, grown, ratio) {
    const gl = this.gl;
    gl.viewport(0, 0, gl.canvas.width, gl.canvas.height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    this.run(this.circle, this.circles, camera, grown, ratio, 0, this.grounds);
    this.run(this.line, this.lines, camera, grown, ratio, 0, this.lines.count);
    this.run(this.circle, this.circles, camera, grown, ratio, this.grounds, this.circles.count - this.grounds);
  }

  run(program, batch, camera, grown, ratio, first, count) {
    if (count <= 0) return;
    const gl = this.gl;
    gl.useProgram(program.p);
    gl.uniform2f(program.at.middle, camera.x, camera.y);
    gl.uniform2f(program.at.size, camera.width * ratio, camera.height * ratio);
    gl.uniform1f(program.at.scale, camera.scale * ratio);
    gl.uniform1f(program.at.grown, grown);
    gl.bindVertexArray(batch.array);
    if (first > 0) this.shift(batch, first);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, count);
    if (first > 0) this.shift(batch, 0);
    gl.bindVertexArray(null);
  }

  // shift makes a batch of circles start at a later one.
  shift(batch, first) {
    const gl = this.gl, row = batch.per * 4;
    gl.bindBuffer(gl.ARRAY_BUFFER, batch.shape);
    let offset = 0;
    for (const [slot, n] of [[1, 3], [2, 3], [4, 1]]) {
      gl.vertexAttribPointer(slot, n, gl.FLOAT, false, row, first * row + offset * 4);
      offset += n;
    }
    gl.bindBuffer(gl.ARRAY_BUFFER, batch.tint);
    gl.vertexAttribPointer(3, 4, gl.UNSIGNED_BYTE, true, 0, first * 4);
  }

  // finish waits until everything is drawn.
  finish() { this.gl.readPixels(0, 0, 1, 1, this.gl.RGBA, this.gl.UNSIGNED_BYTE, new Uint8Array(4)); }
}
