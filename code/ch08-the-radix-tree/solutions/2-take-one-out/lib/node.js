/** @import { Part } from "./pattern.js" */
/** @import { Route } from "./route.js" */

/** A node of the radix tree: some text, and what can follow it. */
export class Node {
  /** @param {string} prefix the text between the parent and this node */
  constructor(prefix) {
    this.prefix = prefix;
    /** The same as numbers, which are quicker to compare. */
    this.codes = codesOf(prefix);
    /** @type {Node[]} by the code of their first character */
    this.children = [];
    /** @type {Node | null} what follows a segment that may be anything */
    this.parameter = null;
    /** @type {Route[]} the routes that end here */
    this.routes = [];
  }

  /**
   * Finds or makes the node that a pattern leads to.
   *
   * @param {Part[]} parts
   * @returns {Node}
   */
  follow(parts) {
    /** @type {Node} */
    let node = this;
    for (const { kind, text } of parts) {
      if (kind === "static") node = node.followText(text);
      if (kind === "parameter") node = node.parameter ??= new Node("");
    }
    return node;
  }

  /**
   * Finds or makes the node that `text` leads to.
   *
   * @param {string} text
   * @returns {Node}
   */
  followText(text) {
    if (text === "") return this;
    const code = text.charCodeAt(0);
    const child = this.children[code];
    if (child === undefined) {
      this.children[code] = new Node(text);
      return this.children[code];
    }
    const shared = sharedLength(child.prefix, text);
    if (shared < child.prefix.length) {
      this.children[code] = child.splitAt(shared);
    }
    return this.children[code].followText(text.slice(shared));
  }

  /**
   * Cuts a node's prefix in two.
   *
   * @param {number} length of the first piece
   * @returns {Node} a new node with the first piece; its only child is
   *   this one, with the second
   */
  splitAt(length) {
    const parent = new Node(this.prefix.slice(0, length));
    this.prefix = this.prefix.slice(length);
    this.codes = codesOf(this.prefix);
    parent.children[this.codes[0]] = this;
    return parent;
  }

  /** Undoes below this node what was done for routes that are gone. */
  prune() {
    for (const [code, child] of this.children.entries()) {
      if (child === undefined) continue;
      child.prune();
      if (child.#isEmpty) delete this.children[code];
      else this.children[code] = child.#joined();
    }
    if (this.parameter === null) return;
    this.parameter.prune();
    if (this.parameter.#isEmpty) this.parameter = null;
  }

  get #isEmpty() {
    const { routes, parameter, children } = this;
    const hasWayOn = parameter !== null || children.some(Boolean);
    return routes.length === 0 && !hasWayOn;
  }

  /**
   * What splitAt did, backwards.
   *
   * @returns {Node} this node, or its child if that is all it has
   */
  #joined() {
    const [child, ...others] = this.children.filter(Boolean);
    const hasMore = others.length > 0 || this.parameter !== null;
    if (this.routes.length > 0 || hasMore) return this;
    child.prefix = this.prefix + child.prefix;
    child.codes = codesOf(child.prefix);
    return child;
  }
}

/** @param {string} text */
function codesOf(text) {
  return Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));
}

/**
 * How many characters two texts have in common at their beginning.
 *
 * @param {string} a
 * @param {string} b
 */
function sharedLength(a, b) {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}
