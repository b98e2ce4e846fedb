import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { METHODS } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { promisify } from "node:util";
import { testRouter } from "../../contracts/router/index.js";
import { Router, UsageError } from "../index.js";

/** @import { TestContext } from "node:test" */

const handler = () => {};

/** @type {(keyof Router & ("get" | "head" | "post" | "put" | "patch" | "delete" | "options"))[]} */
const USUAL = ["get", "head", "post", "put", "patch", "delete", "options"];

describe("velocy 0.6.0", () => {
  it("can be imported by its name", async () => {
    const velocy = await import("velocy");
    assert.equal(velocy.Router, Router);
  });

  it("gives the router back, so that calls can be chained", () => {
    const router = new Router();
    for (const method of [...USUAL, /** @type {const} */ ("all")]) {
      assert.equal(router[method]("/chained", handler), router, method);
    }
    assert.equal(router.route("PROPFIND", "/chained", handler), router);
  });
});

describe("A path leads to its routes", () => {
  it("finds each of a path's routes by its method", () => {
    const router = new Router();
    const methods = ["GET", "POST", "DELETE"];
    const own = methods.map(() => () => {});
    methods.forEach((method, i) => {
      router.route(method, "/hello", own[i]);
    });
    for (const [i, method] of methods.entries()) {
      const { route } = router.find(method, "/hello") ?? {};
      assert.equal(route?.handler, own[i], method);
      assert.equal(route?.pattern, "/hello");
    }
    assert.equal(router.find("PUT", "/hello"), null);
    assert.equal(router.find("GET", "/bye"), null);
  });
});

describe("Two routes for the same thing", () => {
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

  it("shows a place relative to a folder with an unusual name", async (t) => {
    const top = await unusualFolder(t);
    assert.equal(await placeIn(top, "routes.js"), "routes.js:3:8");
    assert.equal(
      await placeIn(top, "my #1 100%/a.js"),
      "my #1 100%/a.js:3:8",
    );
  });

  it("is not misled by a slash in the name of what adds a route", async (t) => {
    const top = await unusualFolder(t);
    const add = `({ "GET /a:1:1"() { router.get("/", () => {}) } })["GET /a:1:1"]();`;
    const importIt = `import { Router } from ${JSON.stringify(INDEX)};`;
    assert.match(
      await printed(top, "a.js", `${importIt}\n${SETUP}\n${add}\n${SHOW}`),
      /^a\.js:3:\d+$/,
    );
    const load = `import(${JSON.stringify(INDEX)}).then(({ Router }) => {`;
    assert.match(
      await printed(top, "b.cjs", `${load}\n${SETUP}\n${add}\n${SHOW}})`),
      /^b\.cjs:3:\d+$/,
    );
  });
});

describe("HEAD for free", () => {
  it("answers HEAD by GET, the rest by all, and says which", () => {
    const router = new Router().all("/a", handler).get("/a", handler);
    const answers = ["GET", "HEAD", "PUT"].map((method) =>
      String(router.find(method, "/a")?.route),
    );
    assert.deepEqual(answers, ["GET /a", "GET /a", "ALL /a"]);
  });

  it("has a method for each of the usual methods", () => {
    const router = new Router();
    for (const method of USUAL) {
      const own = () => {};
      router[method]("/path", own);
      const found = router.find(method.toUpperCase(), "/path");
      assert.equal(found?.route.handler, own, method);
    }
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
    for (const [i, { method, addedAt }] of router.routes().entries()) {
      assert.match(addedAt, /router\.test\.js:\d+:\d+$/, method);
      assert.equal(Number(addedAt.split(":").at(-2)), line + 1 + i, method);
    }
  });

  it("has conflicts per method, and for all methods too", () => {
    const router = new Router().all("/a", handler).get("/a", handler);
    assert.throws(() => router.all("/a", handler), {
      code: "ERR_ROUTE_CONFLICT",
    });
  });
});

