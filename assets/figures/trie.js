import { drawTree, layOut, legend } from "./trees/draw.js";
import { Trie } from "./trees/trie.js";

/** @import { Canvas } from "./lib.js" */

const words = Trie.of(["to", "tea", "ten"]).shape({ hasWords: true });

/**
 * @param {Canvas} canvas
 * @param {number} gap
 */
function draw(canvas, gap) {
  const measures = { size: 18, height: 38, step: 76, gap };
  const atLeft = layOut(words, 0, 4, measures);
  const left = (canvas.width - atLeft.right) / 2;
  const place = layOut(words, left, 4, measures);
  drawTree(canvas, place, measures);
  legend(canvas, Math.max((canvas.width - 172) / 2, 0), place.bottom + 62, "a word ends here");
  canvas.height = place.bottom + 78;
}

export default {
  title: "A trie with the words to, tea and ten",
  description:
    "One node for each letter. Below the root stands t, and below t two nodes: e, and o, where " +
    "the word to ends. Below e stand a, where tea ends, and n, where ten ends.",

  /** @param {Canvas} canvas */
  wide(canvas) {
    draw(canvas, 70);
  },

  /** @param {Canvas} canvas */
  narrow(canvas) {
    draw(canvas, 52);
  },
};
