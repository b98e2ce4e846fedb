/** @import { Node } from "./node.js" */

/**
 * Walks down the tree. At each node it tries a child with text before it
 * tries the parameter.
 *
 * @param {Node} root
 * @param {string} path
 * @returns {{ node: Node, values: string[] } | null}
 */
export function match(root, path) {
  let node = root;
  let index = 0;
  const values = [];
  while (index < path.length) {
    const child = node.children[path.charCodeAt(index)];
    if (child !== undefined && hasPrefixAt(path, index, child)) {
      node = child;
      index += child.codes.length;
      continue;
    }
    const end = segmentEnd(path, index);
    if (node.parameter === null || end === index) return null;
    values.push(path.slice(index, end));
    node = node.parameter;
    index = end;
  }
  return { node, values };
}

// The first character is known to be right: the child was found by it.
function hasPrefixAt(path, index, { codes }) {
  if (index + codes.length > path.length) return false;
  for (let i = 1; i < codes.length; i += 1) {
    if (path.charCodeAt(index + i) !== codes[i]) return false;
  }
  return true;
}

export function segmentEnd(path, index) {
  const slash = path.indexOf("/", index);
  return slash === -1 ? path.length : slash;
}
