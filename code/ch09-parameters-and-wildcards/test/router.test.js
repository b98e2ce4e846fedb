import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startProgram } from "../../contracts/http/index.js";
import { ask } from "../../contracts/router/ask.js";
import { testRouter } from "../../contracts/router/index.js";
import { testServer } from "../../contracts/router/server.js";
import { createServer, Router } from "../index.js";

const folder = new URL("..", import.meta.url);
const handler = () => {};

describe("Back up, and the other way", () => {
  it("lets Max log in", () => {
    const router = new Router()
      .get("/users/:id", handler)
      .get("/users/me", handler)
      .get("/users/mia", handler);
    assert.deepEqual(
      { ...router.find("GET", "/users/max")?.params },
      {
        id: "max",
      },
    );
  });

  it("visits no node twice, however often it turns back", () => {
    const router = new Router();
    // Two ways at each of eight levels, and none of them leads to the end.
    for (let i = 0; i < 256; i += 1) {
      const bits = i.toString(2).padStart(8, "0");
      const ways = [...bits].map((bit, n) =>
        bit === "0" ? "a" : `:p${n}`,
      );
      router.get(`/${ways.join("/")}/end`, handler);
    }
    const path = `/${"a/".repeat(8)}dead`;
    const visits = countVisits(router.root);
    assert.equal(router.find("GET", path), null);
    const counts = [...visits.values()];
    assert.ok(Math.max(...counts) <= 1, `${Math.max(...counts)} times`);
    const visited = counts.filter((count) => count === 1).length;
    assert.ok(visited > 500, `only ${visited} nodes were looked at`);
  });
});

describe("A method is part of the question", () => {
  it("goes on where a node has no route for the method", () => {
    const router = new Router()
      .get("/users/me", handler)
      .delete("/users/:id", handler);
    const { params } = router.find("DELETE", "/users/me") ?? {};
    assert.deepEqual({ ...params }, { id: "me" });
    const methods = ["DELETE", "GET", "HEAD", "OPTIONS"];
    assert.deepEqual(router.allowedMethods("/users/me"), methods);
  });

  it("keeps the parameters of two matches apart", () => {
    const router = new Router().get("/:a/:b", handler);
    const one = router.find("GET", "/1/2");
    const two = router.find("GET", "/3/4");
    assert.deepEqual({ ...one?.params }, { a: "1", b: "2" });
    assert.deepEqual({ ...two?.params }, { a: "3", b: "4" });
  });
});

describe("All that is left", () => {
  /** @type {Awaited<ReturnType<ReturnType<typeof startProgram>>>} */
  let program;
  before(async () => {
    program = await startProgram(folder)({ limits: {} });
  });
  after(() => program?.close());

  for (const [method, path, expected] of [
    ["GET", "/users/7", "user 7\n"],
    ["GET", "/users/me", "it is you\n"],
    ["DELETE", "/users/me", "goodbye me\n"],
    ["GET", "/users/me/posts/12", "post 12 of user me\n"],
    ["GET", "/files/a/b.txt", 'the file "a/b.txt"\n'],
    ["GET", "/files/", 'the file ""\n'],
  ]) {
    it(`answers ${method} ${path} as the chapter's server`, async () => {
      const { body } = await ask(program.port, method, path);
      assert.equal(body, expected);
    });
  }

  it("has no answer for /files without its slash", async () => {
    const { statusCode } = await ask(program.port, "GET", "/files");
    assert.equal(statusCode, 404);
  });

  it("takes 64 parameters, and no more", () => {
    const pattern = Array.from({ length: 63 }, (_, i) => `/:p${i}`).join(
      "",
    );
    const router = new Router().get(`${pattern}/*`, handler);
    const found = router.find("GET", `${"/x".repeat(63)}/y/z`);
    assert.equal(Object.keys(found?.params ?? {}).length, 64);
    assert.equal(found?.params["*"], "y/z");
    assert.throws(() => router.get(`${pattern}/:last/*`, handler), {
      code: "ERR_PATTERN_INVALID",
      message: /64 parameters/,
    });
  });
});

