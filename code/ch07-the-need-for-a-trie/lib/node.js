/** @import { Part } from "./pattern.js" */
/** @import { Route } from "./route.js" */

/** A node of the tree: what can follow the segments that lead here. */
export class Node {
  /** @type {Map<string, Node>} by segment */
  children = new Map();
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
  #next({ kind, text }) {
    if (kind === "parameter") {
      this.parameter ??= new Node();
      return this.parameter;
    }
    const child = this.children.get(text) ?? new Node();
    this.children.set(text, child);
    return child;
  }
}
