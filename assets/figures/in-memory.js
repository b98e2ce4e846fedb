/** @import { Canvas } from "./lib.js" */

/**
 * What a request goes through, over a socket and in memory. The last three
 * are the same.
 */
const ways = [
  { title: "over a socket", between: ["socket", "kernel", "socket"] },
  { title: "in memory", between: ["our end", "a list", "our end"] },
];

const client = "client";
const server = ["node:http", "velocy", "handler"];

/** @param {number} index */
const styleOf = (index) =>
  index > 3
    ? /** @type {const} */ ({ fill: "accent-fill", stroke: "accent" })
    : /** @type {const} */ ({ fill: "blue-fill", stroke: "blue" });

export default {
  title: "Over a socket and in memory",
  description:
    "The way of a request, twice. Over a socket, it goes from the client through a socket, the " +
    "kernel and another socket to node:http, velocy and the handler. In memory, it goes from the " +
    "client through one end of ours, a list of chunks and the other end to the same node:http, " +
    "velocy and handler.",

  /** @param {Canvas} canvas */
  wide(canvas) {
    const size = canvas.textSize;
    const gap = 14;
    const widths = [72, 84, 80, 84, 106, 78, 90];
    let y = 0;
    for (const { title, between } of ways) {
      canvas.text(1, y + size, title, { weight: 600 });
      y += size * 1.6;
      let x = 1;
      for (const [index, name] of [client, ...between, ...server].entries()) {
        canvas.labelledBox(x, y, widths[index], 46, name, styleOf(index));
        if (index > 0) canvas.arrow([x - gap + 1, y + 23, x - 1, y + 23]);
        x += widths[index] + gap;
      }
      y += 46 + 22;
    }
    canvas.height = Math.round(y - 18);
  },

  /** @param {Canvas} canvas */
  narrow(canvas) {
    const size = canvas.textSize;
    for (const [column, { title, between }] of ways.entries()) {
      const x = 6 + column * 162;
      canvas.text(x + 72, size, title, { weight: 600, anchor: "middle" });
      let y = size * 1.8;
      for (const [index, name] of [client, ...between, ...server].entries()) {
        canvas.labelledBox(x, y, 144, 38, name, styleOf(index));
        if (index > 0) canvas.arrow([x + 72, y - 15, x + 72, y - 1]);
        y += 54;
      }
      canvas.height = Math.round(y - 12);
    }
  },
};
