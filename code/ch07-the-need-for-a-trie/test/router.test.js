import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startProgram } from "../../contracts/http/index.js";
import { ask } from "../../contracts/router/ask.js";
import { testRouter } from "../../contracts/router/index.js";
import { testServer } from "../../contracts/router/server.js";
import { createServer, Router } from "../index.js";
import { parsePattern } from "../lib/pattern.js";

const folder = new URL("..", import.meta.url);
const handler = () => {};

describe("Try them one by one", () => {
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
      name: "RouteError",
      code: "ERR_PARAMETER_INVALID",
      message: /":id-:name" in "\/users\/:id-:name"/,
    });
  });

  it("says which name a pattern has twice", () => {
    const router = new Router();
    assert.throws(() => router.get("/:a/:b/:a", handler), {
      code: "ERR_PARAMETER_REPEATED",
      message: /"\/:a\/:b\/:a" .*"a"/,
    });
    assert.deepEqual(router.routes(), []);
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

  it("answers in whatever order the routes were added", () => {
    const patterns = ["/users/:id", "/users/me", "/:any/me"];
    for (const order of [patterns, patterns.toReversed()]) {
      const router = new Router();
      for (const pattern of order) router.get(pattern, handler);
      assert.deepEqual(router.find("GET", "/users/me")?.params, {});
      assert.deepEqual(router.find("GET", "/users/7")?.params, { id: "7" });
    }
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
});
