/** @import { Canvas } from "./lib.js" */

/**
 * The way of lines from a program into a file: some wait, one chunk is under
 * way, and what has no room is counted.
 *
 * @param {Canvas} canvas
 * @param {number} y
 * @param {number} width of the buffer
 */
function drawBuffer(canvas, y, width) {
  canvas.box(1, y, width, 118, { stroke: "blue", fill: "paper" });
  const row = (
    /** @type {number} */ top,
    /** @type {number} */ count,
    /** @type {"blue" | "green"} */ color,
  ) => {
    const step = (width - 20) / 8;
    for (let i = 0; i < count; i += 1) {
      canvas.box(11 + i * step, top, step - 6, 16, {
        stroke: color,
        fill: color === "blue" ? "blue-fill" : "green-fill",
        radius: 2,
      });
    }
  };
  canvas.text(11, y + 26, "these wait");
  row(y + 36, 6, "blue");
  canvas.text(11, y + 82, "the chunk under way");
  row(y + 92, 4, "green");
}

/** @param {Canvas} canvas */
function drawNarrow(canvas) {
  canvas.text(1, 18, "logger.info(…)", { mono: true, size: 16 });
  canvas.arrow([60, 28, 60, 62]);
  canvas.text(76, 52, "a line");
  drawBuffer(canvas, 66, 318);
  canvas.text(1, 206, "bufferBytes: no more than this", { color: "blue" });
  canvas.arrow([60, 216, 60, 256], { color: "green" });
  canvas.paragraph(76, 234, ["one write at a time,", "in another thread"], {
    color: "green",
  });
  canvas.labelledBox(1, 262, 118, 40, "file", { stroke: "green" });
  canvas.arrow([230, 28, 230, 62], { color: "accent", dashed: true });
  canvas.text(160, 18, "no room: counted", { color: "accent" });
  canvas.height = 304;
}

/** @param {Canvas} canvas */
function drawWide(canvas) {
  canvas.text(1, 20, "logger.info(…)", { mono: true });
  canvas.arrow([70, 30, 70, 70]);
  canvas.text(86, 56, "a line");
  canvas.text(250, 20, "no room: dropped and counted", { color: "accent" });
  canvas.arrow([300, 30, 300, 70], { color: "accent", dashed: true });
  drawBuffer(canvas, 74, 380);
  canvas.text(1, 220, "never more than bufferBytes", { color: "blue" });
  canvas.arrow([382, 174, 560, 174], { color: "green" });
  canvas.paragraph(396, 128, ["one write at a", "time, elsewhere"], { color: "green" });
  canvas.labelledBox(564, 146, 122, 56, "file", { stroke: "green" });
  canvas.height = 230;
}

export default {
  title: "Where lines wait",
  description:
    "A logger's line goes into a buffer. In the buffer some lines wait, and others are the chunk " +
    "that is being written to the file. Both together never have more bytes than bufferBytes. " +
    "One write is under way at a time. A line that has no room is dropped and counted.",
  wide: drawWide,
  narrow: drawNarrow,
};
