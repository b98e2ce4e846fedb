import assert from "node:assert/strict";
import { once } from "node:events";
import http from "node:http";
import net from "node:net";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { listen } from "../../contracts/router/ask.js";
import {
  createServer,
  HttpError,
  inject,
  openConnection,
  Router,
} from "../index.js";
import { MemorySocket } from "../lib/testing/socket.js";

const HEAD = "GET / HTTP/1.1\r\nHost: x\r\n";

/** @param {net.Socket | MemorySocket} connection */
async function readAll(connection) {
  let text = "";
  connection.setEncoding("latin1").on("data", (data) => {
    text += data;
  });
  connection.on("error", () => {});
  if (!connection.destroyed) await once(connection, "close");
  return text.replace(/^date: .*\r\n/im, "");
}

describe("A connection without a network", () => {
  it("brings bytes to the other end, in order, and the end", async () => {
    const [client, server] = MemorySocket.pair();
    client.write("one ");
    client.write("two ");
    client.end("three");
    let text = "";
    server.on("data", (data) => {
      text += data;
    });
    await once(server, "end");
    assert.equal(text, "one two three");
    assert.ok(server.writable, "the other half has ended, too");
  });

  it("brings nothing at once", () => {
    const [client, server] = MemorySocket.pair();
    let isThere = false;
    server.on("data", () => {
      isThere = true;
    });
    client.write("a");
    assert.equal(isThere, false);
  });

  it("leaves the bytes to whoever wrote them", async () => {
    const [client, server] = MemorySocket.pair();
    const bytes = Buffer.from("before");
    client.write(bytes);
    bytes.fill("x");
    client.end();
    assert.equal(String(Buffer.concat(await server.toArray())), "before");
  });
});

describe("As slow and as rude as a real one", () => {
  it("takes so much, and no more, from whoever writes", async () => {
    const [client, server] = MemorySocket.pair();
    let written = 0;
    const write = () => {
      while (written < 10_000_000) {
        written += 10_000;
        if (!client.write(Buffer.alloc(10_000))) break;
      }
    };
    client.on("drain", write);
    write();
    await sleep(20);
    assert.ok(written < 1_000_000, `${written} bytes`);
    server.resume();
    while (written < 10_000_000) await once(client, "drain");
  });

  it("ends the other end when all was read", async () => {
    const [client, server] = MemorySocket.pair();
    server.resume();
    client.destroy();
    await once(server, "end");
  });

  it("resets the other end when something is unread", async () => {
    const [client, server] = MemorySocket.pair();
    client.resume();
    server.write("unread");
    await once(client, "data");
    client.write("unread");
    await sleep(5);
    server.destroy();
    const [err] = await once(client, "error");
    assert.equal(err.code, "ECONNRESET");
  });

  it("resets it when somebody asks for that", async () => {
    const [client, server] = MemorySocket.pair();
    server.resume();
    client.resetAndDestroy();
    const [err] = await once(server, "error");
    assert.equal(err.code, "ECONNRESET");
  });

  it("refuses what is written to somebody who has gone", async () => {
    const [client, server] = MemorySocket.pair();
    client.destroy();
    server.write("hello");
    const [err] = await once(server, "error");
    assert.equal(err.code, "EPIPE");
  });

  it("tells a writer who waits that nobody will come", async () => {
    const [client, server] = MemorySocket.pair();
    client.on("error", () => {});
    const written = new Promise((resolve) => {
      client.write(Buffer.alloc(1_000_000), resolve);
    });
    server.destroy();
    assert.equal((await written)?.code, "ECONNRESET");
  });

  it("lets an idle client go", async () => {
    const server = createServer(new Router(), { keepAliveTimeout: 20 });
    const client = openConnection(server);
    client.write(`${HEAD}\r\n`);
    client.resume();
    await Promise.all([once(client, "end"), sleep(2000)]);
  });

  it("stops a handler whose client leaves", async () => {
    let stopped;
    const isStopped = new Promise((resolve) => {
      stopped = resolve;
    });
    const router = new Router().get("/", (req) => {
      req.signal.addEventListener("abort", stopped);
      return new Promise(() => {});
    });
    const client = openConnection(createServer(router));
    client.write(`${HEAD}\r\n`);
    await sleep(5);
    client.destroy();
    await isStopped;
  });
});

