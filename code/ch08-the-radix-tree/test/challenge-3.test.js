import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Router } from "../index.js";
import { Route } from "../lib/router/route.js";

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

  it("finds what is in the tree, and in no list", () => {
    const router = grow();
    const extra = new Route({
      method: "POST",
      pattern: "/users/mezzo",
      names: [],
      handler: () => {},
      addedAt: "nowhere",
    });
    router.find("GET", "/users/me").route.append(extra);
    assert.deepEqual(complete(router, "/users/me"), [
      "/users/me",
      "/users/mezzo",
    ]);
  });

  it("looks at no route where the text does not lead", () => {
    const router = grow();
    const { route } = router.find("GET", "/things");
    Object.defineProperty(route, "pattern", {
      get: () => assert.fail("nothing under /things begins with /us"),
    });
    assert.equal(complete(router, "/us").length, 6);
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
