/** @import { Route } from "./route.js" */

/** A node of the tree: what can follow the segments that lead here. */
export class Node {
  /** @type {Map<string, Node>} by segment */
  children = new Map();
  /** @type {Node | null} what follows a segment that may be anything */
  parameter = null;
  /** @type {Route | null} the first of the routes that end here */
  route = null;

  add(route) {
    if (this.route === null) this.route = route;
    else this.route.append(route);
  }

  // Finds or makes the node that a pattern's parts lead to.
  ensure(parts) {
    /** @type {Node} */
    let node = this;
    for (const part of parts) node = node.#next(part);
    return node;
  }

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
