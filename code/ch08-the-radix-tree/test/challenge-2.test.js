import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Router } from "../index.js";

const skip = process.env.CHALLENGE !== "2" && "challenge 2";

const PATTERNS = [
  "/",
  "/users",
  "/users/me",
  "/users/max",
  "/users/:id",
  "/users/:id/posts",
  "/users/:id/posts/:post",
  "/users/me/posts",
  "/things",
  "/:any",
  "/a/:b/:c/:d",
];

describe("Challenges", { skip }, () => {
  it("says whether there was such a route", () => {
    const router = grow(PATTERNS);
    assert.equal(router.remove("GET", "/users/me"), true);
    assert.equal(router.remove("GET", "/users/me"), false);
    assert.equal(router.remove("POST", "/users"), false);
    assert.equal(router.remove("GET", "/use"), false);
    assert.equal(router.remove("GET", "/users/me/"), false);
    assert.equal(router.remove("GET", "/nobody/:id"), false);
    const others = PATTERNS.filter((pattern) => pattern !== "/users/me");
    assert.equal(String(router), String(grow(others)));
  });

  for (const pattern of PATTERNS) {
    it(`leaves the tree that would be there without ${pattern}`, () => {
      const router = grow(PATTERNS);
      router.remove("GET", pattern);
      const others = PATTERNS.filter((other) => other !== pattern);
      assert.equal(String(router), String(grow(others)));
      for (const other of PATTERNS) checkFound(router, other, others);
    });
  }

  it("leaves nothing when all are taken out, in any order", () => {
    for (const order of [PATTERNS, PATTERNS.toReversed()]) {
      const router = grow(PATTERNS);
      for (const [i, pattern] of order.entries()) {
        assert.equal(router.remove("GET", pattern), true, pattern);
        const left = order.slice(i + 1);
        const expected = grow(PATTERNS.filter((one) => left.includes(one)));
        assert.equal(String(router), String(expected));
      }
      assert.equal(String(router), "");
      assert.equal(router.find("GET", "/users"), null);
    }
  });

  it("lists the route no more", () => {
    const router = grow(["/a", "/b"]);
    router.remove("GET", "/a");
    const patterns = router
      .routes()
      .map((/** @type {{ pattern: string }} */ { pattern }) => pattern);
    assert.deepEqual(patterns, ["/b"]);
  });

  it("takes out one method, and leaves the others", () => {
    const router = grow(["/a", "/ab"]);
    router.post("/a", () => {}).all("/a", () => {});
    assert.equal(router.remove("GET", "/a"), true);
    assert.notEqual(router.find("POST", "/a"), null);
    assert.equal(router.remove("POST", "/a"), true);
    assert.equal(router.remove("HEAD", "/a"), false);
    assert.notEqual(router.find("GET", "/a"), null);
    assert.equal(router.remove("ALL", "/a"), true);
    assert.equal(router.find("GET", "/a"), null);
    assert.equal(String(router), "/ab  GET");
  });

  it("compares the texts that it has pressed together anew", () => {
    const router = grow(["/users/me", "/users/max", "/users/max/posts"]);
    router.remove("GET", "/users/me");
    assert.notEqual(router.find("GET", "/users/max"), null);
    assert.equal(router.find("GET", "/users/mex"), null);
    assert.equal(router.find("GET", "/users/ma"), null);
    router.get("/users/mad", () => {});
    assert.notEqual(router.find("GET", "/users/mad"), null);
    assert.notEqual(router.find("GET", "/users/max/posts"), null);
  });

  it("lets a route that was taken out be added again", () => {
    const router = grow(PATTERNS);
    const before = String(router);
    router.remove("GET", "/users/:id");
    router.get("/users/:id", () => {});
    assert.equal(String(router), before);
  });
});

/**
 * @param {string[]} patterns
 * @returns {any} a router that can take routes out
 */
function grow(patterns) {
  const router = new Router();
  for (const pattern of patterns) router.get(pattern, () => {});
  return router;
}

/**
 * What is left is found as before, by a path that only its pattern fits.
 *
 * @param {any} router
 * @param {string} pattern
 * @param {string[]} left
 */
function checkFound(router, pattern, left) {
  const expected = grow(left);
  const path = pattern.replace(/:\w+/g, "zz");
  assert.deepEqual(
    router.find("GET", path)?.params,
    expected.find("GET", path)?.params,
    path,
  );
}
