import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { IncomingMessage, Server } from "node:http";
import net from "node:net";
import { pipeline } from "node:stream/promises";
import { describe, it } from "node:test";
import { exchange, startProgram } from "../../contracts/http/index.js";
import { ask, listen, portOf } from "../../contracts/router/ask.js";
import { testServer } from "../../contracts/router/server.js";
import { createServer, Router } from "../index.js";

/** @import { TestContext } from "node:test" */

const folder = new URL("..", import.meta.url);
const handler = () => {};

describe("The this that goes missing", () => {
  it("makes Node's own server of a router as a whole", async (t) => {
    const router = new Router().get("/", (_req, res) => res.end("here\n"));
    const server = createServer(router);
    assert.ok(server instanceof Server, "it is Node's own Server");
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

describe("HEAD for free", () => {
  it("sends GET's fields for a HEAD, and no body", async (t) => {
    const router = new Router().get("/", (_req, res) => {
      res.setHeader("x-own", "1");
      res.end("welcome\n");
    });
    const port = await listen(t, createServer(router));
    const { statusCode, headers, body } = await ask(port, "HEAD", "/");
    assert.deepEqual([statusCode, body], [200, ""]);
    assert.equal(headers["x-own"], "1");
  });
});

describe("A verdict on every request", () => {
  /** @type {[method: string, target: string, number, allow: string][]} */
  const verdicts = [
    ["GET", "/hello", 200, ""],
    ["HEAD", "/hello", 200, ""],
    ["GET", "/hello?x=1", 200, ""],
    ["GET", "/hello?/notes", 200, ""],
    ["GET", "/nobody", 404, ""],
    ["PUT", "/nobody", 404, ""],
    ["OPTIONS", "/nobody", 404, ""],
    ["PROPFIND", "/nobody", 404, ""],
    ["DELETE", "/hello", 405, "GET, HEAD, OPTIONS, POST"],
    ["PUT", "/hello", 405, "GET, HEAD, OPTIONS, POST"],
    ["PROPFIND", "/hello", 405, "GET, HEAD, OPTIONS, POST"],
    ["GET", "/notes?x", 405, "DELETE, OPTIONS"],
    ["OPTIONS", "/hello", 204, "GET, HEAD, OPTIONS, POST"],
    ["OPTIONS", "*", 204, "DELETE, GET, HEAD, OPTIONS, POST"],
    ["GET", "*", 400, ""],
    ["GET", "hello", 400, ""],
    ["GET", "", 400, ""],
    ["GET", "http://localhost/hello", 400, ""],
  ];
  for (const [method, target, statusCode, allow] of verdicts) {
    it(`judges ${method} ${target || "nothing"} as ${statusCode}`, () => {
      const verdict = sample().judge(method, target);
      assert.equal(verdict.statusCode, statusCode);
      assert.equal(verdict.allow.join(", "), allow);
      assert.equal(verdict.match !== null, statusCode === 200);
      assert.equal(verdict.reason !== "", statusCode !== 200);
    });
  }
});

describe("Five answers, once more", () => {
  it("says in a body which no it is, and how long that is", async (t) => {
    const port = await listen(t, createServer(sample()));
    const { statusCode, headers, body } = await ask(port, "PUT", "/hello");
    assert.equal(statusCode, 405);
    assert.equal(body, "Method Not Allowed\n");
    assert.equal(headers.allow, "GET, HEAD, OPTIONS, POST");
    assert.equal(headers["content-length"], "19");
    assert.equal(headers["content-type"], "text/plain; charset=utf-8");
  });

  it("has no body for the no to a HEAD", async (t) => {
    const port = await listen(t, createServer(sample()));
    const { statusCode, headers, body } = await ask(port, "HEAD", "/");
    assert.deepEqual([statusCode, body], [404, ""]);
    assert.equal(headers["content-length"], "10");
  });

  it("refuses a target that is no path", async (t) => {
    const port = await listen(t, createServer(sample()));
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

  it("tells the handler its path and its route", async (t) => {
    const paths = new Router().get("/a/b", (req, res) => {
      assert.deepEqual(Object.keys(req.params), []);
      res.end(`${req.path} ${req.route}`);
    });
    const port = await listen(t, createServer(paths));
    const { body } = await ask(port, "GET", "/a/b?c=/d?e");
    assert.equal(body, "/a/b GET /a/b");
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
      [405, 200],
    );
  });

  it("never sees a method that Node doesn't know", async (t) => {
    const router = new Router().all("/", (_req, res) => res.end("seen\n"));
    const port = await listen(t, createServer(router));
    const { responses, ending } = await exchange(
      { port, host: "127.0.0.1" },
      "FOO / HTTP/1.1\r\nHost: x\r\n\r\n",
    );
    assert.deepEqual(
      responses.map(({ status }) => status),
      [400],
    );
    assert.equal(ending, "closed");
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
        name: "UsageError",
        code: "ERR_ROUTER_INVALID",
      });
    });
  }

  for (const [what, given] of /** @type {[string, any][]} */ ([
    ["a function", handler],
    ["null", null],
    ["a text", "onError"],
  ])) {
    it(`takes no options that are ${what}`, () => {
      assert.throws(() => createServer(new Router(), given), {
        name: "UsageError",
        code: "ERR_OPTIONS_INVALID",
      });
    });
  }
});

describe("A handler that throws", () => {
  it("answers 500, tells no secret, and serves on", async (t) => {
    const port = await chapterServer(t);
    const failure = await ask(port, "GET", "/throws");
    assert.equal(failure.statusCode, 500);
    assert.equal(failure.body, "Internal Server Error\n");
    assert.equal((await ask(port, "GET", "/")).body, "welcome\n");
    const { body } = await ask(port, "GET", "/hello?name=Ada");
    assert.equal(body, "hello\n");
    assert.equal((await ask(port, "DELETE", "/hello")).statusCode, 405);
  });

  it("tells onError what was thrown, and by which request", async (t) => {
    const { port, told } = await failing(t);
    await ask(port, "GET", "/throws?x=1");
    assert.deepEqual(told, [
      { err: "thrown", url: "/throws?x=1", path: "/throws" },
    ]);
  });

  it("reports a failure once the answer is complete, too", async (t) => {
    const { port, told } = await failing(t);
    const { statusCode, body } = await ask(port, "GET", "/late");
    assert.deepEqual([statusCode, body], [200, "done\n"]);
    assert.equal(told[0].err, "too late");
  });

  it("takes back what the handler had prepared", async (t) => {
    const { port } = await failing(t);
    const answer = await ask(port, "GET", "/prepared");
    const { statusCode, statusMessage, headers } = answer;
    assert.equal(statusCode, 500);
    assert.equal(statusMessage, "Internal Server Error");
    assert.equal(headers["set-cookie"], undefined);
    assert.equal(headers["content-length"], "22");
    assert.equal(headers["content-type"], "text/plain; charset=utf-8");
    assert.ok(Date.parse(headers.date ?? "") > 0, headers.date);
  });

  it("closes the connection that the handler wanted closed", async (t) => {
    const { port } = await failing(t);
    const { responses, ending } = await exchange(
      { port, host: "127.0.0.1" },
      "GET /closes HTTP/1.1\r\nHost: x\r\n\r\n",
    );
    assert.equal(responses[0].status, 500);
    assert.deepEqual(responses[0].fields.get("connection"), ["close"]);
    assert.equal(ending, "closed");
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
    const router = new Router().get("/", () => {
      throw "a string";
    });
    const port = await listen(t, createServer(router));
    const warned = once(process, "warning");
    await ask(port, "GET", "/");
    const [warning] = await warned;
    assert.equal(warning.message, 'thrown: "a string"');
  });
});

describe("A handler that fails later", () => {
  it("is told of to onError, whatever it rejects with", async (t) => {
    const { port, told } = await failing(t);
    for (const path of ["/rejects", "/odd", "/null"]) {
      assert.equal((await ask(port, "GET", path)).statusCode, 500, path);
    }
    assert.deepEqual(
      told.map(({ err }) => err),
      ["rejected", undefined, null],
    );
  });

  it("takes anything with a then for a promise", async (t) => {
    const { port, told } = await failing(t);
    const { statusCode } = await ask(port, "GET", "/thenable");
    assert.equal(statusCode, 500);
    assert.equal(told[0].err, "not even a promise");
  });

  it("cuts an answer that has begun, and serves on", async (t) => {
    const port = await chapterServer(t);
    await assert.rejects(ask(port, "GET", "/rejects"), {
      code: "ECONNRESET",
    });
    assert.equal((await ask(port, "GET", "/")).body, "welcome\n");
  });
});

describe("The innocent answer before it", () => {
  it("is whole, and then the connection closes", {
    timeout: 4_000,
  }, async (t) => {
    const failed = new EventEmitter();
    const router = new Router()
      .get("/slow", async (_req, res) => {
        await once(failed, "failed");
        setImmediate(() => res.end("slow, but whole\n"));
      })
      .get("/fails", async (_req, res) => {
        res.write("half");
        await new Promise(setImmediate);
        throw "half way";
      });
    const server = createServer(router, {
      onError: () => failed.emit("failed"),
    });
    const bytes = await readAll(
      await listen(t, server),
      "GET /slow HTTP/1.1\r\nHost: x\r\n\r\n" +
        "GET /fails HTTP/1.1\r\nHost: x\r\n\r\n",
    );
    assert.match(bytes, /^HTTP\/1\.1 200 OK\r\n/);
    assert.match(bytes, /\r\n\r\nslow, but whole\n/);
    assert.doesNotMatch(bytes, /\r\n0\r\n\r\n$/);
  });

  it("is whole in the chapter's server", { timeout: 4_000 }, async (t) => {
    const bytes = await readAll(
      await chapterServer(t),
      "GET /slow HTTP/1.1\r\nHost: x\r\n\r\n" +
        "GET /rejects HTTP/1.1\r\nHost: x\r\n\r\n",
    );
    assert.match(bytes, /\r\n\r\nslow, but whole\n/);
  });
});

describe("A client that breaks off", { timeout: 8_000 }, () => {
  it("is nothing that onError hears of", async (t) => {
    const { port, told, progress } = await failing(t);
    const failed = once(progress, "failed");
    const begun = once(progress, "begun");
    const client = net.connect(port, "127.0.0.1");
    client.on("error", () => {});
    client.write("POST /reads HTTP/1.1\r\nHost: x\r\n");
    client.write("Content-Length: 10\r\n\r\nhello");
    await begun;
    client.resetAndDestroy();
    await failed;
    await ask(port, "GET", "/throws");
    assert.deepEqual(
      told.map(({ err }) => err),
      ["thrown"],
    );
  });

  it("is nothing to be told where Node cut a body that came too slowly", async (t) => {
    /** @type {unknown[]} */
    const told = [];
    const seen = new EventEmitter();
    const router = new Router().post("/reads", async (req) => {
      try {
        for await (const _chunk of req);
      } catch (err) {
        seen.emit("cut", err);
        throw err;
      }
    });
    const server = createServer(router, {
      requestTimeout: 200,
      headersTimeout: 100,
      connectionsCheckingInterval: 50,
      onError: (err) => told.push(err),
    });
    const cut = once(seen, "cut");
    const bytes = await readAll(
      await listen(t, server),
      "POST /reads HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n1",
    );
    assert.match(bytes, /^HTTP\/1\.1 408 /);
    const [err] = await cut;
    assert.equal(err.code, "ECONNRESET");
    await new Promise(setImmediate);
    assert.deepEqual(told, []);
  });

  it("does not hide an error of the handler's own", async (t) => {
    const { port, told, progress } = await failing(t);
    const [begun, heard] = ["begun", "told"].map((e) => once(progress, e));
    const client = net.connect(port, "127.0.0.1");
    client.on("error", () => {});
    client.write(
      "POST /own HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n",
    );
    await begun;
    client.resetAndDestroy();
    await heard;
    assert.equal(told[0].err, "my own");
  });

  it("does not hide an error that broke off the request", async (t) => {
    const { port, told, progress } = await failing(t);
    const heard = once(progress, "told");
    const client = net.connect(port, "127.0.0.1");
    client.on("error", () => {});
    client.write(
      "POST /gives-up HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n1",
    );
    await heard;
    client.destroy();
    assert.match(String(told[0].err), /the file can't be opened/);
  });

  it("does not hide another connection's reset", async (t) => {
    const { port, told } = await failing(t);
    await ask(port, "GET", "/other");
    assert.deepEqual(told[0].err, { code: "ECONNRESET" });
  });

  it("is told from the server that a body is passed on to", async (t) => {
    const port = await chapterServer(t);
    const bytes = await readAll(
      port,
      "POST /passes HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" +
        "Content-Length: 10\r\n\r\nhello",
    );
    assert.match(bytes, /^HTTP\/1\.1 500 /);
  });

  it("is told from it where that is to answer, too", async (t) => {
    const upstream = net.createServer((socket) => {
      socket.once("data", () => socket.resetAndDestroy());
    });
    upstream.listen(0, "127.0.0.1");
    await once(upstream, "listening");
    t.after(() => upstream.close());
    const router = new Router().post("/", (req, res) =>
      pipeline(req, net.connect(portOf(upstream), "127.0.0.1"), res),
    );
    /** @type {(err: any) => void} */
    let onError = () => {};
    const heard = new Promise((resolve) => {
      onError = resolve;
    });
    const server = createServer(router, { onError });
    const client = net.connect(await listen(t, server), "127.0.0.1");
    client.on("error", () => {});
    client.write(
      "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n1",
    );
    assert.equal((await heard).code, "ECONNRESET");
    client.destroy();
  });

  it("is nothing to hear of behind a slow answer either", async (t) => {
    const { port, told, progress } = await failing(t);
    const failed = once(progress, "failed");
    const begun = once(progress, "begun");
    const client = net.connect(port, "127.0.0.1");
    client.on("error", () => {});
    client.write("GET /waits HTTP/1.1\r\nHost: x\r\n\r\n");
    client.write("POST /reads HTTP/1.1\r\nHost: x\r\n");
    client.write("Content-Length: 10\r\n\r\nhello");
    await begun;
    client.resetAndDestroy();
    await failed;
    await ask(port, "GET", "/throws");
    assert.deepEqual(
      told.map(({ err }) => err),
      ["thrown"],
    );
  });
});

describe("An option that isn't one", () => {
  for (const option of [
    "onEror",
    "onerror",
    "OnError",
    "onErr",
    "onErrors",
    "onErrpr",
    "onErorr",
  ]) {
    it(`says that ${option} is no option, and which one is`, () => {
      const options = /** @type {any} */ ({ [option]: handler });
      assert.throws(() => createServer(new Router(), options), {
        code: "ERR_OPTION_UNKNOWN",
        message: `there is no option ${option}: did you mean onError?`,
      });
    });
  }

  it("leaves alone what may be somebody else's", () => {
    const options = /** @type {any} */ ({ errors: 1, keepAlive: true });
    const server = createServer(new Router(), options);
    assert.equal(server instanceof Server, true);
  });

  it("refuses an onError that can't be called", () => {
    const onError = /** @type {any} */ ("console.error");
    assert.throws(() => createServer(new Router(), { onError }), {
      code: "ERR_OPTION_INVALID",
      message: 'the option onError must be a function, not "console.error"',
    });
  });

  it("refuses another class for requests", () => {
    const options = { IncomingMessage: class extends IncomingMessage {} };
    assert.throws(() => createServer(new Router(), options), {
      name: "UsageError",
      code: "ERR_OPTION_RESERVED",
      message: "the option IncomingMessage can't be used: velocy sets it",
    });
  });
});

describe("What we have", () => {
  testServer({ Router, createServer, can: ["onError"] });
});

function sample() {
  return new Router()
    .get("/hello", handler)
    .post("/hello", handler)
    .delete("/notes", handler);
}

/**
 * Starts server.js, until the test is over.
 *
 * @param {TestContext} t
 * @returns {Promise<number>} its port
 */
async function chapterServer(t) {
  const program = await startProgram(folder)({ limits: {} });
  t.after(() => program.close());
  return program.port;
}

/**
 * A server with handlers that fail in many ways, what `onError` hears,
 * and how far a handler has come.
 *
 * @param {TestContext} t
 */
async function failing(t) {
  const progress = new EventEmitter();
  const router = new Router()
    .get("/throws", () => {
      throw "thrown";
    })
    .get("/rejects", () => Promise.reject("rejected"))
    .get("/odd", () => Promise.reject())
    .get("/null", () => Promise.reject(null))
    .get("/other", () => Promise.reject({ code: "ECONNRESET" }))
    .get("/waits", () => {})
    .get("/thenable", () => THENABLE)
    .get("/late", (_req, res) => {
      res.end("done\n");
      throw "too late";
    })
    .get("/prepared", (_req, res) => {
      res.statusMessage = "All is well";
      res.setHeader("set-cookie", "a=1");
      res.setHeader("date", "some day");
      res.setHeader("content-length", 100);
      res.setHeader("content-type", "text/html");
      throw "after the fields";
    })
    .get("/closes", (_req, res) => {
      res.setHeader("connection", "close");
      throw "after the field";
    })
    .post("/reads", async (req) => {
      try {
        for await (const _chunk of req) progress.emit("begun");
      } finally {
        progress.emit("failed");
      }
    })
    .post("/gives-up", async (req) => {
      const err = new Error("the file can't be opened");
      req.once("error", () => {});
      req.destroy(err);
      await new Promise((resolve) => req.once("close", resolve));
      throw err;
    })
    .post("/own", async (req) => {
      progress.emit("begun");
      req.once("error", () => {});
      await new Promise((resolve) => req.once("close", resolve));
      throw "my own";
    });
  /** @type {{ err: unknown, url?: string, path: string }[]} */
  const told = [];
  const server = createServer(router, {
    onError: (err, { url, path }) => {
      told.push({ err, url, path });
      progress.emit("told");
    },
  });
  return { port: await listen(t, server), told, progress };
}

/**
 * Sends bytes, and reads until the server closes.
 *
 * @param {number} port
 * @param {string} bytes
 * @returns {Promise<string>} what came
 */
async function readAll(port, bytes) {
  const socket = net.connect(port, "127.0.0.1");
  let text = "";
  socket.setEncoding("latin1").on("data", (data) => {
    text += data;
  });
  socket.on("error", () => {});
  socket.write(bytes);
  await once(socket, "close");
  return text;
}

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
