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
    /**
     * What follows a segment that ends with a node's prefix, which is
     * fewer than the segment's characters: the longest first.
     *
     * @type {Node[]}
     */
    this.suffixes = [];
    /** @type {Node | null} what follows a segment that may be anything */
    this.parameter = null;
    /** @type {Route | null} the first of the routes that end here */
    this.route = null;
    /** @type {Route | null} the first of those that take the rest */
    this.wildcard = null;
  }

  /**
   * Adds a route that ends here.
   *
   * @param {Route} route
   * @throws {RouteError} ERR_ROUTE_CONFLICT
   */
  add(route) {
    const list = route.hasWildcard ? "wildcard" : "route";
    if (this[list] === null) this[list] = route;
    else this[list].append(route);
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
    for (const { kind, text, suffix } of parts) {
      if (kind === "static") node = node.followText(text);
      if (kind === "parameter") node = node.#followParameter(suffix);
    }
    return node;
  }

  /**
   * @param {string} [suffix]
   * @returns {Node}
   */
  #followParameter(suffix) {
    if (suffix === undefined) {
      this.parameter ??= new Node("");
      return this.parameter;
    }
    const known = this.suffixes.find(({ prefix }) => prefix === suffix);
    if (known !== undefined) return known;
    const node = new Node(suffix);
    this.suffixes.push(node);
    this.suffixes.sort((a, b) => b.prefix.length - a.prefix.length);
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
