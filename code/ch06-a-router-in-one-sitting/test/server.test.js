import assert from "node:assert/strict";
import { once } from "node:events";
import { Server } from "node:http";
import { after, before, describe, it } from "node:test";
import { exchange, startProgram } from "../../contracts/http/index.js";
import { ask, listen } from "../../contracts/router/ask.js";
import { testServer } from "../../contracts/router/server.js";
import { createServer, Router } from "../index.js";
import { judge } from "../lib/judge.js";

/** @import { TestContext } from "node:test" */

const folder = new URL("..", import.meta.url);
const handler = () => {};

describe("The this that goes missing", () => {
  it("makes Node's own server of a router as a whole", async (t) => {
    const router = new Router().get("/", (_req, res) => res.end("here\n"));
    const server = createServer(router);
    assert.ok(server instanceof Server, "it is no http.Server");
    const { body } = await ask(await listen(t, server), "GET", "/");
    assert.equal(body, "here\n");
  });

  it("passes Node's options on", () => {
    const options = { keepAliveTimeout: 1234, requireHostHeader: false };
    const server = createServer(new Router(), options);
    assert.equal(server.keepAliveTimeout, 1234);
  });

  it("keeps two routers apart", async (t) => {
    const [one, two] = ["one\n", "two\n"].map((text) =>
      createServer(new Router().get("/", (_req, res) => res.end(text))),
    );
    const answers = await Promise.all(
      [one, two].map(async (server) =>
        ask(await listen(t, server), "GET", "/"),
      ),
    );
    assert.deepEqual(
      answers.map(({ body }) => body),
      ["one\n", "two\n"],
    );
  });

  it("answers with routes that were added later, too", async (t) => {
    const router = new Router().get("/", handler);
    const port = await listen(t, createServer(router));
    assert.equal((await ask(port, "GET", "/late")).statusCode, 404);
    router.get("/late", (_req, res) => res.end("late\n"));
    assert.equal((await ask(port, "GET", "/late")).body, "late\n");
  });
});

describe("Saying no, in four ways", () => {
  const router = new Router()
    .get("/hello", handler)
    .post("/hello", handler)
    .delete("/notes", handler);

  /** @type {[method: string, target: string, number, allow: string][]} */
  const verdicts = [
    ["GET", "/hello", 200, ""],
    ["HEAD", "/hello", 200, ""],
    ["GET", "/hello?x=1", 200, ""],
    ["GET", "/hello?/notes", 200, ""],
    ["GET", "/nobody", 404, ""],
    ["OPTIONS", "/nobody", 404, ""],
    ["DELETE", "/hello", 405, "GET, HEAD, OPTIONS, POST"],
    ["GET", "/notes?x", 405, "DELETE, OPTIONS"],
    ["OPTIONS", "/hello", 204, "GET, HEAD, OPTIONS, POST"],
    ["OPTIONS", "*", 204, "DELETE, GET, HEAD, OPTIONS, POST"],
    ["PROPFIND", "/hello", 501, ""],
    ["PROPFIND", "/nobody", 501, ""],
    ["GET", "*", 400, ""],
    ["GET", "hello", 400, ""],
    ["GET", "", 400, ""],
    ["GET", "http://localhost/hello", 400, ""],
  ];
  for (const [method, target, statusCode, allow] of verdicts) {
    it(`judges ${method} ${target || "nothing"} as ${statusCode}`, () => {
      const verdict = judge(router, method, target);
      assert.equal(verdict.statusCode, statusCode);
      assert.equal(verdict.allow.join(", "), allow);
      assert.equal(verdict.match !== null, statusCode === 200);
    });
  }

  it("says in a body which no it is, and how long that is", async (t) => {
    const port = await listen(t, createServer(router));
    const { statusCode, headers, body } = await ask(port, "PUT", "/hello");
    assert.equal(statusCode, 501);
    assert.equal(body, "Not Implemented\n");
    assert.equal(headers["content-length"], "16");
    assert.equal(headers["content-type"], "text/plain; charset=utf-8");
  });

  it("has no body for the no to a HEAD", async (t) => {
    const port = await listen(t, createServer(router));
    const { statusCode, headers, body } = await ask(port, "HEAD", "/");
    assert.deepEqual([statusCode, body], [404, ""]);
    assert.equal(headers["content-length"], "10");
  });

  it("refuses a target that is no path", async (t) => {
    const port = await listen(t, createServer(router));
    for (const target of ["hello", "*", "?/hello"]) {
      const { responses } = await exchange(
        { port, host: "127.0.0.1" },
        `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`,
        { responses: 1 },
      );
      assert.equal(responses[0].status, 400, target);
    }
  });

  it("lets a route for OPTIONS or HEAD answer itself", async (t) => {
    const own = new Router()
      .get("/", (_req, res) => res.end("GET"))
      .head("/", (_req, res) => res.writeHead(202).end())
      .options("/", (_req, res) => res.writeHead(203).end());
    const port = await listen(t, createServer(own));
    assert.equal((await ask(port, "HEAD", "/")).statusCode, 202);
    assert.equal((await ask(port, "OPTIONS", "/")).statusCode, 203);
  });

  it("tells the handler its path, without the query", async (t) => {
    const paths = new Router().get("/a/b", (req, res) => {
      assert.deepEqual(Object.keys(req.params), []);
      res.end(req.path);
    });
    const port = await listen(t, createServer(paths));
    assert.equal((await ask(port, "GET", "/a/b?c=/d?e")).body, "/a/b");
  });

  it("goes on after a no, on the same connection", async (t) => {
    const one = new Router().get("/", (_req, res) => res.end("yes\n"));
    const port = await listen(t, createServer(one));
    const { responses } = await exchange(
      { port, host: "127.0.0.1" },
      "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nHello" +
        "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
      { responses: 2 },
    );
    assert.deepEqual(
      responses.map(({ status }) => status),
      [501, 200],
    );
  });
});

