/** @import { Route } from "./route.js" */

/** A node of the radix tree: some text, and what can follow it. */
export class Node {
  /** @type {Node[]} by the code of their first character */
  children = [];
  /** @type {Node | null} what follows a segment that may be anything */
  parameter = null;
  /** @type {Node[]} what follows one that ends in their text: longest first */
  suffixes = [];
  /** @type {Route | null} the first of the routes that end here */
  route = null;
  /** @type {Route | null} the first of those that take the rest */
  wildcard = null;

  /** @param {string} prefix the text between the parent and this node */
  constructor(prefix) {
    this.prefix = prefix;
    // As numbers: comparing these took less time than startsWith.
    this.codes = codesOf(prefix);
  }

  add(route) {
    const field = route.hasWildcard ? "wildcard" : "route";
    if (this[field] === null) this[field] = route;
    else this[field].append(route);
  }

  // Finds or makes the node that a pattern's parts lead to.
  ensure(parts) {
    /** @type {Node} */
    let node = this;
    for (const { kind, text, suffix } of parts) {
      if (kind === "static") node = node.ensureText(text);
      if (kind === "parameter") node = node.#ensureParameter(suffix);
    }
    return node;
  }

  #ensureParameter(suffix) {
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

  ensureText(text) {
    /** @type {Node} */
    let node = this;
    let rest = text;
    while (rest !== "") {
      node = node.ensureChild(rest);
      rest = rest.slice(node.prefix.length);
    }
    return node;
  }

  ensureChild(text) {
    const code = text.charCodeAt(0);
    this.children[code] ??= new Node(text);
    const child = this.children[code];
    const shared = sharedLength(child.prefix, text);
    if (shared < child.prefix.length) {
      this.children[code] = child.splitAt(shared);
    }
    return this.children[code];
  }

  // Gives a new node with the prefix's first piece; its only child is this
  // one, with the second.
  splitAt(length) {
    const parent = new Node(this.prefix.slice(0, length));
    this.prefix = this.prefix.slice(length);
    this.codes = codesOf(this.prefix);
    parent.children[this.codes[0]] = this;
    return parent;
  }
}

function codesOf(text) {
  return Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));
}

// How many characters two texts have in common at their beginning.
function sharedLength(a, b) {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}
