/** @import { Canvas } from "./lib.js" */

/**
 * From a handler to its client: two buffers, and what each says to whoever
 * fills it.
 *
 * @typedef {{ name: string, level: number | null }} Place `null`: no buffer
 * @type {Place[]}
 */
const places = [
  { name: "handler", level: null },
  { name: "coder", level: 1 },
  { name: "socket", level: 1 },
  { name: "client", level: null },
];

/** What goes on, what comes back, and who waits for that, between two places. */
const ways = [
  { on: "our write", back: "drain", waits: ["the handler", "waits"] },
  { on: "write", back: "drain", waits: ["the coder", "pauses"] },
  { on: "bytes", back: "", waits: ["the client", "is slow"] },
];

/**
 * @param {Canvas} canvas
 * @param {{ x: number, y: number, width: number, height: number }} box
 * @param {Place} place
 */
function drawPlace(canvas, { x, y, width, height }, { name, level }) {
  const isBuffer = level !== null;
  canvas.labelledBox(x, y, width, height, name, {
    fill: isBuffer ? "accent-fill" : "paper",
    stroke: isBuffer ? "accent" : "line",
  });
}

export default {
  title: "Two buffers between a handler and its client",
  description:
    "A handler calls our write, which fills the coder’s buffer. The coder calls the response’s " +
    "write, which fills the socket’s buffer. The client takes bytes from there, slowly. When the " +
    "socket’s buffer is full, the coder pauses until the socket’s drain. Then the coder’s buffer " +
    "fills as well, and the handler waits for the coder’s drain.",

  /** @param {Canvas} canvas */
  wide(canvas) {
    const size = canvas.textSize;
    const width = 92;
    const gap = (canvas.width - 2 - places.length * width) / (places.length - 1);
    const y = 8;
    const height = 84;
    for (const [index, place] of places.entries()) {
      const x = 1 + index * (width + gap);
      drawPlace(canvas, { x, y, width, height }, place);
      if (index === ways.length) continue;
      const { on, back, waits } = ways[index];
      const [from, to, middle] = [x + width + 8, x + width + gap - 8, x + width + gap / 2];
      const word = { anchor: /** @type {const} */ ("middle"), mono: true, size: 18 };
      canvas.text(middle, y + 20, on, { ...word, mono: on !== "bytes" });
      canvas.arrow([from, y + 30, to, y + 30]);
      if (back !== "") {
        canvas.arrow([to, y + 54, from, y + 54], { color: "accent", dashed: true });
        canvas.text(middle, y + 76, back, { ...word, color: "accent" });
      }
      canvas.paragraph(middle, y + height + size * 1.4, waits, {
        anchor: "middle",
        color: "soft",
      });
    }
    canvas.height = Math.round(y + height + size * 3.4);
  },

  /** @param {Canvas} canvas */
  narrow(canvas) {
    const size = canvas.textSize;
    const width = 110;
    const height = 44;
    const step = 116;
    for (const [index, place] of places.entries()) {
      const y = 2 + index * step;
      drawPlace(canvas, { x: 1, y, width, height }, place);
      if (index === ways.length) continue;
      const { on, back, waits } = ways[index];
      const [from, to] = [y + height + 6, y + step - 6];
      const middle = (from + to) / 2 + size * 0.3;
      canvas.arrow([24, from, 24, to]);
      if (back !== "") canvas.arrow([84, to, 84, from], { color: "accent", dashed: true });
      canvas.text(104, middle - size * 0.7, on, { mono: on !== "bytes", size: 18 });
      if (back !== "") {
        const style = { mono: true, size: 18, color: /** @type {const} */ ("accent") };
        canvas.text(104, middle + size * 0.7, back, style);
      }
      canvas.paragraph(210, middle - size * 0.7, waits, { color: "soft" });
    }
    canvas.height = 2 + (places.length - 1) * step + height + 2;
  },
};
