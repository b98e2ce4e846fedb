import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Router } from "../index.js";

const skip = process.env.CHALLENGE !== "3" && "challenge 3";

const PATTERNS = [
  "/users/me",
  "/users",
  "/users/:id",
  "/users/:id/posts",
  "/users/:name/photos",
  "/things",
  "/use",
  "/",
  "/a:b",
];

describe("Challenges", { skip }, () => {
  for (const text of [
    "/us",
    "/use",
    "/users",
    "/users/",
    "/users/m",
    "/users/me",
    "/users/mex",
    "/users/:",
    "/users/:i",
    "/users/:id",
    "/users/:id/p",
    "/users/:name/",
    "/users/:x",
    "/users/7",
    "/t",
    "/tx",
    "/a:",
    "/:",
    "/",
    "",
    "x",
    "users",
  ]) {
    it(`completes ${text || "nothing"}`, () => {
      const expected = PATTERNS.filter((one) =>
        one.startsWith(text),
      ).sort();
      assert.deepEqual(complete(grow(), text), expected);
    });
  }

  it("names a pattern once, however many methods it has", () => {
    const router = grow();
    router.post("/users", () => {}).all("/users", () => {});
    assert.deepEqual(complete(router, "/users").slice(0, 2), [
      "/users",
      "/users/:id",
    ]);
  });

  it("names both spellings of a parameter's name", () => {
    const router = grow();
    router.post("/users/:user", () => {});
    assert.deepEqual(complete(router, "/users/:u"), ["/users/:user"]);
    assert.deepEqual(complete(router, "/users/:id"), [
      "/users/:id",
      "/users/:id/posts",
    ]);
  });

  it("has nothing to offer when there are no routes", () => {
    assert.deepEqual(complete(new Router(), ""), []);
    assert.deepEqual(complete(new Router(), "/"), []);
  });

  it("walks the tree, and only where the text leads", () => {
    const router = grow();
    const [thing] = router.root.followText("/things").routes;
    // In the tree, and in no list.
    const extra = Object.assign(Object.create(thing), {
      pattern: "/users/zebra",
    });
    router.root.followText("/users/zebra").routes.push(extra);
    assert.deepEqual(complete(router, "/users/z"), ["/users/zebra"]);

    Object.defineProperty(router.root.followText("/things"), "routes", {
      get: () => assert.fail("nothing under /things begins with /us"),
    });
    assert.equal(complete(router, "/us").length, 7);
  });
});

/** @returns {any} a router that completes paths */
function grow() {
  const router = new Router();
  for (const pattern of PATTERNS) router.get(pattern, () => {});
  return router;
}

/**
 * @param {any} router
 * @param {string} text
 */
function complete(router, text) {
  return [...router.complete(text)];
}