describe("The same code", () => {
  const router = new Router();
  router.all("/echo", async (req, res) => {
    res.setHeader("x-framing", framingOf(req));
    return req.bytes();
  });
  router.get("/path/*", (req) => req.path);
  router.get("/twice", (_req, res) => {
    res.setHeader("x-a", ["1", "2"]);
    res.setHeader("X-Mixed", "3");
    return "";
  });
  router.get("/trailer", (_req, res) => {
    res.setHeader("trailer", "x-sum");
    res.write("a");
    res.addTrailers({ "x-sum": "97" });
    res.end();
  });
  router.get("/cut", (_req, res) => {
    res.write("half");
    setImmediate(() => res.destroy());
  });
  router.get("/silent", () => new Promise(() => {}));

  function framingOf({ headers }) {
    return (
      headers["transfer-encoding"] ?? headers["content-length"] ?? "none"
    );
  }

  it("gives status, fields, trailers and body", async () => {
    const twice = await inject(router, { target: "/twice" });
    assert.equal(twice.statusCode, 200);
    assert.equal(twice.headers["x-a"], "1, 2");
    assert.notEqual(twice.rawHeaders.indexOf("X-Mixed"), -1);
    const { trailers, body } = await inject(router, { target: "/trailer" });
    assert.equal(trailers["x-sum"], "97");
    assert.deepEqual(body, Buffer.from("a"));
  });

  it("hands the target on as it is", async () => {
    const paths = {
      "/path/a%2Fb": [200, "/path/a%2Fb"],
      "/%70ath/%61?x=/y": [200, "/path/a"],
      "/a/../path/b": [400, "Bad Request\n"],
      "http://localhost/path/c": [200, "/path/c"],
      "/path//d": [400, "Bad Request\n"],
    };
    for (const [target, expected] of Object.entries(paths)) {
      const answer = await inject(router, { target });
      assert.deepEqual(
        [answer.statusCode, answer.text()],
        expected,
        target,
      );
    }
  });

  for (const method of ["GET", "POST", "DELETE", "OPTIONS", "PROPFIND"]) {
    it(`sends a body with ${method}`, async () => {
      const body = "h\u00e4llo";
      const answer = await inject(router, {
        method,
        target: "/echo",
        body,
      });
      assert.equal(answer.text(), body);
      assert.equal(answer.headers["x-framing"], "6");
      const pieces = (async function* generate() {
        yield "a";
        yield Buffer.from("b");
      })();
      const chunked = { method, target: "/echo", body: pieces };
      const other = await inject(router, chunked);
      assert.equal(other.text(), "ab");
      assert.equal(other.headers["x-framing"], "chunked");
    });
  }

  it("adds no second framing to the program's own", async () => {
    for (const [name, value] of [
      ["Transfer-Encoding", "chunked"],
      ["CONTENT-LENGTH", "3"],
    ]) {
      const answer = await inject(router, {
        method: "POST",
        target: "/echo",
        headers: { [name]: value },
        body: "abc",
      });
      assert.equal(answer.text(), "abc", name);
      assert.equal(answer.headers["x-framing"], value);
    }
  });

  it("fails when the source of a body fails", async () => {
    const body = (async function* generate() {
      yield "a";
      throw new Error("no more");
    })();
    await assert.rejects(
      inject(router, { method: "POST", target: "/echo", body }),
      /no more/,
    );
  });

  it("waits for a 100 before it sends the body", async () => {
    const headers = { expect: "100-continue" };
    const request = { method: "POST", target: "/echo", headers };
    const small = await inject(router, { ...request, body: "small" });
    assert.equal(small.text(), "small");
    const body = Buffer.alloc(3_000_000);
    const large = await inject(router, { ...request, body });
    assert.equal(large.statusCode, 413);
  });

  it("sends a body once, though 100 comes twice", async () => {
    const server = http.createServer().on("checkContinue", (req, res) => {
      res.writeContinue();
      res.writeContinue();
      req.pipe(res);
    });
    const headers = { expect: "100-continue" };
    const request = { method: "POST", headers, body: "once" };
    assert.equal((await inject(server, request)).text(), "once");
  });

  it("closes the source of a body when the client leaves", async () => {
    let close;
    const isClosed = new Promise((resolve) => {
      close = resolve;
    });
    const body = (async function* generate() {
      try {
        for (;;) yield Buffer.alloc(100_000);
      } finally {
        close();
      }
    })();
    await assert.rejects(
      inject(router, { target: "/silent", body, timeout: 50 }),
      /wasn't over after 50 ms/,
    );
    await isClosed;
  });

  it("refuses a piece that is neither text nor bytes", async () => {
    const body = /** @type {any} */ (new URLSearchParams({ a: "1" }));
    await assert.rejects(
      inject(router, { method: "POST", target: "/echo", body }),
      { code: "ERR_INVALID_ARG_TYPE" },
    );
  });

  it("takes fields that have no prototype", async () => {
    const headers = Object.assign(Object.create(null), { host: "a" });
    const answer = await inject(router, { target: "/twice", headers });
    assert.equal(answer.statusCode, 200);
  });

  it("says who was silent, in time", async () => {
    await assert.rejects(
      inject(router, { target: "/silent", timeout: 20 }),
      /the answer to GET \/silent wasn't over after 20 ms/,
    );
  });

  it("leaves when its signal says so", async () => {
    const abort = new AbortController();
    const answer = inject(router, {
      target: "/silent",
      signal: abort.signal,
    });
    abort.abort();
    await assert.rejects(answer, { name: "AbortError" });
  });

  it("fails when the answer is cut", async () => {
    await assert.rejects(inject(router, { target: "/cut" }), {
      code: "ECONNRESET",
    });
  });

  it("asks a server with its own options", async () => {
    const told = [];
    const broken = new Router().get("/", () => {
      throw new Error("broken");
    });
    const onError = (err) => told.push(err.message);
    const server = createServer(broken, { onError, maxHeaderSize: 1000 });
    assert.equal((await inject(server)).statusCode, 500);
    assert.deepEqual(told, ["broken"]);
    const headers = { "x-long": "a".repeat(2000) };
    assert.equal((await inject(server, { headers })).statusCode, 431);
  });

  it("refuses what it can't ask, and options that it hasn't got", async () => {
    const wrong = /** @type {any[][]} */ ([
      [{}, {}, "ERR_INJECT_INVALID"],
      [undefined, {}, "ERR_INJECT_INVALID"],
      [router, { path: "/" }, "ERR_OPTION_UNKNOWN"],
      [router, "/", "ERR_OPTIONS_INVALID"],
      [router, { headers: ["a", "b"] }, "ERR_OPTIONS_INVALID"],
      [router, { headers: null }, "ERR_OPTIONS_INVALID"],
      [router, { headers: new Headers() }, "ERR_OPTION_INVALID"],
      [router, { headers: new Map() }, "ERR_OPTION_INVALID"],
      [router, { timeout: "x" }, "ERR_OPTION_INVALID"],
      [router, { timeout: 0 }, "ERR_OPTION_INVALID"],
      [router, { timeout: NaN }, "ERR_OPTION_INVALID"],
      [router, { body: { a: 1 } }, "ERR_OPTION_INVALID"],
      [router, { body: null }, "ERR_OPTION_INVALID"],
      [router, { body: 5 }, "ERR_OPTION_INVALID"],
    ]);
    for (const [to, request, code] of wrong) {
      await assert.rejects(inject(to, request), { code });
    }
  });

  it("names the class of fields that it can't read", async () => {
    const headers = /** @type {any} */ (new Headers());
    const message =
      "the option headers must be a plain object, not an instance of Headers";
    await assert.rejects(inject(router, { headers }), { message });
    const odd = Object.create(Object.create(null));
    await assert.rejects(inject(router, { headers: odd }), {
      code: "ERR_OPTION_INVALID",
    });
  });

  it("waits without a limit where that is asked for", async () => {
    const answer = await inject(router, { timeout: Infinity });
    assert.equal(typeof answer.statusCode, "number");
  });

  it("fails where an answer goes on behind HTTP", async () => {
    const message =
      /^the answer \d+ takes the connection over: use openConnection\(\)$/;
    const connect = { method: "CONNECT", target: "a:1", timeout: 1000 };
    await assert.rejects(inject(router, connect), { message });
    const upgrading = http.createServer().on("upgrade", (_req, socket) => {
      socket.write("HTTP/1.1 101 Switching Protocols\r\n");
      socket.end("Upgrade: x\r\nConnection: Upgrade\r\n\r\n");
    });
    const headers = { connection: "upgrade", upgrade: "x" };
    await assert.rejects(inject(upgrading, { headers }), { message });
  });

  it("lets an HttpError be an answer", async () => {
    const teapot = new Router().get("/", () => {
      throw new HttpError(418, "short and stout");
    });
    assert.equal((await inject(teapot)).statusCode, 418);
  });

  // What only bytes can say is answered as over a socket, to the letter.
  const BYTES = {
    "two framings":
      "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "no host": "GET /path/a HTTP/1.1\r\n\r\n",
    "two hosts": `${HEAD}Host: y\r\n\r\n`,
    "a bare line feed in a field": `${HEAD}a: b\nc: d\r\nConnection: close\r\n\r\n`,
    "a space in the target": "GET /a b HTTP/1.1\r\nHost: x\r\n\r\n",
    "no HTTP": "hello\r\n\r\n",
    "a head that is too long": `${HEAD}a: ${"b".repeat(20_000)}\r\n\r\n`,
    "two requests at once": `${HEAD}\r\n${HEAD}Connection: close\r\n\r\n`,
    "a request without an end": `${HEAD}a: b`,
  };
  for (const [what, bytes] of Object.entries(BYTES)) {
    it(`answers ${what} as over a socket`, async (t) => {
      const server = createServer(router);
      const socket = net.connect(await listen(t, server), "127.0.0.1");
      const answers = [socket, openConnection(createServer(router))].map(
        (connection) => {
          connection.write(bytes);
          if (what === "a request without an end") connection.end();
          return readAll(connection);
        },
      );
      const [real, inMemory] = await Promise.all(answers);
      assert.equal(inMemory, real);
    });
  }
});

describe("A minute in no time", () => {
  it("answers while the program's clock stands still", async (t) => {
    t.mock.timers.enable();
    const router = new Router().get("/", () => "hello");
    assert.equal((await inject(router)).text(), "hello");
  });

  it("passes a deadline when the clock is turned", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    /** @type {() => void} */
    let tell = () => {};
    const reached = new Promise((resolve) => {
      tell = () => resolve(undefined);
    });
    const router = new Router();
    router.get("/", { timeout: 60_000 }, () => new Promise(tell));
    let answered = false;
    const answer = inject(router);
    answer.then(() => {
      answered = true;
    });
    await reached;
    t.mock.timers.tick(59_999);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(answered, false);
    t.mock.timers.tick(1);
    assert.equal((await answer).statusCode, 503);
  });
});
