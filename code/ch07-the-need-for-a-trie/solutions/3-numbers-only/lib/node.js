/** @import { Part } from "./pattern.js" */
/** @import { Route } from "./route.js" */

/** A node of the tree: what can follow the segments that lead here. */
export class Node {
  /** @type {Map<string, Node>} by segment */
  children = new Map();
  /** @type {Map<string, Node>} by the condition that a segment meets */
  conditional = new Map();
  /** @type {Node | null} what follows a segment that may be anything */
  parameter = null;
  /** @type {Route[]} the routes that end here */
  routes = [];

  /**
   * Finds or makes the node that a pattern leads to.
   *
   * @param {Part[]} parts
   * @returns {Node}
   */
  follow(parts) {
    /** @type {Node} */
    let node = this;
    for (const part of parts) node = node.#next(part);
    return node;
  }

  /** @param {Part} part */
  #next({ kind, text, condition }) {
    if (kind === "static") return childOf(this.children, text);
    if (condition) return childOf(this.conditional, condition);
    this.parameter ??= new Node();
    return this.parameter;
  }
}

/**
 * Finds or makes a child.
 *
 * @param {Map<string, Node>} children
 * @param {string} key
 */
function childOf(children, key) {
  const child = children.get(key) ?? new Node();
  children.set(key, child);
  return child;
}
