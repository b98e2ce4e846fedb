/** A node: what is stored under the letters so far, and what can follow. */
class Node {
  /** @type {Map<string, Node>} by letter */
  children = new Map();
  /** @type {unknown} */
  value = undefined;
}

/** Values by key, with one node for each letter. */
export class Trie {
  #root = new Node();

  /**
   * @param {string} key
   * @param {unknown} value
   */
  set(key, value) {
    let node = this.#root;
    for (const letter of lettersOf(key)) {
      const child = node.children.get(letter) ?? new Node();
      node.children.set(letter, child);
      node = child;
    }
    node.value = value;
  }

  /**
   * @param {string} key
   * @returns {unknown} undefined if nothing was set
   */
  get(key) {
    /** @type {Node | undefined} */
    let node = this.#root;
    for (const letter of lettersOf(key)) {
      node = node.children.get(letter);
      if (node === undefined) return undefined;
    }
    return node.value;
  }
}

/**
 * UTF-16 code units: what strings are made of, and are sorted by.
 *
 * @param {string} key
 */
function lettersOf(key) {
  return key.split("");
}
