/** @import { Canvas } from "./lib.js" */

/**
 * Who holds bytes of an upload, from the client to the disk, and how full
 * it is in each of two states.
 *
 * @typedef {{ name: string, fast: number, slow: number }} Place
 * @type {Place[]}
 */
const places = [
  { name: "client", fast: 0.5, slow: 0.9 },
  { name: "kernel", fast: 0.15, slow: 1 },
  { name: "request", fast: 0.1, slow: 1 },
  { name: "file", fast: 0.1, slow: 1 },
];

/** What passes between two places, or doesn't. */
const passes = {
  fast: ["sends", "reads", "asks"],
  slow: ["waits", "reads no more", "asks no more"],
};

const shortPasses = { fast: passes.fast, slow: ["waits", "stops", "stops"] };

const titles = { fast: "the disk keeps up", slow: "the disk is slow" };

const shortTitles = { fast: "a fast disk", slow: "a slow disk" };

/** @typedef {keyof typeof titles} State */

const states = /** @type {State[]} */ (Object.keys(titles));

/**
 * A box that is full up to a share of its height.
 *
 * @param {Canvas} canvas
 * @param {{ x: number, y: number, width: number, height: number }} box
 * @param {number} share
 */
function drawTank(canvas, { x, y, width, height }, share) {
  const level = Math.round((height - 4) * share);
  canvas.box(x, y, width, height, { fill: "paper" });
  canvas.box(x + 2, y + height - 2 - level, width - 4, level, {
    fill: share === 1 ? "accent-fill" : "blue-fill",
    stroke: "none",
    radius: 2,
  });
}

/**
 * @param {Canvas} canvas
 * @param {State} state
 * @param {number} top
 */
function drawRow(canvas, state, top) {
  const size = canvas.textSize;
  const width = 104;
  const gap = (canvas.width - 2 - places.length * width) / (places.length - 1);
  const isSlow = state === "slow";
  canvas.text(1, top + size, titles[state], { weight: 600 });
  const y = top + size * 2.6;
  for (const [index, place] of places.entries()) {
    const x = 1 + index * (width + gap);
    drawTank(canvas, { x, y, width, height: 74 }, place[state]);
    canvas.text(x + width / 2, y + 74 + size * 1.2, place.name, { anchor: "middle" });
    if (index === places.length - 1) continue;
    const middle = y + 37;
    const color = isSlow ? "accent" : "ink";
    canvas.arrow([x + width + 8, middle, x + width + gap - 8, middle], { color, dashed: isSlow });
  }
  for (const [index, pass] of passes[state].entries()) {
    const x = 1 + (index + 1) * width + (index + 0.5) * gap;
    const words = pass.split(" ");
    const lines = words.length > 1 ? [words[0], words.slice(1).join(" ")] : [pass];
    canvas.paragraph(x, y + 62, lines, {
      anchor: "middle",
      color: isSlow ? "accent" : "soft",
    });
  }
  return y + 74 + size * 1.6;
}

/**
 * @param {Canvas} canvas
 * @param {State} state
 * @param {number} left
 * @param {number} top
 */
function drawColumn(canvas, state, left, top) {
  const size = canvas.textSize;
  const width = 118;
  const isSlow = state === "slow";
  canvas.text(left + width / 2, top + size, shortTitles[state], { weight: 600, anchor: "middle" });
  let y = top + size * 1.8;
  for (const [index, place] of places.entries()) {
    drawTank(canvas, { x: left, y, width, height: 44 }, place[state]);
    canvas.text(left + width / 2, y + 22 + size * 0.34, place.name, { anchor: "middle" });
    y += 44;
    if (index === places.length - 1) continue;
    const x = left + 12;
    const color = isSlow ? "accent" : "ink";
    canvas.arrow([x, y + 6, x, y + 46], { color, dashed: isSlow });
    canvas.text(x + 12, y + 26 + size * 0.34, shortPasses[state][index], {
      color: isSlow ? "accent" : "soft",
    });
    y += 52;
  }
  return y + 4;
}

export default {
  title: "A body under backpressure",
  description:
    "An upload on its way from the client through the kernel and the request’s stream to the " +
    "file, twice. While the disk keeps up, the client sends, Node reads, the pipeline asks, and " +
    "the three buffers are nearly empty. When the disk is slow, what waits for it has filled " +
    "the file’s buffer. The pipeline asks no more, so the stream’s buffer is full. Node reads no " +
    "more, so the kernel’s buffer is full. And the client waits, with the rest of the file.",

  /** @param {Canvas} canvas */
  wide(canvas) {
    let y = 0;
    for (const state of states) y = drawRow(canvas, state, y) + 22;
    canvas.height = Math.round(y - 14);
  },

  /** @param {Canvas} canvas */
  narrow(canvas) {
    const ends = states.map((state, index) => drawColumn(canvas, state, 12 + index * 164, 0));
    canvas.height = Math.round(Math.max(...ends));
  },
};
