/** @import { Shape } from "./draw.js" */

/** A tree of letters, as small as one can be that the figures show. */
export class Trie {
  /** @type {Map<string, Trie>} by letter */
  children = new Map();
  isEnd = false;

  /** @param {string[]} words */
  static of(words) {
    const trie = new Trie();
    for (const word of words) trie.add(word);
    return trie;
  }

  /** @param {string} word */
  add(word) {
    /** @type {Trie} */
    let node = this;
    for (const letter of word) {
      const child = node.children.get(letter) ?? new Trie();
      node.children.set(letter, child);
      node = child;
    }
    node.isEnd = true;
  }

  /**
   * @param {{ label?: string, path?: string, hasWords?: boolean }} [options]
   * @returns {Shape}
   */
  shape({ label = "", path = "", hasWords = false } = {}) {
    const sorted = [...this.children].sort(([a], [b]) => (a < b ? -1 : 1));
    const children = sorted.map(([letter, child]) =>
      child.shape({ label: letter, path: path + letter, hasWords }),
    );
    return { label, isEnd: this.isEnd, word: hasWords && this.isEnd ? path : undefined, children };
  }
}
