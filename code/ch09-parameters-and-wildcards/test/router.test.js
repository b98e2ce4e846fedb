import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { inspect } from "node:util";
import { startProgram } from "../../contracts/http/index.js";
import { ask } from "../../contracts/router/ask.js";
import { testRouter } from "../../contracts/router/index.js";
import { testServer } from "../../contracts/router/server.js";
import { createServer, Router } from "../index.js";
import { Node } from "../lib/router/node.js";

/** @import { TestContext } from "node:test" */

const folder = new URL("..", import.meta.url);
const handler = () => {};

describe("Back up, and the other way", () => {
  it("turns back where a path ends at a node without a route", () => {
    const router = new Router()
      .get("/users/:id", handler)
      .get("/users/me", handler)
      .get("/users/mia", handler);
    const { params } = router.find("GET", "/users/m") ?? {};
    assert.deepEqual({ ...params }, { id: "m" });
  });

  it("lets Max log in", () => {
    const router = new Router()
      .get("/users/:id", handler)
      .get("/users/me", handler)
      .get("/users/mia", handler);
    const { params } = router.find("GET", "/users/max") ?? {};
    assert.deepEqual({ ...params }, { id: "max" });
  });

  it("visits no node twice, however often it turns back", (t) => {
    const { router, visits } = growFullTree(t);
    assert.equal(router.find("GET", "/a/a/a/a/a/a/a/a/a"), null);
    assert.deepEqual([...new Set(visits.values())], [1]);
  });

  it("stops at the first route that fits", (t) => {
    const { router, visits } = growFullTree(t);
    assert.notEqual(router.find("GET", "/a/a/a/a/a/a/a/a"), null);
    const visited = [...visits.values()].filter((count) => count > 0);
    // The root, the slash, and the eight segments.
    assert.deepEqual(visited, Array(10).fill(1));
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
});

describe("What turning back can cost", () => {
  it("walks the tree once for Allow, whatever the methods", (t) => {
    const { router, visits } = growFullTree(t);
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      router.route(method, "/a/a/a/a/a/a/a/a/elsewhere", handler);
    }
    assert.deepEqual(router.allowedMethods("/a/a/a/a/a/a/a/a/a"), []);
    assert.deepEqual([...new Set(visits.values())], [1]);
  });

  it("walks it twice for a 404, and for a 405", (t) => {
    for (const [path, statusCode] of [
      ["/a/a/a/a/a/a/a/a/a", 404],
      ["/a/a/a/a/a/a/a/a", 405],
    ]) {
      const { router, visits } = growFullTree(t);
      const verdict = router.judge("POST", String(path));
      assert.equal(verdict.statusCode, statusCode);
      const counts = [...new Set(visits.values())];
      assert.deepEqual(counts, [2], `${path}`);
    }
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
    ["GET", "/files/a/b.txt", 'the file "a/b.txt"\n'],
    ["GET", "/files/", 'the file ""\n'],
  ]) {
    it(`answers ${method} ${path} as the chapter's server`, async () => {
      const { body } = await ask(program.port, method, path);
      assert.equal(body, expected);
    });
  }

  it("is drawn with each name that a route gives to it", () => {
    const router = new Router()
      .get("/files/*path", handler)
      .post("/files/*rest", handler)
      .delete("/files/*path", handler);
    const [, branch] = String(router).split("\n");
    assert.equal(branch, "└─ *path|*rest  GET, POST, DELETE");
    const { steps } = router.explain("PUT", "/files/a");
    assert.equal(steps.at(-1)?.label, "*path|*rest");
  });

  it("has no answer for /files without its slash", async () => {
    const { statusCode } = await ask(program.port, "GET", "/files");
    assert.equal(statusCode, 404);
  });
});

describe("Arrays that nobody asked for", () => {
  it("gives each parameter its own value, also behind a turn", () => {
    const router = new Router()
      .get("/users/me", handler)
      .get("/users/:id/posts/:post", handler);
    const { params } = router.find("GET", "/users/me/posts/12") ?? {};
    assert.deepEqual({ ...params }, { id: "me", post: "12" });
  });

  it("keeps the parameters of two matches apart", () => {
    const router = new Router().get("/:a/:b", handler);
    const one = router.find("GET", "/1/2");
    const two = router.find("GET", "/3/4");
    assert.deepEqual({ ...one?.params }, { a: "1", b: "2" });
    assert.deepEqual({ ...two?.params }, { a: "3", b: "4" });
  });

  it("takes 64 parameters, and no more", () => {
    const names = Array.from({ length: 63 }, (_, i) => `/:p${i}`);
    const pattern = names.join("");
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

  it("puts the more exact path before the more exact method", () => {
    const router = new Router()
      .get("/users/:id", handler)
      .all("/users/me", handler)
      .get("/*", handler)
      .post("/files/*", handler);
    const found = ["/users/me", "/users/max", "/files/a"].map((path) => {
      return String(router.find("GET", path)?.route);
    });
    const expected = ["ALL /users/me", "GET /users/:id", "GET /*"];
    assert.deepEqual(found, expected);
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
      "emptySegments",
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
      const params = router.find("GET", path)?.params ?? {};
      const names = ["constructor", "toString", "__proto__", "x"];
      const inherited = names.filter((name) => name in params);
      assert.deepEqual(inherited, [], `req.params of ${path}`);
    }
  });

  it("calls no setter that Object.prototype has", (t) => {
    const router = new Router().get("/:id/:post", handler);
    const other = new Router().get("/:a/:b", handler);
    t.after(() => Reflect.deleteProperty(Object.prototype, "id"));
    Object.defineProperty(Object.prototype, "id", {
      configurable: true,
      set: () => other.find("GET", "/abc/def"),
    });
    const { params } = router.find("GET", "/1/2") ?? {};
    assert.deepEqual({ ...params }, { id: "1", post: "2" });
  });

  const router = new Router().get("/users/:id/:__proto__", handler);
  const { params = {} } = router.find("GET", "/users/7/x") ?? {};

  it("prints as other objects do", () => {
    assert.equal(inspect(params), "{ id: '7', ['__proto__']: 'x' }");
    assert.equal(JSON.stringify(params), '{"id":"7","__proto__":"x"}');
  });

  it("equals an ordinary object when spread", () => {
    const copy = { ...new Router().get("/:id", handler).find("GET", "/7") };
    assert.deepStrictEqual({ ...copy.params }, { id: "7" });
  });

  it("becomes a string as other objects do", () => {
    assert.equal(`${params}`, "[object Object]");
    assert.equal(`params: ${params}`, `params: ${{}}`);
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
    assert.match(
      explanation.route?.addedAt ?? "",
      /router\.test\.js:\d+:\d+$/,
    );
    assert.deepEqual({ ...explanation.params }, { id: "max" });
  });

  it("tells each step that the search took, also in vain", () => {
    const { steps } = router.explain("GET", "/users/max");
    const told = steps.map(({ kind, label, isMatch }) => {
      return `${kind} ${label} ${isMatch}`;
    });
    const fork = told.indexOf("static m true");
    assert.deepEqual(told.slice(fork), [
      "static m true",
      "back (back) false",
      "parameter :id true",
      "end (end) true",
    ]);
  });

  it("says of a path's end that a parameter can't be empty", () => {
    const { steps } = router.explain("GET", "/users/");
    const told = steps.slice(-2).map(({ label, reason }) => {
      return `${label} ${reason}`;
    });
    const expected = ["(end) no route ends here", ":id can't be empty"];
    assert.deepEqual(told, expected);
  });

  it("tells why nobody answers", () => {
    const verdicts = [
      ["GET", "/users/7/posts", 405, "OPTIONS, POST"],
      ["GET", "/nobody", 404, ""],
      ["PURGE", "/users/7", 405, "GET, HEAD, OPTIONS"],
      ["PURGE", "/nobody", 404, ""],
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

  it("refuses a method that no request has, and a missing target", () => {
    assert.throws(() => router.explain("get", "/users/max"), {
      code: "ERR_METHOD_INVALID",
      message: /write "GET"/,
    });
    assert.throws(() => /** @type {any} */ (router).explain("GET"), {
      code: "ERR_TARGET_INVALID",
      message: "a request's target is a string, not undefined",
    });
  });

  it("is text also with more steps than a call takes arguments", () => {
    const explanation = router.explain("GET", "/users/max");
    const [step] = explanation.steps;
    explanation.steps = Array(300_000).fill(step);
    assert.equal(String(explanation).split("\n").length, 300_002);
  });

  it("is two lines where nothing was searched for", () => {
    const text = String(router.explain("OPTIONS", "*"));
    assert.match(text, /^OPTIONS \*\n=> 204: .+$/);
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
 * A router with two ways at each of eight levels, 256 routes in all, and how
 * often each node of its tree has been looked at since.
 *
 * @param {TestContext} t
 */
function growFullTree(t) {
  const router = new Router();
  /** @type {any} */
  let root;
  const { ensure } = Node.prototype;
  t.mock.method(
    Node.prototype,
    "ensure",
    /** @this {any} */
    function (/** @type {any} */ parts) {
      root = this;
      return ensure.call(this, parts);
    },
  );
  for (let i = 0; i < 256; i += 1) {
    const bits = i.toString(2).padStart(8, "0");
    const ways = [...bits].map((bit, n) => (bit === "0" ? "a" : `:p${n}`));
    router.get(`/${ways.join("/")}`, handler);
  }
  t.mock.restoreAll();
  return { router, visits: countVisits(root) };
}

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