describe("A path knows its methods", () => {
  it("knows the methods that it answers on some path", () => {
    const router = new Router();
    assert.deepEqual(router.methods(), []);
    router.get("/a", handler).route("M-SEARCH", "/b", handler);
    const methods = ["GET", "HEAD", "M-SEARCH", "OPTIONS"];
    assert.deepEqual(router.methods(), methods);
  });

  it("answers all that Node hands on where there is a route for all", () => {
    const methods = new Router().all("/a", handler).methods();
    const handedOn = METHODS.filter((method) => method !== "CONNECT");
    assert.deepEqual(methods, handedOn.sort());
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
    ["small letters", "ERR_METHOD_INVALID", ["get", "/", handler]],
    ["a method of nobody's", "ERR_METHOD_INVALID", ["FOO", "/", handler]],
    ["CONNECT", "ERR_METHOD_INVALID", ["CONNECT", "/", handler]],
    ["no slash", "ERR_PATTERN_INVALID", ["GET", "x", handler]],
    ["no pattern", "ERR_PATTERN_INVALID", ["GET", undefined, handler]],
    ["a query", "ERR_PATTERN_INVALID", ["GET", "/x?y=1", handler]],
    ["a fragment", "ERR_PATTERN_INVALID", ["GET", "/x#y", handler]],
    ["no handler", "ERR_HANDLER_INVALID", ["GET", "/"]],
    [
      "what a handler returned",
      "ERR_HANDLER_INVALID",
      ["GET", "/", Promise.resolve()],
    ],
    [
      "a second handler",
      "ERR_ARGUMENTS_EXTRA",
      ["GET", "/", handler, handler],
    ],
    ["one more", "ERR_ARGUMENTS_EXTRA", ["GET", "/", handler, undefined]],
  ];
  for (const [what, code, args] of mistakes) {
    it(`says ${code} for ${what}, and adds nothing`, () => {
      const router = new Router();
      const [method, pattern, ...rest] = args;
      const add = () =>
        router.route(method, pattern, .../** @type {[any]} */ (rest));
      assert.throws(add, { name: "UsageError", code });
      assert.throws(add, UsageError);
      assert.throws(add, TypeError);
      assert.deepEqual(router.routes(), []);
      assert.deepEqual(router.methods(), []);
      assert.equal(router.find("GET", "/"), null);
    });
  }

  it("says what was expected, and what it got", () => {
    const router = /** @type {any} */ (new Router());
    /** @type {[add: () => void, message: string][]} */
    const messages = [
      [
        () => router.get("hello", handler),
        `the pattern "hello" can't be used: it must be a string that starts with /`,
      ],
      [
        () => router.get("/hello?x", handler),
        `the pattern "/hello?x" can't be used: no path has a ? or # in it`,
      ],
      [
        () => router.get("/hello", undefined),
        "the handler of GET /hello must be a function, not undefined",
      ],
      [
        () => router.get("/hello", handler, handler, "x", {}),
        'GET /hello takes one handler: a function, "x", an object behind it would be lost',
      ],
      [
        () => router.route("get", "/", handler),
        'no request can have the method "get": write "GET"',
      ],
      [
        () => router.route("ALL", "/", handler),
        'no request can have the method "ALL": use all(pattern, handler)',
      ],
      [
        () => router.route("FOO", "/", handler),
        'no request can have the method "FOO": node:http has no request event for it',
      ],
    ];
    for (const [add, message] of messages) assert.throws(add, { message });
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

/** @param {TestContext} t */
async function unusualFolder(t) {
  const top = await mkdtemp(join(await realpath(tmpdir()), "a folder "));
  t.after(() => rm(top, { recursive: true }));
  await mkdir(join(top, "my #1 100%"));
  return top;
}

const INDEX = new URL("../index.js", import.meta.url).href;
const SETUP = "const router = new Router();";
const SHOW = "console.log(router.routes()[0].addedAt);";

/**
 * Runs a program that adds a route in its third line.
 *
 * @param {string} folder
 * @param {string} path of the program in the folder
 * @returns {Promise<string>} where the router says that it was added
 */
async function placeIn(folder, path) {
  return printed(
    folder,
    path,
    `import { Router } from ${JSON.stringify(INDEX)};
${SETUP}
router.get("/", () => {});
${SHOW}
`,
  );
}

/**
 * @param {string} folder
 * @param {string} path of the program in the folder
 * @param {string} program
 * @returns {Promise<string>} what it prints
 */
async function printed(folder, path, program) {
  await writeFile(join(folder, path), program);
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, [path], { cwd: folder });
  return stdout.trimEnd();
}
