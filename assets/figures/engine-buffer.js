/** @import { Canvas } from "./lib.js" */

/** @typedef {{ bytes: string, says: string[], color: "blue" | "green" | "accent" | "ink" }} Part */

/** @type {Part[]} */
const parts = [
  { bytes: "GET", says: ["compared, three numbers:", "no string is made"], color: "accent" },
  {
    bytes: "/users/7",
    says: ["checked, byte by byte;", "a string at the head's end"],
    color: "blue",
  },
  { bytes: "HTTP/1.1", says: ["compared: 1.1 or 1.0"], color: "accent" },
  { bytes: "Host: a", says: ["checked, and noted:", "known by its length, 4"], color: "green" },
  { bytes: "Cookie: b", says: ["checked, and left alone", "until somebody asks"], color: "blue" },
  { bytes: "CR LF", says: ["the end: all of it", "becomes one string"], color: "accent" },
  {
    bytes: "GET /us",
    says: ["the next request's: held", "if the answer isn't there"],
    color: "ink",
  },
];

const rowHeight = 58;
const boxHeight = 40;

/**
 * @param {Canvas} canvas
 * @param {number} boxWidth
 * @param {number} gap
 */
function draw(canvas, boxWidth, gap) {
  let y = 1;
  for (const { bytes, says, color } of parts) {
    canvas.labelledBox(1, y, boxWidth, boxHeight, bytes, {
      fill: color === "ink" ? "fill" : `${color}-fill`,
      stroke: color === "ink" ? "line" : color,
      radius: 2,
      text: { mono: true, size: 18, color },
    });
    for (const [i, line] of says.entries()) {
      const at = y + (says.length === 1 ? 26 : 16 + i * 22);
      canvas.text(boxWidth + gap, at, line, { size: 18, color });
    }
    y += rowHeight;
  }
  canvas.height = y;
}

export default {
  title: "A request in the engine's buffer, and what becomes of its bytes",
  description:
    "From top to bottom. GET: compared as three numbers, no string is made. /users/7: checked byte by byte, a string at the head's end. HTTP/1.1: compared. Host: a: checked and noted, known by its length. Cookie: b: checked, and left alone until somebody asks. CR LF: the end, all of it becomes one string. GET /us: the beginning of the next request, held if the answer isn't there.",
  /** @param {Canvas} canvas */
  wide(canvas) {
    draw(canvas, 180, 30);
  },
  /** @param {Canvas} canvas */
  narrow(canvas) {
    draw(canvas, 112, 14);
  },
};
