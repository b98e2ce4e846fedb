import assert from "node:assert/strict";
import { before, beforeEach, describe, it } from "node:test";

const skip = process.env.CHALLENGE !== "1" && "challenge 1";

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
  });

  it("gets what was set", () => {
    trie.set("tea", 1);
    trie.set("ten", 2);
    trie.set("to", 3);
    assert.equal(trie.get("tea"), 1);
    assert.equal(trie.get("ten"), 2);
    assert.equal(trie.get("to"), 3);
  });

  it("has the new value for what was set again", () => {
    trie.set("tea", 1);
    trie.set("tea", 2);
    assert.equal(trie.get("tea"), 2);
  });

  it("has no key that is only the beginning of another", () => {
    trie.set("tea", 1);
    for (const key of ["", "t", "te"]) {
      assert.equal(trie.get(key), undefined, key);
    }
  });

  it("has no key that goes on where another ends", () => {
    trie.set("tea", 1);
    assert.equal(trie.get("teapot"), undefined);
    assert.equal(trie.get("teas"), undefined);
  });

  it("can have a key and the beginning of it", () => {
    trie.set("teapot", 1);
    trie.set("tea", 2);
    trie.set("teapots", 3);
    assert.equal(trie.get("teapot"), 1);
    assert.equal(trie.get("tea"), 2);
    assert.equal(trie.get("teapots"), 3);
    assert.equal(trie.get("teapo"), undefined);
  });

  it("has nothing that was not set, and has it in no order", () => {
    trie.set("tea", 1);
    trie.set("ten", 2);
    for (const key of ["eat", "net", "a", "n", "tan", "TEA", "tea "]) {
      assert.equal(trie.get(key), undefined, key);
    }
  });

  it("takes the empty key for a key", () => {
    assert.equal(trie.get(""), undefined);
    trie.set("", "empty");
    assert.equal(trie.get(""), "empty");
    assert.equal(trie.get("t"), undefined);
  });

  it("keeps any value, also those that look like none", () => {
    const values = [0, "", false, null, Number.NaN, {}];
    for (const [i, value] of values.entries()) trie.set(`key${i}`, value);
    for (const [i, value] of values.entries()) {
      assert.ok(Object.is(trie.get(`key${i}`), value), String(value));
    }
  });

  it("finds no name that objects inherit, unless it was put in", () => {
    for (const key of ["constructor", "__proto__", "toString", "value"]) {
      assert.equal(trie.get(key), undefined, key);
      trie.set(key, `my ${key}`);
      assert.equal(trie.get(key), `my ${key}`);
    }
  });

  it("takes letters from everywhere", () => {
    trie.set("/users/né", 1);
    trie.set("日本", 2);
    trie.set("😀", 3);
    assert.equal(trie.get("/users/né"), 1);
    assert.equal(trie.get("/users/ne"), undefined);
    assert.equal(trie.get("日"), undefined);
    assert.equal(trie.get("日本"), 2);
    assert.equal(trie.get("😀"), 3);
    assert.equal(trie.get("😁"), undefined);
  });

  it("is not the same trie as another one", () => {
    trie.set("tea", 1);
    assert.equal(new Trie().get("tea"), undefined);
  });

  it("keeps ten thousand words apart", () => {
    const words = Array.from({ length: 10_000 }, (_, i) => i.toString(36));
    for (const [i, word] of words.entries()) trie.set(word, i);
    for (const [i, word] of words.entries()) {
      assert.equal(trie.get(word), i);
    }
  });
});
