import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { IncomingMessage, ServerResponse } from "node:http";
import net from "node:net";
import { text } from "node:stream/consumers";
import { describe, it, mock } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { ask, listen } from "../../contracts/router/ask.js";
import { Router } from "../index.js";
import { createServer } from "../lib/engine/index.js";
import { headEnd } from "../lib/engine/response-head.js";

/** @import { TestContext } from "node:test" */

const STATES = ["_events", "_readableState"];

/** @param {TestContext} t @param {(req: any, res: any) => unknown} handler */
async function serve(t, handler) {
  const router = new Router();
  router.get("/*path", handler).post("/*path", handler);
  return listen(t, createServer(router));
}

describe("Nothing before somebody asks", () => {
  it("makes no list of listeners and no stream for a handler that wants neither", async (t) => {
    /** @type {string[][]} */
    const keys = [];
    const port = await serve(t, (req, res) => {
      keys.push(Object.keys(req), Object.keys(res));
      return "hello";
    });
    await ask(port, "GET", "/a");
    for (const own of keys) {
      assert.deepEqual(
        STATES.filter((state) => own.includes(state)),
        [],
      );
    }
    assert.equal(keys.length, 2);
  });

  it("gives each request and each answer its own state", async (t) => {
    /** @type {any[]} */
    const all = [];
    const port = await serve(t, (req, res) => {
      req.on("x", () => {});
      res.on("x", () => {});
      all.push(req, res);
      return "hello";
    });
    await ask(port, "GET", "/a");
    await ask(port, "GET", "/b");
    const [req, res, otherReq, otherRes] = all;
    for (const [one, other] of [
      [req, otherReq],
      [res, otherRes],
    ]) {
      assert.notEqual(one._events, other._events);
      assert.equal(one.listenerCount("x"), 1);
    }
    assert.notEqual(req._readableState, otherReq._readableState);
    assert.notEqual(res.outputData, otherRes.outputData);
    assert.equal(
      Object.getPrototypeOf(req)._events,
      undefined,
      "the prototype got a list of its own",
    );
  });

  it("hands out what node:http's classes have made, for whoever asks", async (t) => {
    /** @type {any} */
    let seen;
    const port = await serve(t, (req, res) => {
      seen = {
        isRequest: req instanceof IncomingMessage,
        isAnswer: res instanceof ServerResponse,
        aborted: req.aborted,
        readable: req.readable,
        trailers: req.rawTrailers,
        socket: req.socket instanceof net.Socket,
        connection: req.connection === req.socket,
        client: req.client === req.socket,
        upgrade: req.upgrade,
        highWaterMark: req.readableHighWaterMark,
        writable: res.writable,
        headersSent: res.headersSent,
        sendDate: res.sendDate,
        ended: res.writableEnded,
        names: res.getHeaderNames(),
        listeners: [req.listenerCount("end"), res.listenerCount("close")],
      };
      return "hello";
    });
    await ask(port, "GET", "/a");
    assert.deepEqual(seen, {
      isRequest: true,
      isAnswer: true,
      aborted: false,
      readable: true,
      trailers: [],
      socket: true,
      connection: true,
      client: true,
      upgrade: false,
      highWaterMark: seen.highWaterMark,
      writable: true,
      headersSent: false,
      sendDate: true,
      ended: false,
      names: [],
      listeners: [0, 0],
    });
    assert.ok(seen.highWaterMark >= 16 * 1024, `${seen.highWaterMark}`);
  });

  it("says of an answer what node:http says when it has gone", async (t) => {
    /** @type {any} */
    let res;
    const port = await serve(t, (_req, answer) => {
      res = answer;
      assert.equal(res.writableFinished, false);
      res.end("hello");
    });
    await ask(port, "GET", "/a");
    for (const name of ["writableEnded", "writableFinished", "closed"]) {
      assert.equal(res[name], true, name);
    }
  });

  for (const [when, wait] of /** @type {const} */ ([
    ["at once", 0],
    ["late", 100],
  ])) {
    it(`gives a body to who reads it ${when}`, async (t) => {
      const port = await serve(t, async (req) => {
        if (wait > 0) await sleep(wait);
        return (await text(req)).length;
      });
      const socket = net.connect(port, "127.0.0.1");
      await once(socket, "connect");
      t.after(() => socket.destroy());
      socket.write(
        "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhel",
      );
      await sleep(20);
      socket.write("lo");
      const [answer] = await once(socket, "data");
      assert.match(String(answer), /\r\n\r\n5$/);
    });
  }

  it("ends a request without a body for who reads it", async (t) => {
    const port = await serve(t, async (req) => {
      return `${(await text(req)).length}`;
    });
    assert.equal((await ask(port, "GET", "/a")).body, "0");
  });
});

describe("Memory for modules that nobody uses", () => {
  it("loads no client for WebSocket with velocy, and no TLS", () => {
    // Some Nodes load TLS with node:http.
    const program = `process.getBuiltinModule("node:http");
      const before = new Set(process.moduleLoadList);
      await Promise.all([import("velocy"), import("velocy/engine")]);
      const more = process.moduleLoadList.filter((one) => !before.has(one));
      console.log(more.some((one) => /undici|tls/.test(one)));`;
    const printed = execFileSync(
      process.execPath,
      ["--input-type=module", "--eval", program],
      { cwd: new URL("..", import.meta.url), encoding: "utf8" },
    );
    assert.equal(printed, "false\n");
  });
});

describe("The head that is always the same", () => {
  it("has a new date in the next second, whatever became of a test's clock", async () => {
    await sleep(1_010 - new Date().getMilliseconds());
    mock.timers.enable({ apis: ["setTimeout"] });
    const before = headEnd(4_711);
    mock.timers.reset();
    await sleep(1_100);
    assert.notEqual(headEnd(4_711), before);
  });
});