describe("Mistakes should hurt at once", () => {
  for (const [what, given] of /** @type {[string, any][]} */ ([
    ["nothing", undefined],
    ["a function", handler],
    ["the class", Router],
    ["something like a router", { find: () => null }],
  ])) {
    it(`makes no server of ${what}`, () => {
      assert.throws(() => createServer(given), {
        name: "RouteError",
        code: "ERR_ROUTER_INVALID",
      });
    });
  }
});

describe("A handler that throws, and one that waits", () => {
  /** @type {Awaited<ReturnType<ReturnType<typeof startProgram>>>} */
  let program;
  before(async () => {
    program = await startProgram(folder)({ limits: {} });
  });
  after(() => program?.close());

  it("runs as the chapter's server", async () => {
    const { port } = program;
    const { body } = await ask(port, "GET", "/hello?name=Ada");
    assert.equal(body, "hello\n");
    const { statusCode } = await ask(port, "DELETE", "/hello");
    assert.equal(statusCode, 405);
  });

  it("answers 500, tells no secret, and serves on", async () => {
    const { port } = program;
    const failure = await ask(port, "GET", "/throws");
    assert.equal(failure.statusCode, 500);
    assert.equal(failure.body, "Internal Server Error\n");
    await assert.rejects(ask(port, "GET", "/rejects"));
    assert.equal((await ask(port, "GET", "/")).body, "welcome\n");
  });

  it("tells onError what was thrown, and by which request", async (t) => {
    const { port, told } = await failing(t);
    await ask(port, "GET", "/throws?x=1");
    await ask(port, "GET", "/rejects");
    await ask(port, "GET", "/odd");
    assert.deepEqual(told, [
      { err: "thrown", url: "/throws?x=1", path: "/throws" },
      { err: "rejected", url: "/rejects", path: "/rejects" },
      { err: undefined, url: "/odd", path: "/odd" },
    ]);
  });

  it("takes anything with a then for a promise", async (t) => {
    const { port, told } = await failing(t);
    const { statusCode } = await ask(port, "GET", "/thenable");
    assert.equal(statusCode, 500);
    assert.equal(told[0].err, "not even a promise");
  });

  it("reports a failure once the answer is complete, too", async (t) => {
    const { port, told } = await failing(t);
    const { statusCode, body } = await ask(port, "GET", "/late");
    assert.deepEqual([statusCode, body], [200, "done\n"]);
    assert.equal(told[0].err, "too late");
  });

  it("takes back the fields that were to be sent", async (t) => {
    const { port } = await failing(t);
    const { headers } = await ask(port, "GET", "/fields");
    assert.equal(headers["set-cookie"], undefined);
    assert.equal(headers["content-length"], "22");
    assert.equal(headers["content-type"], "text/plain; charset=utf-8");
  });

  it("gives a process warning if nobody wants to be told", async (t) => {
    const router = new Router().get("/", () => {
      throw new Error("for the programmer");
    });
    const port = await listen(t, createServer(router));
    const warned = once(process, "warning");
    await ask(port, "GET", "/");
    const [warning] = await warned;
    assert.equal(warning.message, "for the programmer");
  });

  it("warns of what is no error, too", async (t) => {
    const router = new Router().get("/", () => Promise.reject("a string"));
    const port = await listen(t, createServer(router));
    const warned = once(process, "warning");
    await ask(port, "GET", "/");
    const [warning] = await warned;
    assert.equal(warning.message, 'thrown: "a string"');
  });

  it("refuses an onError that can't be called", () => {
    const onError = /** @type {any} */ ("console.error");
    assert.throws(() => createServer(new Router(), { onError }), {
      code: "ERR_OPTION_INVALID",
      message: /onError .* a function, not "console\.error"/,
    });
  });

  /**
   * A server with handlers that fail in many ways.
   *
   * @param {TestContext} t
   */
  async function failing(t) {
    const router = new Router()
      .get("/throws", () => {
        throw "thrown";
      })
      .get("/rejects", () => Promise.reject("rejected"))
      .get("/odd", () => Promise.reject())
      .get("/thenable", () => THENABLE)
      .get("/late", (_req, res) => {
        res.end("done\n");
        throw "too late";
      })
      .get("/fields", (_req, res) => {
        res.setHeader("set-cookie", "a=1");
        res.setHeader("content-length", 100);
        res.setHeader("content-type", "text/html");
        throw "after the fields";
      });
    /** @type {{ err: unknown, url?: string, path: string }[]} */
    const told = [];
    const server = createServer(router, {
      onError: (err, { url, path }) => told.push({ err, url, path }),
    });
    return { port: await listen(t, server), told };
  }
});

describe("What we have", () => {
  testServer({ Router, createServer, can: ["onError"] });
});

/** No promise, but it can be waited for. */
const THENABLE = {
  // biome-ignore lint/suspicious/noThenProperty: that is what is tested
  then(
    /** @type {unknown} */ _fulfil,
    /** @type {(reason: string) => void} */ reject,
  ) {
    reject("not even a promise");
  },
};
