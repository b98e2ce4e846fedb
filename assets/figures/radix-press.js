import { drawTree, layOut } from "./trees/draw.js";
import { grow } from "./trees/radix.js";
import { Trie } from "./trees/trie.js";

/** @import { Canvas, Point } from "./lib.js" */
/** @import { Place } from "./trees/draw.js" */

const paths = ["/users/me", "/users/max"];

const letters = Trie.of(paths).shape();
const pressed = grow(paths);

/**
 * @param {Canvas} canvas
 * @param {{ left: number, right: number }} middles of the two trees
 */
function draw(canvas, { left, right }) {
  canvas.text(left, 19, "a trie", { anchor: "middle", weight: 600 });
  canvas.text(right, 19, "a radix tree", { anchor: "middle", weight: 600 });
  const narrow = { height: 30, step: 43, gap: 26 };
  const trie = layOut(letters, left - layOut(letters, 0, 0, narrow).x, 38, narrow);
  drawTree(canvas, trie);

  const chain = chainBelow(trie);
  const from = chain[0].y;
  const to = chain[chain.length - 1].y + narrow.height;
  const middle = (from + to) / 2;
  const radix = layOut(pressed, right - layOut(pressed, 0, 0).x, middle - 17);
  drawTree(canvas, radix);

  // All of the chain is what one node holds.
  const bracket = left + 26;
  const points = /** @type {Point[]} */ ([
    [bracket, from],
    [bracket + 7, from],
    [bracket + 7, to],
    [bracket, to],
  ]);
  canvas.line(points, { color: "blue" });
  const start = /** @type {Point} */ ([bracket + 7, middle]);
  canvas.line([start, [radix.x - radix.width / 2 - 4, middle]], { color: "blue", arrow: true });
  canvas.height = trie.bottom + 6;
}

/**
 * The nodes from the first letter to the fork.
 *
 * @param {Place} root
 * @returns {Place[]}
 */
function chainBelow({ children }) {
  const [only] = children;
  return children.length === 1 ? [only, ...chainBelow(only)] : [];
}

export default {
  title: "A trie of single letters, and the radix tree for the same paths",
  description:
    "Both hold the paths /users/me and /users/max. On the left the trie: a chain of eight nodes, " +
    "one for each character of /users/m, then a fork: on one side a and below it x, on the other " +
    "e. On the right the radix tree: a node with the text /users/m, and below it two nodes, ax " +
    "and e.",

  /** @param {Canvas} canvas */
  wide(canvas) {
    draw(canvas, { left: 190, right: 480 });
  },

  /** @param {Canvas} canvas */
  narrow(canvas) {
    draw(canvas, { left: 56, right: 226 });
  },
};
