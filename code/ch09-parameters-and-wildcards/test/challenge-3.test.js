import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Router } from "../index.js";

const skip = process.env.CHALLENGE !== "3" && "challenge 3";

const handler = () => {};

describe("Challenges", { skip }, () => {
  /** @type {[pattern: string, params: Record<string, unknown>, string][]} */
  const paths = [
    ["/", {}, "/"],
    ["/about/us", {}, "/about/us"],
    ["/users/:id", { id: "7" }, "/users/7"],
    ["/users/:id", { id: 7 }, "/users/7"],
    ["/users/:id/posts/:post", { id: "a", post: "b" }, "/users/a/posts/b"],
    ["/users/:id", { id: "a/b" }, "/users/a%2Fb"],
    ["/users/:id", { id: "100%" }, "/users/100%25"],
    ["/users/:id", { id: "a?b#c" }, "/users/a%3Fb%23c"],
    ["/users/:id", { id: "a b" }, "/users/a%20b"],
    ["/users/:id", { id: "Zoë" }, "/users/Zo%C3%AB"],
    ["/users/:id", { id: ":id" }, "/users/:id"],
    ["/users/:id", { id: "$&" }, "/users/$&"],
    ["/files/*path", { path: "a/b c/d?" }, "/files/a/b%20c/d%3F"],
    ["/files/:in/*path", { in: "a/b", path: "c/d" }, "/files/a%2Fb/c/d"],
    ["/rest/*", { "*": "x/y%" }, "/rest/x/y%25"],
    ["/rest/*", { "*": "" }, "/rest/"],
  ];
  for (const [pattern, params, path] of paths) {
    it(`leads from ${pattern} to ${path}`, () => {
      const made = routerWith(pattern).path(pattern, params);
      assert.equal(plain(made), plain(path));
    });
  }

  it("ignores values that the pattern does not name", () => {
    const router = routerWith("/users/:id");
    const params = { id: "7", page: "2", users: "x" };
    assert.equal(router.path("/users/:id", params), "/users/7");
  });

  it("keeps a pattern's own text as it is", () => {
    const router = routerWith("/a:b/:a");
    assert.equal(router.path("/a:b/:a", { a: "1" }), "/a:b/1");
  });

  it("gives a path for any method that has the pattern", () => {
    const router = new Router().post("/form/:id", handler);
    assert.equal(asAny(router).path("/form/:id", { id: "1" }), "/form/1");
  });

  for (const value of [".", ".."]) {
    it(`never lets ${value} be a segment`, () => {
      const router = routerWith("/a/:b/c", "/files/*path");
      /** @type {[pattern: string, params: {}][]} */
      const calls = [
        ["/a/:b/c", { b: value }],
        ["/files/*path", { path: `x/${value}/y` }],
        ["/files/*path", { path: value }],
      ];
      for (const [pattern, params] of calls) {
        // Refused with a code, or written so that it stays a name.
        const made = attempt(() => router.path(pattern, params));
        const segments = made.split("/");
        assert.ok(!segments.includes("."), made);
        assert.ok(!segments.includes(".."), made);
      }
    });
  }

  it("refuses a value that is missing or empty", () => {
    const router = routerWith("/users/:id/posts/:post");
    const pattern = "/users/:id/posts/:post";
    for (const params of [
      {},
      { id: "7" },
      { post: "12" },
      { id: "", post: "12" },
      { id: undefined, post: "12" },
      { id: null, post: "12" },
    ]) {
      assert.throws(() => router.path(pattern, params), hasCode);
    }
  });

  it("refuses a wildcard's value that is missing", () => {
    const router = routerWith("/files/*path");
    for (const params of [{}, { path: undefined }, { path: null }]) {
      assert.throws(() => router.path("/files/*path", params), hasCode);
    }
  });

  it("refuses a value that can't be escaped", () => {
    const router = routerWith("/users/:id", "/files/*path");
    const id = "\ud800";
    assert.throws(() => router.path("/users/:id", { id }), hasCode);
    const params = { path: `a/${id}` };
    assert.throws(() => router.path("/files/*path", params), hasCode);
  });

  it("takes nothing for a value that the object only inherits", () => {
    const router = routerWith("/:constructor");
    assert.throws(() => router.path("/:constructor", {}), hasCode);
    const params = { constructor: "x" };
    assert.equal(router.path("/:constructor", params), "/x");
  });

  it("refuses a pattern that no route has", () => {
    const router = routerWith("/users/:id");
    for (const pattern of ["/users/:name", "/users", "/users/7", ""]) {
      const call = () => router.path(pattern, { id: "7", name: "7" });
      assert.throws(call, hasCode, pattern);
    }
  });
});

/**
 * @param {string[]} patterns
 * @returns {any} a router that can tell paths
 */
function routerWith(...patterns) {
  const router = new Router();
  for (const pattern of patterns) router.get(pattern, handler);
  return router;
}

/** @param {unknown} value @returns {any} */
function asAny(value) {
  return value;
}

/**
 * Some characters may be escaped, or not.
 *
 * @param {string} path
 */
function plain(path) {
  return path.replace(/%(?:3A|24|26)/gi, decodeURIComponent);
}

/** @param {any} err */
function hasCode({ code }) {
  return /^ERR_(?!INVALID_ARG)/.test(code);
}

/**
 * @param {() => string} call
 * @returns {string}
 */
function attempt(call) {
  try {
    return call();
  } catch (err) {
    assert.ok(hasCode(err), String(err));
    return "refused";
  }
}
