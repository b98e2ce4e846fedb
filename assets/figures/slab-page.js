import { FREE, NEXT, Slabs, STATE } from "../../code/ch28-cache/lib/slabs.js";

/** @import { Canvas } from "./lib.js" */

/** The page of the text, after a chunk was given back. */
const slabs = new Slabs(2 ** 20);
const given = slabs.take(0);
slabs.take(0);
slabs.give(given);
const all = slabs.chunks(0);
const shown = [...all.slice(0, 4), all[all.length - 1]].map((word) => ({
  word,
  isFree: slabs.words[word + STATE] === FREE,
  next: slabs.words[word + NEXT],
}));

/** @typedef {typeof shown[number]} Chunk */

/** @param {Chunk} chunk */
function nameOf({ word, next }) {
  return next === 0 ? "the last" : `word ${word}`;
}

/** @param {Chunk} chunk */
function saysOf({ isFree, next }) {
  return isFree ? ["free", `NEXT ${next}`] : ["reserved"];
}

/**
 * @param {Canvas} canvas
 * @param {{ x: number, y: number, width: number, height: number }} place
 * @param {Chunk} chunk
 * @param {string | string[]} says
 */
function drawChunk(canvas, { x, y, width, height }, chunk, says) {
  canvas.labelledBox(x, y, width, height, says, {
    fill: chunk.isFree ? "green-fill" : "accent-fill",
    stroke: chunk.isFree ? "green" : "accent",
    radius: 2,
    text: { color: chunk.isFree ? "green" : "accent", size: 18 },
  });
}

export default {
  title: "A page, cut into chunks of 48 bytes, with its free list",
  description:
    "A page of 1 MiB. It begins with a margin of 32 bytes. The chunk at word 8 is free and its NEXT is 32. The chunk at word 20 is reserved. The chunk at word 32 is free and its NEXT is 44, and so on. The last chunk's NEXT is 0. The list of the class begins at word 8.",

  /** @param {Canvas} canvas */
  wide(canvas) {
    const width = 108;
    const top = 34;
    const bottom = top + 62;
    const places = [73, 181, 289, 397, 579];
    canvas.labelledBox(1, top, 72, 62, "margin", {
      radius: 2,
      text: { color: "soft", size: 18 },
    });
    for (const [i, chunk] of shown.entries()) {
      const x = places[i];
      canvas.text(x + 2, 22, nameOf(chunk), { color: "soft", size: 18 });
      drawChunk(canvas, { x, y: top, width, height: 62 }, chunk, saysOf(chunk));
    }
    canvas.text(542, top + 36, "…", { anchor: "middle" });
    const middles = [127, 343, 451, 542, 633];
    for (const [i, from] of middles.slice(0, -1).entries()) {
      const to = middles[i + 1];
      canvas.line(
        [
          [from + 8, bottom],
          [(from + to) / 2, bottom + 52],
          [to - 8, bottom + 2],
        ],
        { color: "green", arrow: true, curved: true },
      );
    }
    canvas.arrow([60, bottom + 52, 96, bottom + 3], { color: "ink" });
    canvas.text(1, bottom + 72, "the list begins here", { size: 18 });
    canvas.height = bottom + 84;
  },

  /** @param {Canvas} canvas */
  narrow(canvas) {
    const step = 52;
    const right = 262;
    canvas.text(1, 24, "word 0", { color: "soft" });
    canvas.labelledBox(104, 1, 158, 36, "margin", { radius: 2, text: { color: "soft" } });
    /** @type {number[]} */
    const middles = [];
    for (const [i, chunk] of shown.entries()) {
      const y = 1 + step * (i + (i === 4 ? 2 : 1));
      canvas.text(1, y + 24, nameOf(chunk), { color: "soft" });
      drawChunk(canvas, { x: 104, y, width: 158, height: 36 }, chunk, saysOf(chunk).join(", "));
      if (chunk.isFree) middles.push(y + 18);
    }
    canvas.text(183, 1 + step * 5 + 20, "…", { anchor: "middle" });
    middles.splice(3, 0, 1 + step * 5 + 14);
    for (const [i, from] of middles.slice(0, -1).entries()) {
      const to = middles[i + 1];
      canvas.line(
        [
          [right, from + 5],
          [right + 48, (from + to) / 2],
          [right + 2, to - 5],
        ],
        { color: "green", arrow: true, curved: true },
      );
    }
    canvas.text(1, 1 + step * 7 + 14, "The list begins at word 8.");
    canvas.height = step * 7 + 26;
  },
};
