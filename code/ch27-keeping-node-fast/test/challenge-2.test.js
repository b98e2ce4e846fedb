import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { drawFlame } from "../flame.js";

const skip = process.env.CHALLENGE !== "2" && "challenge 2";

function frame(name, self, children = []) {
  const total = children.reduce((sum, child) => sum + child.total, self);
  return { name, owner: "own", self, total, children };
}

// hash is called by two functions, one of which is called by two.
const ROOT = frame("all", 0, [
  frame("main", 1, [
    frame("listen", 2, [frame("hash", 10, [frame("update", 50)])]),
    frame("tag", 0, [frame("hash", 5)]),
  ]),
  frame("timer", 0, [frame("tag", 3, [frame("hash", 20)])]),
]);

describe("Challenges", { skip }, () => {
  const find = (top, name) =>
    top.children.find((each) => each.name === name);

  it("turns the tree upside down", async () => {
    const { callersOf } = await import("../flame.js");
    const top = callersOf(ROOT, "hash");
    assert.equal(top.name, "hash");
    assert.equal(top.total, 35);
    assert.deepEqual(top.children.map(({ name }) => name).sort(), [
      "listen",
      "tag",
    ]);
    assert.equal(find(top, "listen").total, 10);
    const tag = find(top, "tag");
    assert.equal(tag.total, 25);
    assert.equal(find(tag, "main").total, 5);
    assert.equal(find(tag, "timer").total, 20);
    assert.equal(find(find(tag, "timer"), "all").total, 20);
  });

  it("can be drawn", async () => {
    const { callersOf } = await import("../flame.js");
    const svg = drawFlame(callersOf(ROOT, "hash"));
    assert.match(svg, /<title>tag: 71\.4 %/);
  });

  it("is a single frame for what nobody calls", async () => {
    const { callersOf } = await import("../flame.js");
    const { total, children } = callersOf(ROOT, "nothing");
    assert.deepEqual([total, children], [0, []]);
  });
});
