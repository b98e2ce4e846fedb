/** @import { Canvas, Colour } from "./lib.js" */

/**
 * @typedef {object} Step
 * @property {string} event what begins it
 * @property {string} host what the host does then
 * @property {string} proxy what HAProxy does
 * @property {Colour} color
 */

/** @type {Step[]} */
const steps = [
  { event: "", host: "/readyz: 200", proxy: "sends requests", color: "green" },
  { event: "SIGTERM", host: "/readyz: 503", proxy: "sends requests", color: "accent" },
  { event: "two bad answers", host: "/readyz: 503", proxy: "host is DOWN", color: "accent" },
  { event: "1.5 s are over", host: "finishes, ends", proxy: "host is DOWN", color: "soft" },
  { event: "new process", host: "/readyz: 200", proxy: "host is DOWN", color: "green" },
  { event: "two good answers", host: "/readyz: 200", proxy: "sends requests", color: "green" },
];

const step = 66;
const top = 34;

/**
 * @param {Canvas} canvas
 * @param {{ width: number, text: number }} measures
 */
function draw(canvas, { width, text }) {
  const column = (width - 12) / 2;
  const lanes = [1, 1 + column + 12];
  const style = { anchor: /** @type {const} */ ("middle"), size: text };
  for (const [lane, name] of ["the host", "HAProxy"].entries()) {
    canvas.text(lanes[lane] + column / 2, 18, name, { ...style, weight: 600 });
  }
  for (const [row, { event, host, proxy, color }] of steps.entries()) {
    const y = top + row * step;
    if (event !== "") canvas.text(width / 2, y + 14, event, { ...style, color: "soft" });
    const fill = color === "soft" ? "fill" : /** @type {Colour} */ (`${color}-fill`);
    const stroke = color === "soft" ? "line" : color;
    canvas.labelledBox(lanes[0], y + 22, column, 34, host, { fill, stroke, text: { size: text } });
    const isSent = proxy.startsWith("sends");
    canvas.labelledBox(lanes[1], y + 22, column, 34, proxy, {
      fill: isSent ? "blue-fill" : "fill",
      stroke: isSent ? "blue" : "line",
      dashed: !isSent,
      text: { size: text },
    });
  }
  canvas.height = top + steps.length * step + 4;
}

export default {
  title: "A host during a deploy",
  description:
    "From top to bottom: the host answers /readyz with 200 and HAProxy sends it requests. On " +
    "SIGTERM it answers /readyz with 503 and serves on. After two bad answers HAProxy sends it " +
    "nothing more. When one and a half seconds are over it finishes what it has, and ends. A " +
    "new process answers with 200, and after two good answers HAProxy sends requests again.",

  /** @param {Canvas} canvas */
  wide(canvas) {
    draw(canvas, { width: 686, text: 19 });
  },

  /** @param {Canvas} canvas */
  narrow(canvas) {
    draw(canvas, { width: 318, text: 18 });
  },
};
