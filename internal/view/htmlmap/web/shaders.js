// The two WebGL programs: circles, and lines between them. Both draw a quad per shape.
// Positions move from before to after while grown goes from 0 to 1.

const CIRCLE_VERTEX = `#version 300 es
layout(location=0) in vec2 corner;
layout(location=1) in vec3 before;
layout(location=2) in vec3 after;
layout(location=3) in vec4 color;
layout(location=4) in float ground;
uniform vec2 middle, size;
uniform float scale, grown;
out vec2 at; out float radius; out vec4 tint; out float pale;
void main() {
  vec3 c = mix(before, after, grown);
  radius = max(c.z * scale, 1.3);
  if (ground > 0.5) radius *= grown;
  at = corner * (radius + 1.5);
  vec2 pixel = (c.xy - middle) * scale + at;
  tint = color; pale = ground;
  gl_Position = vec4(pixel * 2.0 / size * vec2(1.0, -1.0), 0.0, 1.0);
}`;

const CIRCLE_FRAGMENT = `#version 300 es
precision highp float;
in vec2 at; in float radius; in vec4 tint; in float pale;
out vec4 result;
void main() {
  float d = length(at), inside = clamp(radius - d + 0.5, 0.0, 1.0);
  float width = pale > 0.5 ? 1.2 : clamp(radius * 0.07, 0.0, 2.5);
  float rim = clamp(d - (radius - width) + 0.5, 0.0, 1.0);
  float alpha = pale > 0.5 ? mix(0.085, 0.5, rim) : 1.0;
  vec3 color = pale > 0.5 ? tint.rgb : mix(tint.rgb, tint.rgb * 0.76, rim);
  float a = tint.a * alpha * inside;
  result = vec4(color * a, a);
}`;

const LINE_VERTEX = `#version 300 es
layout(location=0) in vec2 corner;
layout(location=1) in vec4 before;
layout(location=2) in vec4 after;
layout(location=3) in vec4 color;
layout(location=4) in float wide;
uniform vec2 middle, size;
uniform float scale, grown;
out vec4 tint; out float side, half_width;
void main() {
  vec4 ends = mix(before, after, grown);
  vec2 a = (ends.xy - middle) * scale, b = (ends.zw - middle) * scale, along = b - a;
  float length_ = max(length(along), 1e-3);
  vec2 across = vec2(-along.y, along.x) / length_;
  half_width = wide * 0.5;
  side = corner.y * (half_width + 1.0);
  vec2 pixel = mix(a, b, corner.x * 0.5 + 0.5) + across * side;
  tint = color;
  gl_Position = vec4(pixel * 2.0 / size * vec2(1.0, -1.0), 0.0, 1.0);
}`;

const LINE_FRAGMENT = `#version 300 es
precision highp float;
in vec4 tint; in float side, half_width;
out vec4 result;
void main() {
  float a = tint.a * clamp(half_width - abs(side) + 0.5, 0.0, 1.0);
  result = vec4(tint.rgb * a, a);
}`;
