/** A node: what is stored under the letters so far, and what can follow. */
class Node {
  /** @type {Map<string, Node>} by letter */
  children = new Map();
  /** Whether a key ends here: its value may be undefined. */
  isKey = false;
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
    node.isKey = true;
    node.value = value;
  }

  /**
   * @param {string} key
   * @returns {unknown} undefined if nothing was set
   */
  get(key) {
    return this.#find(key)?.value;
  }

  /**
   * All keys that begin with a prefix.
   *
   * @param {string} prefix
   * @returns {string[]} sorted by their UTF-16 code units
   */
  keysWithPrefix(prefix) {
    const node = this.#find(prefix);
    return node === undefined ? [] : [...keysBelow(node, prefix)];
  }

  /**
   * @param {string} key
   * @returns {Node | undefined}
   */
  #find(key) {
    /** @type {Node | undefined} */
    let node = this.#root;
    for (const letter of lettersOf(key)) node = node?.children.get(letter);
    return node;
  }
}

/**
 * The keys from a node on, in order: a key before those that go on.
 *
 * @param {Node} node
 * @param {string} path the letters that lead to it
 * @returns {Generator<string>}
 */
function* keysBelow(node, path) {
  if (node.isKey) yield path;
  for (const letter of [...node.children.keys()].sort()) {
    const child = /** @type {Node} */ (node.children.get(letter));
    yield* keysBelow(child, path + letter);
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
