/** @import { Canvas } from "./lib.js" */

const boxHeight = 40;
const rowHeight = 88;

/** @type {{ name: string, until: string }[]} each leads to the next */
const lane = [
  { name: "idle", until: "a line comes" },
  { name: "gathering", until: "16 KiB, 50 ms or flush" },
  { name: "writing", until: "" },
];

/**
 * @param {Canvas} canvas
 * @param {{ left: number, width: number, aside: number }} place where the
 *   states stand, and the one after a failure
 */
function draw(canvas, { left, width, aside }) {
  const middle = left + width / 2;
  const right = left + width;
  const top = (/** @type {number} */ row) => 2 + row * rowHeight;
  const half = (/** @type {number} */ row) => top(row) + boxHeight / 2;
  for (const [row, { name, until }] of lane.entries()) {
    const color = row < 2 ? "blue" : "green";
    const fill = /** @type {const} */ (`${color}-fill`);
    // Writing is tall: a failure leads away from it, and a pause back.
    const height = until === "" ? rowHeight + boxHeight : boxHeight;
    canvas.labelledBox(left, top(row), width, height, name, { fill, stroke: color, radius: 20 });
    if (until === "") continue;
    canvas.arrow([middle, top(row) + boxHeight + 1, middle, top(row + 1) - 2], { width: 1.5 });
    canvas.text(middle + 10, top(row) + boxHeight + 30, until, { size: 18 });
  }
  // When all is written: to more lines, or to none.
  const edge = 8;
  for (const row of [0, 1]) {
    canvas.arrow([left - 1, half(3), edge, half(3), edge, half(row), left - 2, half(row)], {
      color: "green",
      width: 1.5,
    });
  }
  // After a failure, and back.
  const y = (half(2) + half(3)) / 2 - boxHeight / 2;
  const accent = /** @type {const} */ ({ color: "accent", width: 1.5 });
  canvas.labelledBox(aside, y, width, boxHeight, "pausing", {
    fill: "accent-fill",
    stroke: "accent",
    radius: 20,
  });
  const under = aside + width / 2;
  canvas.arrow([right + 1, half(3), under, half(3), under, y + boxHeight + 2], accent);
  canvas.arrow([under, y - 1, under, half(2), right + 2, half(2)], accent);
  canvas.text(right + 12, half(3) + 22, "a failure", { color: "accent", size: 18 });
  canvas.text(right + 12, half(2) - 9, "5–250 ms or flush", { color: "accent", size: 18 });
  canvas.labelledBox(left, top(4), width, boxHeight, "over", { stroke: "line", radius: 20 });
  canvas.paragraph(right + 12, top(4) + 16, ["from any state, by", "flushSync or close"], {
    size: 18,
  });
  canvas.height = top(4) + boxHeight + 8;
}

export default {
  title: "The states of a destination",
  description:
    "idle, until a line comes. gathering, until there are 16 KiB, 50 milliseconds are over, or " +
    "flush is called. writing: when all is written, back to gathering if more lines wait, and " +
    "else to idle; after a failure, to pausing. pausing, for 5 to 250 milliseconds or until " +
    "flush is called, then to writing. From any state flushSync and close lead to over.",

  /** @param {Canvas} canvas */
  wide(canvas) {
    draw(canvas, { left: 60, width: 130, aside: 290 });
  },

  /** @param {Canvas} canvas */
  narrow(canvas) {
    draw(canvas, { left: 28, width: 104, aside: 196 });
  },
};
