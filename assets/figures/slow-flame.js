import { readFileSync } from "node:fs";
import { layOut } from "../../code/ch27-keeping-node-fast/flame.js";

/** @import { Canvas, Colour } from "./lib.js" */

const RESULT = new URL(
  "../../benchmarks/results/linux-2core-vm/keeping-fast.json",
  import.meta.url,
);
/** @type {Record<string, { fill: Colour, stroke: Colour }>} */
const OWNERS = {
  own: { fill: "accent-fill", stroke: "accent" },
  package: { fill: "blue-fill", stroke: "blue" },
  node: { fill: "fill", stroke: "line" },
  engine: { fill: "green-fill", stroke: "green" },
};
const WORDS = { own: "ours", package: "velocy", node: "Node", engine: "V8" };
const ROW = 30;
const TEXT = 15;
/** Of the legend: no smaller than the page's own text, on a phone too. */
const LEGEND_TEXT = 18;

const { profile } = JSON.parse(readFileSync(RESULT, "utf8"));

/**
 * @param {Canvas} canvas
 * @param {number} least width of a box
 * @param {number} most rows
 */
function draw(canvas, least, most) {
  const width = canvas.width - 2;
  const boxes = layOut(profile.frames, width, least).filter(({ row }) => row < most);
  const rows = 1 + Math.max(...boxes.map(({ row }) => row));
  const top = 34;
  let left = 1;
  for (const [owner, words] of Object.entries(WORDS)) {
    canvas.box(left, 4, 18, 18, { ...OWNERS[owner], radius: 2 });
    canvas.text(left + 23, 19, words, { size: LEGEND_TEXT });
    left += 41 + words.length * LEGEND_TEXT * 0.475;
  }
  for (const { frame, x, row, width: wide } of boxes) {
    const y = top + (rows - 1 - row) * ROW;
    canvas.box(1 + x, y, wide, ROW - 2, { ...OWNERS[frame.owner], radius: 2 });
    const letters = Math.floor((wide - 8) / (TEXT * 0.6));
    const label = labelsOf(frame.name).find(({ length }) => length <= letters);
    if (label !== undefined) canvas.text(x + 6, y + 20, label, { mono: true, size: TEXT });
  }
  canvas.height = top + rows * ROW;
}

/**
 * A name, and what is left of it where it doesn't fit.
 *
 * @param {string} name
 */
function labelsOf(name) {
  if (name === "(garbage collector)") return [name, "garbage"];
  const [functionName, file] = name.split(" ");
  return [name, functionName === "(anonymous)" ? file : functionName];
}

/** @param {string} name the widest frame's with this name's first word */
function shareOf(name) {
  let share = 0;
  const visit = (/** @type {any} */ frame) => {
    if (frame.name.startsWith(name)) share = Math.max(share, frame.total);
    frame.children.forEach(visit);
  };
  visit(profile.frames);
  return Math.round((100 * share) / profile.frames.total);
}

export default {
  title: "The slow server's flame graph",
  description:
    "A flame graph of slow.js under load. From the bottom up on the left: our handler emits an " +
    "event, and above it " +
    `${shareOf("(anonymous) slow-tags.js")} % of all time is in the listener of slow-tags.js. ` +
    `Most of that, ${shareOf("update")} % of all, is the hash's update.`,

  /** @param {Canvas} canvas */
  wide(canvas) {
    draw(canvas, 3, 20);
  },

  /** @param {Canvas} canvas */
  narrow(canvas) {
    draw(canvas, 3, 20);
  },
};