describe("Who wins", () => {
  it("names both routes of a conflict, and where they were added", () => {
    const router = new Router().get("/files/*", handler);
    const place = String.raw`router\.test\.js:\d+:\d+`;
    assert.throws(() => router.get("/files/*path", handler), {
      code: "ERR_ROUTE_CONFLICT",
      message: RegExp(
        String.raw`GET /files/\*path .*${place}.*GET /files/\* .*${place}`,
      ),
    });
  });

  testRouter({
    name: "velocy 0.9.0",
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
    ],
    create: () => new Router(),
  });

  testServer({ Router, createServer, can: ["onError", "parameters"] });
});

describe("A parameter called __proto__", () => {
  it("is an own key, and changes no prototype", () => {
    const router = new Router().get("/:__proto__/:constructor", handler);
    const { params = {} } = router.find("GET", "/a/b") ?? {};
    const entries = [
      ["__proto__", "a"],
      ["constructor", "b"],
    ];
    assert.deepEqual(Object.entries(params), entries);
    assert.equal(/** @type {any} */ ({}).a, undefined);
  });

  it("is all there is: nothing is inherited", () => {
    const router = new Router().get("/:id", handler).get("/", handler);
    for (const path of ["/7", "/"]) {
      const params = /** @type {any} */ (router.find("GET", path)?.params);
      for (const name of ["constructor", "toString", "__proto__", "x"]) {
        assert.equal(params[name], undefined, name);
        assert.equal(name in params, false, name);
      }
    }
  });
});

describe("Tell me why", () => {
  const router = new Router()
    .get("/users/:id", handler)
    .get("/users/me", handler)
    .get("/users/mia", handler)
    .post("/users/:id/posts", handler)
    .get("/files/*path", handler);

  it("tells the route, its place and the parameters", () => {
    const explanation = router.explain("GET", "/users/max?page=2");
    assert.equal(explanation.statusCode, 200);
    assert.equal(explanation.path, "/users/max");
    assert.equal(explanation.route?.pattern, "/users/:id");
    assert.match(explanation.route?.at ?? "", /router\.test\.js:\d+:\d+$/);
    assert.deepEqual({ ...explanation.params }, { id: "max" });
  });

  it("tells each step that the search took, also in vain", () => {
    const { steps } = router.explain("GET", "/users/max");
    const told = steps.map(({ kind, label, isMatch }) => {
      return `${kind} ${label} ${isMatch}`;
    });
    const fork = told.indexOf("static m true");
    assert.ok(fork > 0, told.join("; "));
    const parameter = told.indexOf("parameter :id true");
    assert.ok(parameter > fork, told.join("; "));
    assert.equal(told.at(-1), "end (end) true");
  });

  it("tells why nobody answers", () => {
    const verdicts = [
      ["GET", "/users/7/posts", 405, "OPTIONS, POST"],
      ["GET", "/nobody", 404, ""],
      ["BREW", "/users/7", 501, ""],
      ["OPTIONS", "/users/7", 204, "GET, HEAD, OPTIONS"],
      ["GET", "users", 400, ""],
    ];
    for (const [method, target, statusCode, allow] of verdicts) {
      const told = router.explain(String(method), String(target));
      assert.equal(told.statusCode, statusCode, `${method} ${target}`);
      assert.equal(told.allow.join(", "), allow, `${method} ${target}`);
      assert.equal(told.route, null);
      assert.match(String(told), RegExp(`=> ${statusCode}: .+`));
    }
  });

  it("is text for people, and ends in what comes of it", () => {
    const lines = String(router.explain("GET", "/files/a/b")).split("\n");
    assert.equal(lines[0], "GET /files/a/b");
    assert.match(
      lines.at(-1) ?? "",
      /^=> GET \/files\/\*path \(.+:\d+:\d+\) \{"path":"a\/b"\}$/,
    );
  });
});

/**
 * Counts how often each node is looked at: a search reads a node's wildcard
 * once.
 *
 * @param {any} root
 * @returns {Map<object, number>}
 */
function countVisits(root) {
  /** @type {Map<object, number>} */
  const counts = new Map();
  const watch = (/** @type {any} */ node) => {
    counts.set(node, 0);
    for (const child of node.children) if (child) watch(child);
    if (node.parameter) watch(node.parameter);
    const { wildcard } = node;
    const get = () => {
      counts.set(node, (counts.get(node) ?? 0) + 1);
      return wildcard;
    };
    Object.defineProperty(node, "wildcard", { get });
  };
  watch(root);
  return counts;
}
