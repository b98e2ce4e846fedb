import { drawTree, layOut, legend } from "./trees/draw.js";
import { grow } from "./trees/radix.js";

/** @import { Canvas } from "./lib.js" */
/** @import { Place, Shape } from "./trees/draw.js" */

const patterns = ["/users/me", "/things", "/users/me/posts"];
const before = grow(patterns);
const after = grow([...patterns, "/users"]);

const known = new Set(labelsOf(before));

/**
 * @param {Shape} shape
 * @returns {string[]}
 */
function labelsOf({ label, children }) {
  return [label, ...children.flatMap(labelsOf)];
}

/**
 * @param {Canvas} canvas
 * @param {Shape} shape
 * @param {{ middle: number, top: number, title: string }} place
 */
function drawPanel(canvas, shape, { middle, top, title }) {
  canvas.text(middle, top + 18, title, { anchor: "middle", weight: 600 });
  const { right } = layOut(shape, 0, 0);
  const place = layOut(shape, middle - right / 2, top + 36);
  // What the split made: two nodes where there was one.
  const isNew = (/** @type {Place} */ each) => !known.has(each.shape.label);
  drawTree(canvas, place, { isNew });
  return place.bottom;
}

const legendWidth = 178;

export default {
  title: "The radix tree before and after the route /users is added",
  description:
    "Before: the root / has two children, things and users/me, and users/me has a child /posts. " +
    "A route ends at each of the three. After: users/me has become two nodes. The upper one, " +
    "users, is where the new route ends. The lower one, /me, is its child and still has the " +
    "child /posts.",

  /** @param {Canvas} canvas */
  wide(canvas) {
    drawPanel(canvas, before, { middle: 150, top: 0, title: "before" });
    const bottom = drawPanel(canvas, after, { middle: 538, top: 0, title: "after" });
    canvas.line(
      [
        [294, 122],
        [394, 122],
      ],
      { arrow: true, color: "accent" },
    );
    canvas.text(344, 108, "+ /users", { mono: true, color: "accent", anchor: "middle" });
    legend(canvas, 344 - legendWidth / 2, bottom + 36, "a route ends here");
    canvas.height = bottom + 50;
  },

  /** @param {Canvas} canvas */
  narrow(canvas) {
    const half = drawPanel(canvas, before, { middle: 160, top: 0, title: "before" });
    canvas.line(
      [
        [110, half + 16],
        [110, half + 62],
      ],
      { arrow: true, color: "accent" },
    );
    canvas.text(126, half + 45, "+ /users", { mono: true, color: "accent" });
    const bottom = drawPanel(canvas, after, { middle: 160, top: half + 70, title: "after" });
    legend(canvas, 160 - legendWidth / 2, bottom + 36, "a route ends here");
    canvas.height = bottom + 50;
  },
};
