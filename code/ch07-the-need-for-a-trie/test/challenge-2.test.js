import assert from "node:assert/strict";
import { before, beforeEach, describe, it } from "node:test";

const skip = process.env.CHALLENGE !== "2" && "challenge 2";

describe("Challenges", { skip }, () => {
  /** @type {any} the reader's class */
  let Trie;
  /** @type {any} */
  let trie;
  before(async () => {
    const file = "../trie.js";
    ({ Trie } = await import(file));
  });
  beforeEach(() => {
    trie = new Trie();
    for (const key of ["to", "tea", "ten", "teapot", "in", "inn"]) {
      trie.set(key, key.length);
    }
  });

  it("returns the keys that begin with a prefix, sorted", () => {
    assert.deepEqual(keys("te"), ["tea", "teapot", "ten"]);
    assert.deepEqual(keys("t"), ["tea", "teapot", "ten", "to"]);
  });

  it("returns a key that is the prefix itself", () => {
    assert.deepEqual(keys("tea"), ["tea", "teapot"]);
    assert.deepEqual(keys("in"), ["in", "inn"]);
    assert.deepEqual(keys("teapot"), ["teapot"]);
  });

  it("returns all keys for the empty prefix", () => {
    const all = ["in", "inn", "tea", "teapot", "ten", "to"];
    assert.deepEqual(keys(""), all);
    trie.set("", 0);
    assert.deepEqual(keys(""), ["", ...all]);
  });

  it("returns none where there is none", () => {
    for (const prefix of ["x", "teas", "teapots", "T", "constructor"]) {
      assert.deepEqual(keys(prefix), [], prefix);
    }
    assert.deepEqual([...new Trie().keysWithPrefix("")], []);
  });

  it("returns a key once, however often it was set", () => {
    trie.set("tea", 5);
    trie.set("tea", 6);
    assert.deepEqual(keys("tea"), ["tea", "teapot"]);
  });

  it("returns keys with any value that is one", () => {
    const values = [0, "", false, null];
    for (const [i, value] of values.entries()) trie.set(`x${i}`, value);
    assert.deepEqual(keys("x"), ["x0", "x1", "x2", "x3"]);
  });

  it("sorts as sort does", () => {
    const odd = [
      "a",
      "B",
      "ä",
      "Z",
      "z",
      "0",
      "10",
      "9",
      "-",
      "😀",
      "\ufb00",
    ];
    const other = new Trie();
    for (const key of odd) other.set(key, 1);
    assert.deepEqual([...other.keysWithPrefix("")], odd.toSorted());
  });

  it("takes half of an emoji for the beginning of it", () => {
    const other = new Trie();
    for (const key of ["😀", "😀x", "😂", "a"]) other.set(key, 1);
    const expected = ["😀", "😀x", "😂"];
    assert.deepEqual([...other.keysWithPrefix("😀"[0])], expected);
  });

  it("leaves the trie as it was", () => {
    keys("t");
    trie.set("tent", 4);
    assert.deepEqual(keys("ten"), ["ten", "tent"]);
    assert.equal(trie.get("te"), undefined);
    assert.equal(trie.get("tea"), 3);
  });

  it("agrees with filter and sort", () => {
    const words = Array.from({ length: 500 }, (_, i) =>
      ((i * 7919) % 4096).toString(4),
    );
    const other = new Trie();
    for (const word of words) other.set(word, word);
    for (const prefix of ["", "0", "1", "12", "123", "1230", "33333"]) {
      const expected = [...new Set(words)]
        .filter((word) => word.startsWith(prefix))
        .sort();
      assert.deepEqual([...other.keysWithPrefix(prefix)], expected, prefix);
    }
  });

  /** @param {string} prefix */
  function keys(prefix) {
    return [...trie.keysWithPrefix(prefix)];
  }
});
