import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { testRouter } from "../../contracts/router/index.js";
import { Router } from "../index.js";
import { canonicalPath, pathOf, segmentValue } from "../lib/path.js";

const handler = () => {};

describe("Decode after splitting", () => {
  /** @type {[given: string, canonical: string][]} */
  const paths = [
    ["/", "/"],
    ["/a/b", "/a/b"],
    ["/%61dmin", "/admin"],
    ["/a%2fb/%63", "/a%2Fb/c"],
    ["/100%25", "/100%25"],
    ["/%2561", "/%2561"],
    ["/caf%C3%A9/", "/café/"],
    ["/.a/..b/c.", "/.a/..b/c."],
  ];
  for (const [given, canonical] of paths) {
    it(`makes ${canonical} of ${given}`, () => {
      assert.equal(canonicalPath(given), canonical);
    });
  }

  for (const path of ["/a//b", "/a/../b", "/a/%2E%2e", "/%zz", "/a\\b"]) {
    it(`refuses ${path}`, () => {
      assert.throws(() => canonicalPath(path), { message: /./ });
    });
  }
});

describe("The target around the path", () => {
  it("cuts off the query, and the host that the Host field names", () => {
    assert.equal(pathOf("/a?b=/c/../d"), "/a");
    assert.equal(pathOf("http://x.example/a?b", "X.example"), "/a");
    assert.equal(pathOf("https://x.example", "x.example"), "/");
    assert.equal(pathOf("http://x.example/a"), "/a");
  });

  for (const target of ["", "a", "*", "http://y/a", "http://u@x/a", "/ü"]) {
    it(`refuses ${target || "nothing"}`, () => {
      assert.throws(() => pathOf(target, "x"), { message: /./ });
    });
  }
});

describe("Values, and patterns", () => {
  it("gives a handler what a segment means", () => {
    assert.equal(segmentValue("a%2Fb"), "a/b");
    assert.equal(segmentValue("%252F"), "%2F");
    const router = new Router().get("/:a/*rest", handler);
    const { params } = router.find("GET", "/a%2Fb/c%2Fd/100%25") ?? {};
    assert.deepEqual({ ...params }, { a: "a/b", rest: "c%2Fd/100%25" });
  });

  it("takes a pattern in any spelling", () => {
    const router = new Router()
      .get("/café", handler)
      .get("/%61dmin", handler);
    assert.notEqual(router.find("GET", "/café"), null);
    assert.notEqual(router.find("GET", "/admin"), null);
    assert.throws(() => router.get("/caf%c3%a9", handler), {
      code: "ERR_ROUTE_CONFLICT",
    });
  });

  it("says why a pattern can't match any path", () => {
    const router = new Router();
    for (const pattern of ["/a/../b", "/a//b", "/a?b", "/\ud800"]) {
      assert.throws(() => router.get(pattern, handler), {
        code: "ERR_PATTERN_INVALID",
        message: /can't match any path: ./,
      });
    }
  });
});

describe("Case and slashes, if you must", () => {
  it("refuses an option that is neither true nor false", () => {
    for (const option of ["caseSensitive", "trailingSlash"]) {
      const options = /** @type {any} */ ({ [option]: "no" });
      assert.throws(() => new Router(options), {
        code: "ERR_OPTION_INVALID",
        message: RegExp(`${option} .*"no"`),
      });
    }
  });

  it("folds a path as it folds its patterns", () => {
    const router = new Router({
      caseSensitive: false,
      trailingSlash: false,
    });
    assert.equal(router.fold("/Users/Ada/"), "/users/ada");
    assert.equal(router.fold("/"), "/");
    router.get("/Users/:Name/", handler);
    const { params } = router.find("GET", "/USERS/Ada") ?? {};
    assert.deepEqual({ ...params }, { Name: "Ada" });
  });

  it("explains what it finds under those options, too", () => {
    const router = new Router({ trailingSlash: false });
    router.get("/files/*", handler);
    const { route, params } = router.explain("GET", "/files");
    assert.equal(route?.pattern, "/files/*");
    assert.deepEqual({ ...params }, { "*": "" });
  });
});

describe("How good is it?", () => {
  testRouter({
    name: "velocy 0.10.0",
    can: [
      "head",
      "all",
      "allowedMethods",
      "errors",
      "conflicts",
      "onlyPaths",
      "parameters",
      "wildcards",
      "namedWildcards",
      "backtracking",
      "ownNames",
      "anyName",
      "text",
      "escapes",
      "caseSensitive",
      "trailingSlash",
    ],
    create: (options) => new Router(options),
  });
});
