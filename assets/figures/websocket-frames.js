/** @import { Canvas, Colour } from "./lib.js" */

/** @typedef {{ bytes: string[], says: string[], color: "blue" | "green" | "accent" | "ink" }} Part */

/** @type {Part[]} */
const client = [
  { bytes: ["81"], says: ["the last frame,", "opcode 1: text"], color: "accent" },
  { bytes: ["82"], says: ["masked,", "2 bytes"], color: "green" },
  { bytes: ["37", "fa", "21", "3d"], says: ["the mask"], color: "ink" },
  { bytes: ["5f", "93"], says: ["5f xor 37 = 68 h", "93 xor fa = 69 i"], color: "blue" },
];

/** @type {Part[]} */
const server = [
  { bytes: ["81"], says: ["the last frame,", "opcode 1: text"], color: "accent" },
  { bytes: ["02"], says: ["not masked,", "2 bytes"], color: "green" },
  { bytes: ["68", "69"], says: ["h i"], color: "blue" },
];

const byteWidth = 40;
const height = 36;

/**
 * A row of bytes, and below each part what it says.
 *
 * @param {Canvas} canvas
 * @param {number} y
 * @param {string} title
 * @param {Part[]} parts
 * @param {number} gap between two parts
 * @returns {number} where it ends
 */
function drawFrame(canvas, y, title, parts, gap) {
  canvas.text(1, y + 18, title, { weight: 600 });
  let x = 1;
  for (const { bytes, says, color } of parts) {
    const start = x;
    for (const byte of bytes) {
      const fill = /** @type {Colour} */ (color === "ink" ? "fill" : `${color}-fill`);
      canvas.labelledBox(x, y + 32, byteWidth, height, byte, {
        fill,
        stroke: color === "ink" ? "line" : color,
        radius: 2,
        text: { mono: true, size: 18, color },
      });
      x += byteWidth;
    }
    for (const [i, line] of says.entries()) {
      canvas.text(start, y + 32 + height + 24 + i * 22, line, { size: 18, color });
    }
    x = start + Math.max(gap, bytes.length * byteWidth + 20);
  }
  return y + 32 + height + 24 + 30;
}

/**
 * For a phone: each part on a line of its own, with what it says beside it.
 *
 * @param {Canvas} canvas
 * @param {number} y
 * @param {string} title
 * @param {Part[]} parts
 * @returns {number} where it ends
 */
function drawList(canvas, y, title, parts) {
  canvas.text(1, y + 18, title, { weight: 600 });
  let top = y + 32;
  for (const { bytes, says, color } of parts) {
    for (const [i, byte] of bytes.entries()) {
      const fill = /** @type {Colour} */ (color === "ink" ? "fill" : `${color}-fill`);
      canvas.labelledBox(1 + i * 34, top, 34, 34, byte, {
        fill,
        stroke: color === "ink" ? "line" : color,
        radius: 2,
        text: { mono: true, size: 18, color },
      });
    }
    for (const [i, line] of says.entries()) {
      const at = top + (says.length === 1 ? 23 : 14 + i * 21);
      canvas.text(150, at, line, { size: 18, color });
    }
    top += 46;
  }
  return top;
}

const between = 24;

export default {
  title: "The same text in a client's frame and in a server's",
  description:
    "A client's frame. 81: the last frame of its message, opcode 1, a text. 82: masked, two bytes of payload. 37 fa 21 3d: the mask. 5f 93: the payload under the mask; 5f xor 37 is 68, an h, and 93 xor fa is 69, an i. A server's frame: 81, then 02, not masked and two bytes, then 68 69.",
  /** @param {Canvas} canvas */
  wide(canvas) {
    const end = drawFrame(canvas, 0, "From a client", client, 150);
    canvas.height = drawFrame(canvas, end + between, "From a server", server, 150);
  },
  /** @param {Canvas} canvas */
  narrow(canvas) {
    const end = drawList(canvas, 0, "From a client", client);
    canvas.height = drawList(canvas, end + between, "From a server", server);
  },
};
