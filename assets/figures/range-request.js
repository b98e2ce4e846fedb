/** @import { Canvas, Colour } from "./lib.js" */

/**
 * The file as a bar: what was sent of it now, and what was sent before.
 *
 * @param {Canvas} canvas
 * @param {number} y
 * @param {number} width
 * @param {{ before?: number, from: number, until: number, color: "blue" | "green" | "accent" }} sent
 *   as shares of the file
 */
function drawFile(canvas, y, width, { before = 0, from, until, color }) {
  canvas.box(1, y, width, 34, { stroke: "line", fill: "paper", dashed: true, radius: 3 });
  if (before > 0) {
    canvas.box(1, y, width * before, 34, { stroke: "line", fill: "fill", radius: 3 });
  }
  const left = 1 + width * from;
  const fill = /** @type {Colour} */ (`${color}-fill`);
  canvas.box(left, y, width * (until - from), 34, { stroke: color, fill, radius: 3 });
}

/**
 * @typedef {object} Step
 * @property {string} title
 * @property {string[]} asked
 * @property {string[]} answered
 * @property {Parameters<typeof drawFile>[3]} sent
 */

/** @type {Step[]} */
const steps = [
  {
    title: "It breaks off at byte 900",
    asked: ["GET /film"],
    answered: ["200", 'ETag: "a"', "Content-Length: 1000"],
    sent: { from: 0, until: 0.9, color: "blue" },
  },
  {
    title: "Continued: still the same file",
    asked: ["Range: bytes=900-", 'If-Range: "a"'],
    answered: ["206", 'ETag: "a"', "Content-Range: bytes 900-999/1000"],
    sent: { before: 0.9, from: 0.9, until: 1, color: "green" },
  },
  {
    title: "Continued: another file now",
    asked: ["Range: bytes=900-", 'If-Range: "a"'],
    answered: ["200", 'ETag: "b"', "Content-Length: 1000"],
    sent: { from: 0, until: 1, color: "accent" },
  },
];

/**
 * @param {Canvas} canvas
 * @param {number} y
 * @param {number} width
 * @param {Step} step
 * @param {number} answersAt where the answer stands: beside the request, or
 *   below it
 * @returns {number} where it ends
 */
function drawStep(canvas, y, width, { title, asked, answered, sent }, answersAt) {
  const mono = { mono: true, size: 15 };
  const isBelow = answersAt === 1;
  canvas.text(1, y + 18, title, { weight: 600 });
  for (const [i, line] of asked.entries()) canvas.text(1, y + 46 + i * 22, line, mono);
  const top = isBelow ? y + 54 + asked.length * 22 : y + 46;
  const style = { ...mono, color: sent.color };
  for (const [i, line] of answered.entries()) canvas.text(answersAt, top + i * 22, line, style);
  const bar = top + answered.length * 22;
  drawFile(canvas, bar, width, sent);
  return bar + 34;
}

/**
 * @param {Canvas} canvas
 * @param {number} width
 * @param {number} answersAt
 */
function drawAll(canvas, width, answersAt) {
  let y = 0;
  for (const step of steps) y = drawStep(canvas, y, width, step, answersAt) + 30;
  canvas.height = y - 20;
}

export default {
  title: "A download that is broken off and continued",
  description:
    'A client asks for a file and gets a 200 with the tag "a" and the first 900 of 1,000 bytes. ' +
    "Then the connection breaks. It asks again, with Range: bytes=900- and If-Range: a. If the " +
    'file still has the tag "a", the answer is a 206 with the last 100 bytes. If another file, ' +
    'with the tag "b", is there now, the answer is a 200 with all of it.',

  /** @param {Canvas} canvas */
  wide(canvas) {
    drawAll(canvas, 686, 300);
  },

  /** @param {Canvas} canvas */
  narrow(canvas) {
    drawAll(canvas, 318, 1);
  },
};
