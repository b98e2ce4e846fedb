import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  testGuards,
  testMounts,
  testNames,
} from "../../contracts/middleware/index.js";
import { createServer, HttpError, Router } from "../index.js";
import { coverage } from "../lib/router/guards.js";
import { parsePattern, segmentsOf } from "../lib/router/pattern.js";

const velocy = { Router, createServer, HttpError };
const guard = (_req, _res, next) => next();

const patternsFor = (router, target) => {
  const { guards } = router.judge("GET", target).chain;
  return guards.map(({ pattern }) => pattern);
};

describe("Guards hang on the tree", () => {
  testGuards(velocy);

  it("shows the guards of a tree, and of a request", () => {
    const router = new Router().get("/users/:id", () => {});
    router.use("/users/:who", guard).use(guard);
    const tree = "(all)  use\n/users/\n└─ :id|:who  use, GET";
    assert.equal(`${router}`, tree);
    const text = `${router.explain("GET", "/users/7")}`;
    assert.match(text, /through the middleware of \/ \(.*:\d+:\d+\)/);
    assert.match(text, /through the middleware of \/users\/:who \(/);
  });
});

describe("From the outside in", () => {
  it("goes by depth, and then by line", () => {
    const router = new Router();
    const paths = ["/a/b/", "/:x", "/a", "/", "/a/:y", "/:z/b"];
    for (const path of paths) router.use(path, guard);
    assert.deepEqual(patternsFor(router, "/a/b"), [
      "/",
      "/:x",
      "/a",
      "/a/b/",
      "/a/:y",
      "/:z/b",
    ]);
  });

  it("keeps the order within one call", () => {
    const fns = Array.from({ length: 12 }, () => () => {});
    const router = new Router().use("/a", ...fns);
    const { layers } = router.judge("GET", "/a").chain;
    assert.deepEqual(
      layers.map(({ fn }) => fn),
      fns,
    );
  });
});

describe("Always, never, sometimes", () => {
  const words = ["never", "sometimes", "always"];
  /** @type {[guard: string, route: string, how: string][]} */
  const cases = [
    ["/", "/", "always"],
    ["/", "/*", "always"],
    ["/admin", "/admin", "always"],
    ["/admin", "/admin/", "always"],
    ["/admin", "/admin/users/:id", "always"],
    ["/admin", "/administration", "never"],
    ["/admin", "/", "never"],
    ["/admin/users", "/admin", "never"],
    ["/users/me", "/users/:id", "sometimes"],
    ["/users/:id", "/users/me", "always"],
    ["/users/:id", "/users/:who/posts", "always"],
    ["/users/:id", "/users/", "never"],
    ["/users/:id", "/users", "never"],
    ["/:any", "/", "never"],
    ["/static", "/static/*", "always"],
    ["/static/private", "/static/*", "sometimes"],
    ["/static/:name", "/static/*", "sometimes"],
    ["/other/private", "/static/*", "never"],
    ["/static", "/*", "sometimes"],
    ["/a/x", "/:b/y", "never"],
  ];
  for (const [guarded, route, how] of cases) {
    it(`${guarded} guards ${route} ${how}`, () => {
      const path = guarded === "/" ? [] : segmentsOf(parsePattern(guarded));
      const found = coverage(path, segmentsOf(parsePattern(route)));
      assert.equal(words[found], how);
    });
  }

  it("puts a fixed chain together once", () => {
    const router = new Router().get("/a", () => {}).use("/a", guard);
    const { chain } = router.judge("GET", "/a");
    assert.equal(router.judge("GET", "/%61").chain, chain);
  });

  it("asks again when a guard has come", () => {
    const router = new Router().get("/a/:b", () => {}).use("/a", guard);
    assert.deepEqual(patternsFor(router, "/a/b"), ["/a"]);
    router.use("/a/b", guard);
    assert.deepEqual(patternsFor(router, "/a/b"), ["/a", "/a/b"]);
    assert.deepEqual(patternsFor(router, "/a/c"), ["/a"]);
  });
});

describe("Two names for one segment", () => {
  testNames(velocy);
});

describe("A router in a router", () => {
  testMounts(velocy);
});
