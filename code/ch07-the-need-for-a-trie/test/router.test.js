import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startProgram } from "../../contracts/http/index.js";
import { ask } from "../../contracts/router/ask.js";
import { testRouter } from "../../contracts/router/index.js";
import { testServer } from "../../contracts/router/server.js";
import { createServer, Router } from "../index.js";
import { parsePattern } from "../lib/router/pattern.js";

const folder = new URL("..", import.meta.url);
const handler = () => {};

describe("What a pattern says", () => {
  it("cuts a pattern into text and parameters", () => {
    assert.deepEqual(parsePattern("/users/:id/posts"), [
      { kind: "static", text: "users" },
      { kind: "parameter", text: "id" },
      { kind: "static", text: "posts" },
    ]);
  });

  it("says what a parameter looks like", () => {
    const router = new Router();
    assert.throws(() => router.get("/users/:id-:name", handler), {
      name: "UsageError",
      code: "ERR_PARAMETER_INVALID",
      message: /":id-:name" in "\/users\/:id-:name"/,
    });
  });

  it("says that a name has no digit in front", () => {
    for (const segment of [":1", ":1a"]) {
      assert.throws(() => parsePattern(`/${segment}`), {
        code: "ERR_PARAMETER_INVALID",
        message: new RegExp(`"${segment}" in .*no digit first`),
      });
    }
  });

  it("takes an empty segment and a star for text", () => {
    const empty = { kind: "static", text: "" };
    assert.deepEqual(parsePattern("/"), [empty]);
    assert.deepEqual(parsePattern("/a/"), [
      { kind: "static", text: "a" },
      empty,
    ]);
    assert.deepEqual(parsePattern("/*"), [{ kind: "static", text: "*" }]);
  });

  it("takes a colon for text where it isn't in front", () => {
    for (const text of ["12:30", "id-:name", "a:"]) {
      assert.deepEqual(parsePattern(`/${text}`), [
        { kind: "static", text },
      ]);
    }
  });

  it("says which name a pattern has twice", () => {
    const router = new Router();
    assert.throws(() => router.get("/:a/:b/:a", handler), {
      code: "ERR_PARAMETER_REPEATED",
      message: /"\/:a\/:b\/:a" .*"a"/,
    });
    assert.deepEqual(router.routes(), []);
  });

  it("refuses a ? or # in any segment, and says why", () => {
    for (const pattern of ["/hello?x=1", "/:id/#top", "/a/b?/:id"]) {
      assert.throws(() => parsePattern(pattern), {
        code: "ERR_PATTERN_INVALID",
        message: /no path has a \? or # in it/,
      });
    }
  });
});

describe("A tree of segments", () => {
  /** @type {Awaited<ReturnType<ReturnType<typeof startProgram>>>} */
  let program;
  before(async () => {
    program = await startProgram(folder)({ limits: {} });
  });
  after(() => program?.close());

  for (const [path, expected] of [
    ["/users/7", "user 7\n"],
    ["/users/7?page=2", "user 7\n"],
    ["/users/me", "it is you\n"],
    ["/users/men", "user men\n"],
    ["/users/7/posts/12", "post 12 of user 7\n"],
  ]) {
    it(`answers ${path} as the chapter's server`, async () => {
      const { body } = await ask(program.port, "GET", path);
      assert.equal(body, expected);
    });
  }

  it("gives the names of each route, whichever shares its nodes", () => {
    const router = new Router()
      .get("/users/:id", handler)
      .post("/users/:name", handler)
      .get("/users/:user/posts/:post", handler);
    const paramsOf = (method, path) => router.find(method, path)?.params;
    assert.deepEqual(paramsOf("GET", "/users/7"), { id: "7" });
    assert.deepEqual(paramsOf("POST", "/users/7"), { name: "7" });
    const both = { user: "7", post: "12" };
    assert.deepEqual(paramsOf("GET", "/users/7/posts/12"), both);
  });

  it("answers in whatever order the routes were added", () => {
    const patterns = ["/users/:id", "/users/me", "/:any/me"];
    for (const order of [patterns, patterns.toReversed()]) {
      const router = new Router();
      for (const pattern of order) router.get(pattern, handler);
      assert.deepEqual(router.find("GET", "/users/me")?.params, {});
      assert.deepEqual(router.find("GET", "/users/7")?.params, { id: "7" });
    }
  });

  it("takes a colon in a path for what it is", async () => {
    const { body } = await ask(program.port, "GET", "/users/:id");
    assert.equal(body, "user :id\n");
  });

  it("finds nothing for what does not begin with a slash", () => {
    const router = new Router().get("/users/:id", handler);
    for (const path of ["", "*", "*users/7", "users/7"]) {
      assert.equal(router.find("GET", path), null, path);
      assert.deepEqual(router.allowedMethods(path), [], path);
    }
  });

  it("keeps the route that was asked for, with its names", () => {
    const router = new Router().get("/users/:id/posts/:post", handler);
    const found = router.find("GET", "/users/7/posts/12");
    assert.equal(found?.route.pattern, "/users/:id/posts/:post");
    assert.deepEqual(found?.route.names, ["id", "post"]);
    assert.deepEqual(found?.params, { id: "7", post: "12" });
  });

  it("refuses one pattern in two spellings, and names both", () => {
    const router = new Router().get("/users/:id", handler);
    assert.throws(() => router.get("/users/:name", handler), {
      code: "ERR_ROUTE_CONFLICT",
      message: /GET \/users\/:name .*GET \/users\/:id /,
    });
    router.post("/users/:name", handler);
    assert.equal(router.routes().length, 2);
  });

  testRouter({
    name: "velocy 0.7.0",
    can: [
      "head",
      "all",
      "allowedMethods",
      "errors",
      "conflicts",
      "onlyPaths",
      "parameters",
      "ownNames",
      "anyName",
      "text",
    ],
    create: () => new Router(),
  });

  testServer({ Router, createServer, can: ["onError", "parameters"] });
});

describe("What it gets wrong", () => {
  it("does not come back from a branch that dies, until chapter 9", () => {
    const router = new Router()
      .get("/users/:id/posts/:post", handler)
      .get("/users/me", handler);
    assert.equal(router.find("GET", "/users/me/posts/12"), null);
    assert.notEqual(router.find("GET", "/users/7/posts/12"), null);
  });

  it("does not look for another node when the method is missing", () => {
    const router = new Router()
      .get("/users/me", handler)
      .post("/users/:name", handler);
    const { statusCode, allow } = router.judge("POST", "/users/me");
    assert.equal(statusCode, 405);
    assert.deepEqual(allow, ["GET", "HEAD", "OPTIONS"]);
  });

  it("reads no escapes, until chapter 10", () => {
    const router = new Router()
      .get("/users/:id", handler)
      .get("/users/me", handler);
    const { route, params } = router.find("GET", "/users/%6De") ?? {};
    assert.equal(route?.pattern, "/users/:id");
    assert.deepEqual(params, { id: "%6De" });
  });
});

describe("Break it", () => {
  it("keeps a parameter called __proto__", () => {
    const router = new Router().get("/users/:__proto__", handler);
    const found = router.find("GET", "/users/7");
    assert.deepEqual(Object.entries(found?.params ?? {}), [
      ["__proto__", "7"],
    ]);
  });
});
