/** What stands in a lab's place when no script runs: the tree it begins with. */

import { examples } from "../labs/examples.js";
import { drawTree, layOut, legend, shapeOf } from "./trees/draw.js";

/** @import { Canvas, Figure } from "./lib.js" */
/** @import { Shape } from "./trees/draw.js" */

/** @returns {Promise<Figure[]>} */
export default async function drawLabs() {
  const figures = Object.entries(examples).map(async ([name, { title, milestone, routes }]) => {
    const lib = `../../code/${milestone}/lib`;
    const { Router } = await import(`${lib}/router.js`);
    const { branchesOf } = await import(`${lib}/print.js`);
    const router = new Router();
    for (const route of routes) {
      const [method, pattern] = route.split(" ");
      router.route(method, pattern, () => {});
    }
    const [tree] = branchesOf(router.root, 0).map(shapeOf);
    return {
      name: `lab-${name}`,
      title,
      description: `The routes ${routes.join(", ")} as a tree: ${describe(tree)}.`,
      wide: (/** @type {Canvas} */ canvas) => draw(canvas, tree, { size: 17, gap: 30 }),
      narrow: (/** @type {Canvas} */ canvas) => draw(canvas, tree, { size: 15, gap: 8 }),
    };
  });
  return Promise.all(figures);
}

/**
 * @param {Canvas} canvas
 * @param {Shape} tree
 * @param {{ size: number, gap: number }} measures
 */
function draw(canvas, tree, measures) {
  const { right } = layOut(tree, 0, 0, measures);
  const place = layOut(tree, (canvas.width - right) / 2, 2, measures);
  drawTree(canvas, place, measures);
  legend(canvas, (canvas.width - 178) / 2, place.bottom + 36, "a route ends here");
  canvas.height = place.bottom + 50;
}

/**
 * @param {Shape} shape
 * @returns {string}
 */
function describe({ label, children }) {
  const below = children.map(describe).join(" and ");
  return children.length === 0 ? label : `${label} with (${below}) below it`;
}
