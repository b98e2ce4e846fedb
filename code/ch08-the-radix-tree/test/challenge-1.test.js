import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Router } from "../index.js";

const skip = process.env.CHALLENGE !== "1" && "challenge 1";

describe("Challenges", { skip }, () => {
  /** @type {[patterns: string[], number, number, number][]} */
  const trees = [
    [[], 0, 0, 0],
    [["/"], 1, 1, 1],
    [["/users/me"], 1, 9, 1],
    [["/users/me", "/things"], 3, 15, 2],
    [["/users/me", "/things", "/users/me/posts"], 4, 21, 3],
    [["/users/me", "/users/max"], 3, 11, 2],
    [["/users/:id"], 2, 7, 2],
    [["/users/:id", "/users/:user/posts"], 3, 13, 3],
    [["/:a/:b/:c", "/x"], 7, 4, 6],
    [["/zebra/long/way", "/a", "/a/b", "/a/b/c"], 5, 20, 4],
    [["/café", "/日本"], 3, 7, 2],
  ];
  for (const [patterns, nodes, characters, height] of trees) {
    it(`counts ${patterns.join(", ") || "an empty tree"}`, () => {
      const router = new Router();
      for (const pattern of patterns) router.get(pattern, () => {});
      assert.deepEqual(sizeOf(router), { nodes, characters, height });
    });
  }

  it("counts nodes, and not routes", () => {
    const router = new Router()
      .get("/a", () => {})
      .post("/a", () => {})
      .all("/a", () => {});
    assert.deepEqual(sizeOf(router), {
      nodes: 1,
      characters: 2,
      height: 1,
    });
  });

  it("counts anew when the tree has grown", () => {
    const router = new Router().get("/a", () => {});
    sizeOf(router);
    router.get("/b", () => {});
    assert.deepEqual(sizeOf(router), {
      nodes: 3,
      characters: 3,
      height: 2,
    });
  });
});

/** @param {any} router that can count */
function sizeOf(router) {
  return { ...router.size() };
}
