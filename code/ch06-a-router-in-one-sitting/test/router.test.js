import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { testRouter } from "../../contracts/router/index.js";
import { RouteError, Router } from "../index.js";

const handler = () => {};

describe("velocy 0.6.0", () => {
  it("can be imported by its name", async () => {
    const velocy = await import("velocy");
    assert.equal(velocy.Router, Router);
  });

  it("gives the router back, so that calls can be chained", () => {
    const router = new Router();
    for (const method of /** @type {const} */ ([
      "get",
      "head",
      "post",
      "put",
      "patch",
      "delete",
      "options",
      "all",
    ])) {
      assert.equal(router[method]("/chained", handler), router, method);
    }
    assert.equal(router.route("PROPFIND", "/chained", handler), router);
  });

  it("has a method for each of the usual methods", () => {
    const router = new Router();
    for (const method of /** @type {const} */ ([
      "get",
      "head",
      "post",
      "put",
      "patch",
      "delete",
      "options",
    ])) {
      const own = () => {};
      router[method]("/path", own);
      const found = router.find(method.toUpperCase(), "/path");
      assert.equal(found?.handler, own, method);
    }
  });
});

describe("Saying no, in four ways", () => {
  it("knows the methods that it answers on some path", () => {
    const router = new Router();
    assert.deepEqual(router.methods(), ["OPTIONS"]);
    router.get("/a", handler).route("M-SEARCH", "/b", handler);
    assert.deepEqual(router.methods(), [
      "GET",
      "HEAD",
      "M-SEARCH",
      "OPTIONS",
    ]);
  });

  it("answers the usual methods where there is a route for all", () => {
    const methods = new Router().all("/a", handler).methods();
    assert.deepEqual(methods, [
      "DELETE",
      "GET",
      "HEAD",
      "OPTIONS",
      "PATCH",
      "POST",
      "PUT",
    ]);
  });

  it("lists its routes in the order in which they were added", () => {
    const router = new Router()
      .post("/b", handler)
      .get("/a", handler)
      .all("/b", handler);
    assert.deepEqual(
      router.routes().map(({ method, pattern }) => `${method} ${pattern}`),
      ["POST /b", "GET /a", "ALL /b"],
    );
  });

  it("lets nobody change its routes through the list", () => {
    const router = new Router().get("/a", handler);
    router.routes().pop();
    router.routes()[0].pattern = "/b";
    assert.deepEqual(
      router.routes().map(({ pattern }) => pattern),
      ["/a"],
    );
  });
});

describe("Mistakes should hurt at once", () => {
  /** @type {[what: string, code: string, arguments: any[]][]} */
  const mistakes = [
    ["a method with a space", "ERR_METHOD_INVALID", ["G T", "/", handler]],
    ["no method", "ERR_METHOD_INVALID", [undefined, "/", handler]],
    [
      "a pattern without its slash",
      "ERR_PATTERN_INVALID",
      ["GET", "x", handler],
    ],
    ["no pattern", "ERR_PATTERN_INVALID", ["GET", undefined, handler]],
    ["no handler", "ERR_HANDLER_INVALID", ["GET", "/"]],
    [
      "what a handler returned",
      "ERR_HANDLER_INVALID",
      ["GET", "/", Promise.resolve()],
    ],
  ];
  for (const [what, code, [method, pattern, given]] of mistakes) {
    it(`says ${code} for ${what}, and adds nothing`, () => {
      const router = new Router();
      const add = () => router.route(method, pattern, given);
      assert.throws(add, { name: "RouteError", code });
      assert.throws(add, RouteError);
      assert.deepEqual(router.routes(), []);
      assert.deepEqual(router.methods(), ["OPTIONS"]);
    });
  }

  it("says what was expected, and what it got", () => {
    const router = new Router();
    const none = /** @type {any} */ (undefined);
    assert.throws(() => router.get("hello", handler), {
      message: 'a pattern is a string that starts with /, not "hello"',
    });
    assert.throws(() => router.get("/hello", none), {
      message:
        "the handler of GET /hello must be a function, not undefined",
    });
  });

  it("names both routes of a conflict, and where they were added", () => {
    const router = new Router();
    const lineBefore = lineHere();
    router.get("/hello", handler);
    router.post("/hello", handler);
    assert.throws(
      () => router.get("/hello", handler),
      (/** @type {any} */ { code, message }) => {
        assert.equal(code, "ERR_ROUTE_CONFLICT");
        assert.equal(message.match(/GET \/hello/g).length, 2);
        assert.doesNotMatch(message, /POST/);
        const places = message.match(/router\.test\.js:\d+:\d+/g);
        const lines = places.map((/** @type {string} */ place) =>
          Number(place.split(":")[1]),
        );
        assert.deepEqual(lines, [lineBefore + 4, lineBefore + 1]);
        return true;
      },
    );
    assert.equal(router.routes().length, 2);
  });

  it("knows where a route was added, whichever method added it", () => {
    const router = new Router();
    const line = lineHere();
    router.get("/a", handler);
    router.head("/a", handler);
    router.post("/a", handler);
    router.put("/a", handler);
    router.patch("/a", handler);
    router.delete("/a", handler);
    router.options("/a", handler);
    router.all("/a", handler);
    router.route("PROPFIND", "/a", handler);
    for (const [i, { method, at }] of router.routes().entries()) {
      assert.match(at, /router\.test\.js:\d+:\d+$/, method);
      assert.equal(Number(at.split(":").at(-2)), line + 1 + i, method);
    }
  });

  it("has conflicts per method, and for all methods too", () => {
    const router = new Router().all("/a", handler).get("/a", handler);
    assert.throws(() => router.all("/a", handler), {
      code: "ERR_ROUTE_CONFLICT",
    });
  });
});

describe("What we have", () => {
  testRouter({
    name: "velocy 0.6.0",
    can: [
      "head",
      "all",
      "allowedMethods",
      "errors",
      "conflicts",
      "onlyPaths",
      "text",
    ],
    create: () => new Router(),
  });
});

/** @returns {number} the line that it is called from */
function lineHere() {
  const [, , frame] = new Error().stack?.split("\n") ?? [];
  return Number(frame.split(":").at(-2));
}
