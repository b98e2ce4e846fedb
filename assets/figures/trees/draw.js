/** Trees, from the top down: where each node stands, and how it is drawn. */

import { monoWidth } from "../lib.js";

/** @import { Canvas, Colour } from "../lib.js" */

/**
 * What is drawn of a tree.
 *
 * @typedef {object} Shape
 * @property {string} label empty for a root that holds no text
 * @property {boolean} isEnd whether something that was put in ends here
 * @property {string} [word] what ends here, written under the node
 * @property {Shape[]} children from left to right
 *
 * @typedef {object} Place of a node, in pixels
 * @property {Shape} shape
 * @property {number} x of its middle
 * @property {number} y of its top
 * @property {number} width
 * @property {number} height
 * @property {Place[]} children
 *
 * @typedef {object} Measures
 * @property {number} [size] of the labels' text
 * @property {number} [height] of a node
 * @property {number} [step] from the top of a node to that of its children
 * @property {number} [gap] between two nodes
 */

/**
 * @param {Shape} shape
 * @param {number} x of its left edge
 * @param {number} y of its top
 * @param {Measures} [measures]
 * @returns {Place & { left: number, right: number, bottom: number }}
 */
export function layOut(shape, x, y, { size = 17, height = 34, step = 68, gap = 18 } = {}) {
  const place = (/** @type {Shape} */ each, left = 0, top = 0) => {
    const own = each.label === "" ? 12 : Math.max(monoWidth(each.label, size) + 20, height);
    let right = left;
    /** @type {ReturnType<typeof layOut>[]} */
    const children = [];
    for (const child of each.children) {
      const start = children.length === 0 ? left : right + gap;
      children.push(place(child, start, top + (each.label === "" ? step - 22 : step)));
      right = children[children.length - 1].right;
    }
    const missing = own - (right - left);
    if (missing > 0) for (const child of children) move(child, missing / 2);
    right = Math.max(right, left + own);
    const middle =
      children.length === 0
        ? left + own / 2
        : (children[0].x + children[children.length - 1].x) / 2;
    const ownHeight = each.label === "" ? 12 : height;
    const bottom = Math.max(top + ownHeight, ...children.map((child) => child.bottom));
    return {
      shape: each,
      x: middle,
      y: top,
      width: own,
      height: ownHeight,
      children,
      left,
      right,
      bottom,
    };
  };
  return place(shape, x, y);
}

/**
 * @param {ReturnType<typeof layOut>} place
 * @param {number} distance to the right
 */
function move(place, distance) {
  place.x += distance;
  place.left += distance;
  place.right += distance;
  for (const child of place.children) {
    move(/** @type {ReturnType<typeof layOut>} */ (child), distance);
  }
}

/**
 * @param {Canvas} canvas
 * @param {Place} place
 * @param {{ size?: number, isNew?: (place: Place) => boolean,
 *   edge?: (parent: Place, child: Place) => { color?: Colour, width?: number, dashed?: boolean } }
 *   } [style]
 */
export function drawTree(
  canvas,
  place,
  { size = 17, isNew = () => false, edge = () => ({}) } = {},
) {
  for (const child of place.children) {
    canvas.line(
      [
        [place.x, place.y + place.height],
        [child.x, child.y],
      ],
      edge(place, child),
    );
    drawTree(canvas, child, { size, isNew, edge });
  }
  const { shape, x, y, width, height } = place;
  const left = x - width / 2;
  if (shape.label === "") {
    canvas.box(left, y, width, height, { fill: "line", stroke: "none", radius: width / 2 });
    return;
  }
  canvas.labelledBox(left, y, width, height, shape.label, {
    fill: shape.isEnd ? "accent-fill" : "fill",
    stroke: isNew(place) || shape.isEnd ? "accent" : "line",
    width: isNew(place) ? 3 : 1.5,
    radius: 6,
    text: { mono: true, size, color: shape.isEnd ? "accent" : "ink" },
  });
  if (shape.word !== undefined) {
    canvas.text(x, y + height + canvas.textSize * 1.1, shape.word, {
      anchor: "middle",
      italic: true,
      color: "soft",
    });
  }
}

/**
 * The shape of a radix tree, from what the milestone's own lib/print.js makes
 * of its nodes: chapter 8 has a list of routes there, chapter 9 the first of
 * a chain.
 *
 * @typedef {{ label: string, routes?: unknown[], route?: object | null, branches: Branch[] }}
 *   Branch
 *
 * @param {Branch} branch
 * @returns {Shape}
 */
export function shapeOf({ label, routes = [], route = null, branches }) {
  return {
    label,
    isEnd: routes.length > 0 || route !== null,
    children: branches.map((branch) => shapeOf(branch)),
  };
}

/**
 * A node that is drawn in a certain colour, and what that means.
 *
 * @param {Canvas} canvas
 * @param {number} x of the left edge
 * @param {number} y of the middle
 * @param {string} meaning
 */
export function legend(canvas, x, y, meaning) {
  canvas.box(x, y - 9, 26, 18, { fill: "accent-fill", stroke: "accent", radius: 5 });
  canvas.text(x + 36, y + canvas.textSize * 0.34, meaning, { color: "soft" });
}
