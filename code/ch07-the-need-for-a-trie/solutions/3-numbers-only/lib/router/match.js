import { CONDITIONS } from "./conditions.js";

/** @import { Node } from "./node.js" */

/**
 * Walks down the tree: a word before a parameter with a condition before
 * one without, at every node.
 *
 * @param {Node} root
 * @param {string} path
 * @returns {{ node: Node, values: string[] } | null}
 */
export function match(root, path) {
  if (!path.startsWith("/")) return null;
  let node = root;
  const values = [];
  for (const segment of path.slice(1).split("/")) {
    const child = node.children.get(segment);
    if (child !== undefined) {
      node = child;
    } else {
      const parameter = parameterFor(node, segment);
      if (parameter === null || segment === "") return null;
      node = parameter;
      values.push(segment);
    }
  }
  return { node, values };
}

/** @returns {Node | null} */
function parameterFor({ conditional, parameter }, segment) {
  for (const [condition, child] of conditional) {
    if (CONDITIONS.get(condition)?.(segment)) return child;
  }
  return parameter;
}
