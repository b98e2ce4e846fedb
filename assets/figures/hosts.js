/** @import { Canvas } from "./lib.js" */

const hosts = [2, 3, 4];

/**
 * @param {Canvas} canvas
 * @param {{ width: number, box: number, text: number }} measures
 */
function draw(canvas, { width, box, text }) {
  const style = { anchor: /** @type {const} */ ("middle"), size: text };
  const middle = width / 2 + 1;
  const gap = (width - 3 * box) / 2;
  const at = hosts.map((_, index) => 1 + box / 2 + index * (box + gap));
  canvas.text(middle, 18, "clients", { ...style, weight: 600 });
  canvas.arrow([middle, 28, middle, 58], { color: "ink" });
  const wide = Math.min(width - 2, 300);
  canvas.box(middle - wide / 2, 62, wide, 62, { fill: "blue-fill", stroke: "blue" });
  canvas.text(middle, 87, "HAProxy", { ...style, weight: 600, color: "blue" });
  canvas.text(middle, 112, "127.0.0.1", { ...style, mono: true, size: 15 });
  for (const [index, x] of at.entries()) {
    const from = middle + (index - 1) * (wide / 3);
    canvas.arrow([from - 6, 126, x - 6, 196], { color: "ink" });
    canvas.arrow([from + 8, 126, x + 8, 196], { color: "green", dashed: true });
    canvas.box(x - box / 2, 200, box, 62);
    canvas.text(x, 225, "host", { ...style, weight: 600 });
    canvas.text(x, 250, `127.0.0.${hosts[index]}`, { ...style, mono: true, size: 15 });
    canvas.arrow([x, 264, middle + (index - 1) * (wide / 3), 316], { color: "accent" });
  }
  canvas.box(middle - wide / 2, 320, wide, 62, { fill: "accent-fill", stroke: "accent" });
  canvas.text(middle, 345, "Redis", { ...style, weight: 600, color: "accent" });
  canvas.text(middle, 370, "127.0.0.8", { ...style, mono: true, size: 15 });
  const legend = /** @type {const} */ ([
    ["ink", "requests", false],
    ["green", "/readyz, twice a second", true],
    ["accent", "sessions, limits, orders", false],
  ]);
  for (const [row, [color, words, dashed]] of legend.entries()) {
    const y = 412 + row * 28;
    canvas.arrow([1, y, 44, y], { color, dashed });
    canvas.text(56, y + 6, words, { size: text, color: "soft" });
  }
  canvas.height = 412 + 2 * 28 + 14;
}

export default {
  title: "Three hosts behind one address",
  description:
    "Clients send requests to HAProxy at 127.0.0.1. HAProxy passes them to three hosts at " +
    "127.0.0.2, 127.0.0.3 and 127.0.0.4, and asks each of them twice a second for /readyz. The " +
    "hosts keep sessions, limits and orders in Redis at 127.0.0.8, and share nothing else.",

  /** @param {Canvas} canvas */
  wide(canvas) {
    draw(canvas, { width: 686, box: 150, text: 19 });
  },

  /** @param {Canvas} canvas */
  narrow(canvas) {
    draw(canvas, { width: 318, box: 98, text: 18 });
  },
};
