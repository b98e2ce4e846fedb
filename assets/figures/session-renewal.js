/** @import { Canvas, Colour } from "./lib.js" */

/**
 * @typedef {object} Step
 * @property {number} from a lane
 * @property {number} to another
 * @property {string} text
 * @property {Colour} color
 */

const lanes = ["attacker", "server", "Bob"];

/** @type {Step[]} */
const steps = [
  { from: 0, to: 1, text: "a cart", color: "soft" },
  { from: 1, to: 0, text: "id A", color: "accent" },
  { from: 0, to: 2, text: "A, by a trick", color: "accent" },
  { from: 2, to: 1, text: "login, with A", color: "accent" },
  { from: 1, to: 2, text: "id B", color: "green" },
  { from: 0, to: 1, text: "who am I? A", color: "accent" },
  { from: 1, to: 0, text: "nobody", color: "soft" },
  { from: 2, to: 1, text: "who am I? B", color: "green" },
  { from: 1, to: 2, text: "Bob", color: "green" },
];

const step = 46;
const top = 44;

/**
 * @param {Canvas} canvas
 * @param {number[]} at where the lanes are
 * @param {number} text
 */
function draw(canvas, at, text) {
  const end = top + steps.length * step + 8;
  const anchor = /** @type {const} */ ("middle");
  for (const [lane, name] of lanes.entries()) {
    canvas.text(at[lane], 18, name, { anchor, weight: 600, size: text });
    canvas.line(
      [
        [at[lane], 28],
        [at[lane], end],
      ],
      { color: "line", dashed: true },
    );
  }
  for (const [row, { from, to, text: label, color }] of steps.entries()) {
    const y = top + row * step + 26;
    const tip = at[to] + (at[to] > at[from] ? -3 : 3);
    canvas.arrow([at[from], y, tip, y], { color });
    // Beside the lane in the middle, where it crosses it.
    const middle = Math.abs(to - from) === 2 ? (at[0] + at[1]) / 2 : (at[from] + at[to]) / 2;
    canvas.text(middle, y - 8, label, { anchor, color, size: text });
  }
  canvas.height = end + 4;
}

export default {
  title: "A login ends the old id",
  description:
    "An attacker gets a session with the id A from the server, and brings Bob's browser to use " +
    "it by a trick. Bob logs in with A. The server ends A and gives Bob the id B. The attacker " +
    "asks with A who it is, and is nobody. Bob asks with B, and is Bob.",

  /** @param {Canvas} canvas */
  wide(canvas) {
    draw(canvas, [80, 344, 608], 19);
  },

  /** @param {Canvas} canvas */
  narrow(canvas) {
    draw(canvas, [46, 166, 292], 18);
  },
};
