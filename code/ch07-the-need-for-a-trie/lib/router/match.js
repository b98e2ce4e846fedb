/** @import { Node } from "./node.js" */

/**
 * Walks down the tree: a word before a parameter, at every node.
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
    } else if (node.parameter !== null && segment !== "") {
      node = node.parameter;
      values.push(segment);
    } else {
      return null;
    }
  }
  return { node, values };
}
