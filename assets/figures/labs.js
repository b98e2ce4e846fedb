/** What stands in a lab's place when no script runs: the tree it begins with. */

import path from "node:path";
import { fileURLToPath } from "node:url";
import { collectLabFiles } from "../../tools/lib/lab-files.js";
import { treeLab, trees } from "../labs/labs.js";
import { dataUrl, linkModules, readableName } from "../labs/link.js";
import { drawTree, layOut, legend, shapeOf } from "./trees/draw.js";

/** @import { Canvas, Figure } from "./lib.js" */
/** @import { Shape } from "./trees/draw.js" */

const root = path.resolve(fileURLToPath(import.meta.url), "../../..");

/** @returns {Promise<Figure[]>} */
export default async function drawLabs() {
  const figures = Object.entries(trees).map(async ([name, lab]) => {
    const { title, routes } = lab;
    const modules = await linkModules(collectLabFiles(root, lab), dataUrl);
    const router = new modules.router.Router();
    for (const route of routes) {
      const [method, pattern] = route.split(" ");
      router.route(method, pattern, () => {});
    }
    const start = router[readableName(treeLab.reads.router.root)];
    const [tree] = modules.print.branchesOf(start, 0).map(shapeOf);
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
