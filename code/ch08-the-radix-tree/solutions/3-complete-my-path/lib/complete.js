/** @import { Node } from "./node.js" */
/** @import { Route } from "./route.js" */

/**
 * The patterns in a tree that begin with a text.
 *
 * @param {Node} root
 * @param {string} text
 * @returns {string[]} sorted, each once
 */
export function patternsWith(root, text) {
  const patterns = new Set();
  for (const { pattern } of routesToward(root, text)) {
    // A parameter's name is not in the tree, but in the route.
    if (pattern.startsWith(text)) patterns.add(pattern);
  }
  return [...patterns].sort();
}

/**
 * The routes that a text may be the beginning of.
 *
 * @param {Node} node
 * @param {string} rest of the text, below this node
 * @returns {Generator<Route>}
 */
function* routesToward(node, rest) {
  if (rest === "") {
    yield* routesFrom(node);
    return;
  }
  if (node.parameter !== null && rest.startsWith(":")) {
    yield* routesFrom(node.parameter);
  }
  const child = node.children[rest.charCodeAt(0)];
  if (child === undefined) return;
  const { prefix } = child;
  if (rest.startsWith(prefix)) {
    yield* routesToward(child, rest.slice(prefix.length));
  } else if (prefix.startsWith(rest)) {
    yield* routesFrom(child);
  }
}

/**
 * The routes of a node, and of all below it.
 *
 * @param {Node} node
 * @returns {Generator<Route>}
 */
function* routesFrom({ routes, children, parameter }) {
  yield* routes;
  for (const child of [...children, parameter]) {
    if (child) yield* routesFrom(child);
  }
}
