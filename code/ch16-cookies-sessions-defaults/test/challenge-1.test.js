import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { MemoryStore } from "../index.js";

const skip = process.env.CHALLENGE !== "1" && "challenge 1";
const HOUR = 60 * 60 * 1000;

/** @param {MemoryStore} store @param {string} name @param {number} count */
async function add(store, name, count) {
  for (let i = 0; i < count; i += 1) {
    await store.add(`${name}${i}`, name, HOUR);
  }
}

/** @param {MemoryStore} store @param {string} name @param {number} count */
async function countRead(store, name, count) {
  let there = 0;
  for (let i = 0; i < count; i += 1) {
    if ((await store.read(`${name}${i}`, HOUR)) === name) there += 1;
  }
  return there;
}

describe("Challenges", { skip }, () => {
  it("keeps those who came back through a flood of new ones", async () => {
    const store = new MemoryStore({ sessions: 100 });
    await add(store, "user", 50);
    assert.equal(await countRead(store, "user", 50), 50);
    await add(store, "flood", 1000);
    assert.equal(await countRead(store, "user", 50), 50);
    assert.equal(store.size, 100);
  });

  it("leaves room for the new when many came back", async () => {
    const store = new MemoryStore({ sessions: 100 });
    for (let i = 0; i < 500; i += 1) {
      await store.add(`back${i}`, "back", HOUR);
      await store.read(`back${i}`, HOUR);
    }
    assert.equal(store.size, 100);
    await add(store, "new", 20);
    assert.equal(store.size, 100);
    assert.equal(await countRead(store, "new", 20), 20);
  });

  it("pushes out those who were read longest ago first", async () => {
    const store = new MemoryStore({ sessions: 10 });
    await add(store, "a", 8);
    await countRead(store, "a", 8);
    await store.read("a0", HOUR);
    await store.add("b", "b", HOUR);
    await store.read("b", HOUR);
    await add(store, "flood", 20);
    assert.equal(await store.read("a0", HOUR), "a");
    assert.equal(await store.read("a1", HOUR), null);
  });

  it("replaces and removes in both places", async () => {
    const store = new MemoryStore({ sessions: 10 });
    await add(store, "a", 2);
    await store.read("a0", HOUR);
    for (const id of ["a0", "a1"]) {
      assert.equal(await store.replace(id, "new", HOUR), true);
      assert.equal(await store.read(id, HOUR), "new");
      assert.equal(await store.remove(id), true);
      assert.equal(await store.remove(id), false);
      assert.equal(await store.replace(id, "x", HOUR), false);
    }
    assert.equal(store.size, 0);
  });
});
