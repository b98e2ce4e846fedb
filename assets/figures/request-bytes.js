import { monoWidth } from "./lib.js";

/** @import { Canvas, Colour } from "./lib.js" */

/**
 * A stretch of bytes. Those that print nothing are shown by their names, in a
 * quieter box.
 *
 * @typedef {{ text: string, color?: Colour, fill?: Colour, isControl?: boolean }} Part
 */

/** @type {Part} */
const space = { text: "SP", isControl: true };
/** @type {Part[]} */
const lineEnd = [
  { text: "CR", isControl: true },
  { text: "LF", isControl: true },
];

/** @param {string} text */
const blue = (text) => /** @type {Part} */ ({ text, color: "blue", fill: "blue-fill" });
/** @param {string} text */
const green = (text) => /** @type {Part} */ ({ text, color: "green", fill: "green-fill" });
/** @param {string} text */
const accent = (text) => /** @type {Part} */ ({ text, color: "accent", fill: "accent-fill" });
const colon = /** @type {Part} */ ({ text: ":" });

const requestLine = [accent("POST"), space, blue("/greet"), space, green("HTTP/1.1"), ...lineEnd];
const host = [accent("Host"), colon, space, blue("localhost:3000"), ...lineEnd];
const length = [accent("Content-Length"), colon, space, blue("5"), ...lineEnd];
// UTF-8 takes two bytes for the ë.
const body = [
  { ...blue("Z"), bytes: ["5a"] },
  { ...blue("o"), bytes: ["6f"] },
  { ...blue("ë"), bytes: ["c3", "ab"] },
  { ...blue("!"), bytes: ["21"] },
];

const byteWidth = 36;

/**
 * Draws a row of parts.
 *
 * @param {Canvas} canvas
 * @param {number} y
 * @param {Part[]} parts
 * @param {{ size: number, height: number, pad: number }} style
 * @returns {number[]} where each part begins
 */
function drawRow(canvas, y, parts, { size, height, pad }) {
  let x = 1;
  return parts.map(({ text, color = "ink", fill = "paper", isControl }) => {
    const start = x;
    const width = monoWidth(text, size) + 2 * (isControl ? pad * 0.6 : pad);
    canvas.labelledBox(x, y, width, height, text, {
      fill: isControl ? "fill" : fill,
      stroke: isControl || color === "ink" ? "line" : color,
      radius: 2,
      text: { mono: true, size, color: isControl ? "soft" : color },
    });
    x += width;
    return start;
  });
}

/**
 * Draws the body, with the number of each byte under it.
 *
 * @param {Canvas} canvas
 * @param {number} y
 * @param {{ size: number, height: number }} style
 */
function drawBody(canvas, y, { size, height }) {
  let x = 1;
  for (const { text, bytes } of body) {
    const width = byteWidth * bytes.length;
    canvas.labelledBox(x, y, width, height, text, {
      fill: "blue-fill",
      stroke: "blue",
      radius: 2,
      text: { mono: true, size, color: "blue" },
    });
    for (const [index, byte] of bytes.entries()) {
      canvas.text(x + byteWidth * (index + 0.5), y + height + size * 1.2, byte, {
        anchor: "middle",
        mono: true,
        size,
        color: "soft",
      });
    }
    x += width;
  }
}

export default {
  title: "The bytes of a request, labelled",
  description:
    "First the request line: the method POST, a space, the request target /greet, a space, the " +
    "HTTP version HTTP/1.1, CR LF. Then two field lines, Host: localhost:3000 and " +
    "Content-Length: 5, each a field name, a colon, a space and a field value, each ended by " +
    "CR LF. Then an empty line, which is CR LF alone. All of this is the head. Then the body, " +
    "Zoë!, which is five bytes long: 5a, 6f, c3 and ab for the ë, 21.",

  /** @param {Canvas} canvas */
  wide(canvas) {
    const style = { size: 18, height: 34, pad: 9 };
    const soft = /** @type {const} */ ({ color: "soft" });
    const labels = 424;
    const head = 552;

    const line = drawRow(canvas, 32, requestLine, style);
    canvas.text(line[0], 90, "method", { color: "accent" });
    canvas.text(line[2], 20, "request target", { color: "blue" });
    canvas.text(line[4], 90, "HTTP version", { color: "green" });
    canvas.text(labels, 55, "request line");

    const field = drawRow(canvas, 142, host, style);
    canvas.text(field[0], 130, "field name", { color: "accent" });
    canvas.text(field[3], 130, "field value", { color: "blue" });
    drawRow(canvas, 180, length, style);
    canvas.line([
      [labels - 16, 142],
      [labels - 10, 142],
      [labels - 10, 214],
      [labels - 16, 214],
    ]);
    canvas.text(labels, 184, "field lines");

    drawRow(canvas, 238, lineEnd, style);
    canvas.text(labels, 261, "empty line");

    canvas.line([
      [head - 8, 32],
      [head, 32],
      [head, 272],
      [head - 8, 272],
    ]);
    canvas.text(head + 14, 158, "head");

    drawBody(canvas, 298, style);
    canvas.line([
      [head - 8, 298],
      [head, 298],
      [head, 332],
      [head - 8, 332],
    ]);
    canvas.text(head + 14, 321, "body");
    canvas.text(labels, 321, "five bytes", soft);
    canvas.height = 362;
  },

  /** @param {Canvas} canvas */
  narrow(canvas) {
    const style = { size: 15, height: 34, pad: 5 };
    const strong = { weight: 600 };

    canvas.text(1, 18, "request line", strong);
    const line = drawRow(canvas, 58, requestLine, style);
    canvas.text(line[0], 116, "method", { color: "accent" });
    canvas.text(line[2], 48, "request target", { color: "blue" });
    canvas.text(line[4], 116, "HTTP version", { color: "green" });

    canvas.text(1, 160, "field lines", strong);
    const field = drawRow(canvas, 200, host, style);
    canvas.text(field[0], 190, "field name", { color: "accent" });
    canvas.text(field[3] + 30, 190, "field value", { color: "blue" });
    drawRow(canvas, 238, length, style);

    canvas.text(1, 308, "empty line", strong);
    canvas.text(100, 308, "the head ends", { color: "soft" });
    drawRow(canvas, 318, lineEnd, style);

    canvas.text(1, 388, "body", strong);
    canvas.text(56, 388, "five bytes", { color: "soft" });
    drawBody(canvas, 398, style);
    canvas.height = 460;
  },
};
