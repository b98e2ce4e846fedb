/** @import { Route } from "./route.js" */

/** A node of the tree: what can follow the segments that lead here. */
export class Node {
  /** @type {Map<string, Node>} by segment */
  children = new Map();
  /** @type {Map<string, Node>} by the condition that a segment meets */
  conditional = new Map();
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

  #next({ kind, text, condition }) {
    if (kind === "static") return childOf(this.children, text);
    if (condition) return childOf(this.conditional, condition);
    this.parameter ??= new Node();
    return this.parameter;
  }
}

// Finds or makes a child.
function childOf(children, key) {
  const child = children.get(key) ?? new Node();
  children.set(key, child);
  return child;
}
