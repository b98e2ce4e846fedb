/**
 * The contract for `createServer(router)`, over real sockets: what a
 * request gets when a handler answers, when none can, and when one fails.
 *
 *     testServer({ Router, createServer, can: ["parameters", ...] });
 */
import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import net from "node:net";
import { pipeline } from "node:stream/promises";
import { after, before, describe, test } from "node:test";
import { skipInTurn } from "../in-turn.js";
import { portOf, ask as request } from "./ask.js";

/** @typedef {import("node:net").Server & { closeAllConnections(): void }} Server */

/**
 * @typedef {object} ServerUnderTest
 * @property {new () => any} Router
 * @property {(router: any, options?: any) => Server} createServer
 * @property {boolean} [inTurn] it begins a request when the one before is
 *   answered
 * @property {("parameters" | "queryParams" | "onError")[]} can
 */

/** @param {ServerUnderTest} underTest */
export function testServer({ Router, createServer, can, inTurn }) {
  /** @type {Server} */
  let server;
  /** @type {unknown[]} what handlers threw */
  const errors = [];

  before(async () => {
    const options = can.includes("onError")
      ? { onError: (/** @type {unknown} */ err) => errors.push(err) }
      : {};
    server = createServer(routes(new Router(), can), options);
    await new Promise((resolve) => {
      server.listen(0, "127.0.0.1", () => resolve(undefined));
    });
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  /**
   * @param {string} method
   * @param {string} path
   */
  const ask = (method, path) => request(portOf(server), method, path);

  describe("a request that a handler answers", () => {
    test("gets the handler's answer", async () => {
      const { statusCode, body } = await ask("GET", "/hello");
      assert.deepEqual([statusCode, body], [200, "hello\n"]);
    });

    test("may be answered later", async () => {
      const { statusCode, body } = await ask("GET", "/later");
      assert.deepEqual([statusCode, body], [200, "later\n"]);
    });

    test("does not match on its query", async () => {
      const { body } = await ask("GET", "/hello?x=/y");
      assert.equal(body, "hello\n");
    });

    test("gets GET's head for HEAD, and no body", async () => {
      const { statusCode, headers, body } = await ask("HEAD", "/hello");
      assert.equal(statusCode, 200);
      assert.equal(headers["content-length"], "6");
      assert.equal(body, "");
    });
  });

  describe("a request that no handler answers", () => {
    test("gets 404 if no route has the path", async () => {
      for (const method of ["GET", "POST", "HEAD", "OPTIONS"]) {
        const { statusCode } = await ask(method, "/nobody");
        assert.equal(statusCode, 404, method);
      }
    });

    test("gets 405 with Allow if only the method is wrong", async () => {
      const { statusCode, headers } = await ask("POST", "/hello");
      assert.equal(statusCode, 405);
      assert.equal(headers.allow, "GET, HEAD, OPTIONS");
    });

    test("gets the same if no route anywhere has the method", async () => {
      const { statusCode, headers } = await ask("PURGE", "/hello");
      assert.equal(statusCode, 405);
      assert.equal(headers.allow, "GET, HEAD, OPTIONS");
      assert.equal((await ask("PURGE", "/nobody")).statusCode, 404);
    });

    test("gets Allow for OPTIONS", async () => {
      const { statusCode, headers, body } = await ask("OPTIONS", "/form");
      assert.deepEqual([statusCode, body], [204, ""]);
      assert.equal(headers.allow, "GET, HEAD, OPTIONS, POST");
    });

    test("gets the server's methods for OPTIONS *", async () => {
      const { statusCode, headers } = await ask("OPTIONS", "*");
      assert.equal(statusCode, 204);
      assert.equal(headers.allow, "DELETE, GET, HEAD, OPTIONS, POST");
    });
  });

  describe("a handler that fails", () => {
    for (const path of ["/throws", "/rejects", "/rejects-later", "/odd"]) {
      test(`gives 500 and tells nothing: ${path}`, async () => {
        const { statusCode, headers, body } = await ask("GET", path);
        assert.equal(statusCode, 500);
        assert.doesNotMatch(body, /secret|Error:|at /);
        assert.equal(headers["x-half"], undefined);
      });
    }

    test("cuts the connection if the head was sent", async () => {
      for (const path of ["/throws-late", "/rejects-late"]) {
        await assert.rejects(ask("GET", path), { code: "ECONNRESET" });
      }
    });

    test("does no harm to the answer before it in a pipeline", {
      timeout: 5_000,
      skip: skipInTurn({ inTurn }),
    }, async () => {
      const requests = ["/innocent", "/guilty"].map(
        (path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`,
      );
      const bytes = await readAll(portOf(server), requests.join(""));
      assert.match(bytes, /^HTTP\/1\.1 200 OK\r\n/);
      assert.match(bytes, /\r\n\r\nwhole\n/);
      assert.doesNotMatch(bytes, /\r\n0\r\n\r\n$/);
    });

    test("does no harm to an answer that is complete", async () => {
      const { statusCode, body } = await ask("GET", "/throws-after");
      assert.deepEqual([statusCode, body], [200, "done\n"]);
    });

    test("does no harm to the next request", async () => {
      const { statusCode } = await ask("GET", "/hello");
      assert.equal(statusCode, 200);
    });

    if (can.includes("onError")) {
      test("is reported", async () => {
        errors.length = 0;
        await ask("GET", "/throws");
        assert.match(String(errors[0]), /secret/);
      });

      test("is not reported if it was the client that broke off", async () => {
        errors.length = 0;
        const head = "POST /reads HTTP/1.1\r\nHost: x\r\n";
        const body =
          "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nZZ\r\n";
        const failed = once(reads, "failed");
        const bytes = await readAll(portOf(server), head + body);
        await failed;
        assert.match(bytes, /^HTTP\/1\.1 400 /);
        assert.deepEqual(errors, []);
      });

      test("is reported if it was another server that broke off", {
        timeout: 5_000,
      }, async () => {
        errors.length = 0;
        const head =
          "POST /passes HTTP/1.1\r\nHost: x\r\nConnection: close\r\n";
        const body = "Content-Length: 10\r\n\r\nhello";
        const bytes = await readAll(portOf(server), head + body);
        assert.match(bytes, /^HTTP\/1\.1 500 /);
        assert.deepEqual(
          errors.map((err) => /** @type {any} */ (err).code),
          ["ECONNRESET"],
        );
      });
    }
  });

  if (can.includes("parameters")) {
    describe("parameters", () => {
      test("are the handler's to read", async () => {
        const { body } = await ask("GET", "/users/ada/posts/7");
        assert.deepEqual(JSON.parse(body), { user: "ada", post: "7" });
      });
    });
  }

  if (can.includes("queryParams")) {
    describe("queryParams", () => {
      for (const [query, expected] of QUERIES) {
        test(`reads ${query === "" ? "no query" : query}`, async () => {
          const { body } = await ask("GET", `/query${query}`);
          assert.deepEqual(JSON.parse(body), expected);
        });
      }
    });
  }
}

/** @type {[string, [string, string][]][]} */
const QUERIES = [
  ["", []],
  ["?", []],
  ["?a=1", [["a", "1"]]],
  [
    "?a=1&a=2",
    [
      ["a", "1"],
      ["a", "2"],
    ],
  ],
  ["?a", [["a", ""]]],
  ["?a=", [["a", ""]]],
  ["?=b", [["", "b"]]],
  ["?a=b=c", [["a", "b=c"]]],
  ["?a=1+2%202", [["a", "1 2 2"]]],
  ["?a=%2B", [["a", "+"]]],
  ["?a=%zz", [["a", "%zz"]]],
  ["?a=1?b", [["a", "1?b"]]],
  [
    "?__proto__=x&a[__proto__][y]=z",
    [
      ["__proto__", "x"],
      ["a[__proto__][y]", "z"],
    ],
  ],
  ["?caf%C3%A9=1", [["café", "1"]]],
];

/**
 * Sends bytes, and reads until the server closes.
 *
 * @param {number} port
 * @param {string} bytes
 * @returns {Promise<string>} what came, also before a reset
 */
async function readAll(port, bytes) {
  const socket = net.connect(port, "127.0.0.1");
  let text = "";
  socket.setEncoding("latin1").on("data", (data) => {
    text += data;
  });
  socket.on("error", () => {});
  socket.write(bytes);
  await new Promise((resolve) => socket.once("close", resolve));
  return text;
}

/** Says so when the handler of `/reads` has lost its client. */
const reads = new EventEmitter();

/** Says so when the handler of `/guilty` is about to fail. */
const guilty = new EventEmitter();

/**
 * @param {any} router
 * @param {string[]} can
 */
function routes(router, can) {
  const fail = () => {
    throw new Error("secret");
  };
  router.get(
    "/hello",
    (/** @type {any} */ _req, /** @type {any} */ res) => {
      res.writeHead(200, { "content-length": 6 });
      res.end("hello\n");
    },
  );
  router.get(
    "/later",
    async (/** @type {any} */ _req, /** @type {any} */ res) => {
      await new Promise(setImmediate);
      res.end("later\n");
    },
  );
  router.get("/form", fail).post("/form", fail).delete("/other", fail);
  router.get(
    "/innocent",
    async (/** @type {any} */ _req, /** @type {any} */ res) => {
      await once(guilty, "fails");
      setImmediate(() => res.end("whole\n"));
    },
  );
  router.get(
    "/guilty",
    async (/** @type {any} */ _req, /** @type {any} */ res) => {
      res.write("half");
      await new Promise(setImmediate);
      guilty.emit("fails");
      fail();
    },
  );
  router.post("/reads", async (/** @type {any} */ req) => {
    try {
      for await (const _chunk of req);
    } catch (err) {
      setImmediate(() => reads.emit("failed"));
      throw err;
    }
  });
  router.post("/passes", async (/** @type {any} */ req) => {
    const upstream = net.createServer((socket) => {
      socket.once("data", () => socket.resetAndDestroy());
      upstream.close();
    });
    upstream.listen(0, "127.0.0.1");
    await once(upstream, "listening");
    const socket = net.connect(portOf(upstream), "127.0.0.1");
    // A pair of streams in memory notices a reset only when it is read.
    await pipeline(req, socket.resume());
  });
  router.get(
    "/throws",
    (/** @type {any} */ _req, /** @type {any} */ res) => {
      res.setHeader("x-half", "1");
      fail();
    },
  );
  router.get("/rejects", async () => fail());
  router.get("/rejects-later", async () => {
    await new Promise(setImmediate);
    fail();
  });
  router.get("/odd", () => Promise.reject(undefined));
  router.get(
    "/throws-late",
    (/** @type {any} */ _req, /** @type {any} */ res) => {
      res.writeHead(200, { "content-length": 100 });
      res.write("half");
      fail();
    },
  );
  router.get(
    "/rejects-late",
    async (/** @type {any} */ _req, /** @type {any} */ res) => {
      res.write("half");
      await new Promise(setImmediate);
      fail();
    },
  );
  router.get(
    "/throws-after",
    (/** @type {any} */ _req, /** @type {any} */ res) => {
      res.end("done\n");
      fail();
    },
  );
  if (can.includes("parameters")) {
    router.get(
      "/users/:user/posts/:post",
      (/** @type {any} */ req, /** @type {any} */ res) =>
        res.end(JSON.stringify(req.params)),
    );
  }
  if (can.includes("queryParams")) {
    router.get("/query", (/** @type {any} */ req, /** @type {any} */ res) =>
      res.end(JSON.stringify([...req.queryParams])),
    );
  }
  return router;
}
