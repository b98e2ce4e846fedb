/** @import { Canvas } from "./lib.js" */

const ENDS = /** @type {const} */ ([
  { name: "finished", until: 1, color: "green", head: true },
  { name: "client left", until: 0.7, color: "accent", head: true },
  { name: "cut", until: 0.8, color: "accent", head: true },
  { name: "timed out", until: 0.55, color: "accent", head: false },
]);

const HEAD = 0.4;

/**
 * @param {Canvas} canvas
 * @param {number} left where the bars begin
 * @param {number} width of the longest
 * @param {number} step between two bars
 * @param {number} labelAbove how far above its bar a name stands; 0: beside
 */
function draw(canvas, left, width, step, labelAbove) {
  const top = 62;
  const at = (/** @type {number} */ share) => left + width * share;
  canvas.text(left, 20, "first_byte_ms", { mono: true, size: 15, color: "blue" });
  canvas.line(
    [
      [left, 30],
      [at(HEAD), 30],
    ],
    { color: "blue", arrow: true },
  );
  canvas.text(at(1), 20, "last_byte_ms", { mono: true, size: 15, anchor: "end" });
  canvas.line(
    [
      [left, 40],
      [at(1), 40],
    ],
    { arrow: true },
  );
  for (const [i, { name, until, color, head }] of ENDS.entries()) {
    const y = top + i * step + labelAbove;
    if (labelAbove > 0) canvas.text(left, y - 6, name, { color });
    else canvas.text(1, y + 18, name, { color });
    const begun = head ? HEAD : until - 0.06;
    canvas.box(left, y, width * begun, 24, { stroke: "line", fill: "fill", radius: 2 });
    const fill = /** @type {"green-fill" | "accent-fill"} */ (`${color}-fill`);
    canvas.box(at(begun), y, width * (until - begun), 24, { stroke: color, fill, radius: 2 });
  }
  canvas.height = top + ENDS.length * step + labelAbove - 4;
}

export default {
  title: "How a request can end",
  description:
    "Four bars, each from a request's arrival to the end of its answer. Until the first byte is " +
    "sent it is being worked on. A finished answer goes on to its last byte. A client that leaves, " +
    "and an answer that is cut, end it before. A request that has timed out is answered with a " +
    "503 of a few bytes, or cut.",

  /** @param {Canvas} canvas */
  wide(canvas) {
    draw(canvas, 130, 550, 36, 0);
  },

  /** @param {Canvas} canvas */
  narrow(canvas) {
    draw(canvas, 1, 316, 54, 20);
  },
};
