/** @import { Canvas } from "./lib.js" */

/**
 * A queue: boxes for those who wait.
 *
 * @param {Canvas} canvas
 * @param {{ x: number, y: number, count: number, color: "accent" | "blue" | "green" }} queue
 */
function drawWaiting(canvas, { x, y, count, color }) {
  for (let i = 0; i < count; i += 1) {
    canvas.box(x + i * 17, y, 12, 20, { stroke: color, fill: `${color}-fill`, radius: 2 });
  }
}

/**
 * The four places, and our line before the handler.
 *
 * @type {{ name: string, note: string, count: number, color: "accent" | "blue" | "green" }[]}
 */
const places = [
  { name: "accept queue", note: "the kernel tells how many", count: 8, color: "accent" },
  { name: "buffers of sockets", note: "the loop's delay shows it", count: 4, color: "accent" },
  { name: "this turn's requests", note: "the loop's delay shows it", count: 3, color: "accent" },
  { name: "our line", note: "has a length and an age", count: 5, color: "blue" },
  { name: "running handlers", note: "are counted", count: 2, color: "green" },
];

/**
 * @param {Canvas} canvas
 * @param {{ label: number, boxes: number, step: number }} measures
 */
function drawPlaces(canvas, { label, boxes, step }) {
  for (const [index, { name, note, count, color }] of places.entries()) {
    const y = index * step;
    canvas.text(label, y + 20, name, { weight: 600, color });
    canvas.text(label, y + 44, note, { color: "soft" });
    const at = boxes > 0 ? { x: boxes, y: y + 14 } : { x: label, y: y + 54 };
    drawWaiting(canvas, { ...at, count, color });
    if (index === places.length - 1) continue;
    canvas.arrow([12, y + 20, 12, y + step - 2]);
  }
  canvas.height = places.length * step - (boxes > 0 ? 16 : 8);
}

export default {
  title: "Where requests wait",
  description:
    "From top to bottom: the accept queue, whose length the kernel tells; the buffers of sockets, " +
    "and the requests of this turn, which the loop's delay shows; our own line, which has a length " +
    "and an age; and the running handlers, which are counted.",
  /** @param {Canvas} canvas */
  wide: (canvas) => drawPlaces(canvas, { label: 34, boxes: 340, step: 72 }),
  /** @param {Canvas} canvas */
  narrow: (canvas) => drawPlaces(canvas, { label: 34, boxes: 0, step: 96 }),
};
