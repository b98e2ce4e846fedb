/** Radix trees for the figures, grown from the milestone's own nodes. */

import { Node } from "../../../code/ch08-the-radix-tree/lib/router/node.js";
import { namesOf, parsePattern } from "../../../code/ch08-the-radix-tree/lib/router/pattern.js";
import { branchesOf } from "../../../code/ch08-the-radix-tree/lib/router/print.js";
import { Route } from "../../../code/ch08-the-radix-tree/lib/router/route.js";
import { shapeOf } from "./draw.js";

/** @import { Shape } from "./draw.js" */

/**
 * What chapter 8's tree looks like with some patterns in it, each with a route
 * for GET.
 *
 * @param {string[]} patterns
 * @returns {Shape} of the one node below the root
 */
export function grow(patterns) {
  const root = new Node("");
  for (const pattern of patterns) {
    const parts = parsePattern(pattern);
    const names = namesOf(parts);
    const route = new Route({ method: "GET", pattern, names, handler: () => {}, addedAt: "" });
    root.ensure(parts).add(route);
  }
  const [shape, ...others] = branchesOf(root, 0).map((branch) => shapeOf(branch));
  if (others.length > 0) throw new Error(`${patterns.join(", ")} share no beginning`);
  return shape;
}
