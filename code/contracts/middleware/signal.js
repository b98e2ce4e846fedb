/**
 * The contract for `req.signal`, for a route's deadline, and for the
 * middleware that comes with velocy.
 *
 *     testSignal({ Router, createServer, HttpError });
 */
import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { createReadStream } from "node:fs";
import http from "node:http";
import net from "node:net";
import { Readable } from "node:stream";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { skipInTurn } from "../in-turn.js";
import { ask, listen } from "../router/ask.js";

// A slip that is meant. cspell:ignore timeuot

/** @import { TestContext } from "node:test" */
/** @import { OnionUnderTest } from "./onion.js" */

/** @param {OnionUnderTest} underTest */
export function testSignal({ Router, createServer, inTurn }) {
  /**
   * A server with one route, and what it has told.
   *
   * @param {TestContext} t
   * @param {...any} args of the route
   */
  async function serve(t, ...args) {
    /** @type {any[]} */
    const errors = [];
    const router = new Router().all("/", ...args);
    const onError = (/** @type {unknown} */ err) => errors.push(err);
    const port = await listen(t, createServer(router, { onError }));
    return { port, errors };
  }

  describe("req.signal", () => {
    test("is not aborted by an answer", async (t) => {
      /** @type {any} */
      let signal;
      const { port } = await serve(t, async (/** @type {any} */ req) => {
        signal = req.signal;
        // All of the body is read, and still nothing is aborted.
        for await (const _ of req);
        await sleep(5);
        return "done";
      });
      const { body } = await ask(port, "POST", "/");
      await sleep(10);
      assert.deepEqual([body, signal.aborted], ["done", false]);
    });

    for (const [when, handler] of Object.entries({
      "before anything is sent": () => new Promise(() => {}),
      "in the middle of an answer": (
        /** @type {any} */ _req,
        /** @type {any} */ res,
      ) => {
        res.write("some");
      },
      "while it waits": (/** @type {any} */ req) => {
        return sleep(60_000, "late", { signal: req.signal });
      },
      "in a stream": (/** @type {any} */ req) => {
        return Readable.from(endless(req.signal));
      },
    })) {
      test(`is aborted when the client leaves ${when}`, async (t) => {
        const events = new EventEmitter();
        const { port, errors } = await serve(
          t,
          (/** @type {any} */ req, /** @type {any} */ res) => {
            const { signal } = req;
            signal.addEventListener("abort", () => events.emit("abort"));
            setImmediate(() => events.emit("arrived"));
            return handler(req, res);
          },
        );
        const arrived = once(events, "arrived");
        const client = net.connect(port, "127.0.0.1");
        client.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
        await arrived;
        const aborted = once(events, "abort");
        client.destroy();
        await aborted;
        await sleep(10);
        assert.deepEqual(errors, [], "nobody is told");
      });
    }

    test("is aborted for a request that waits in a pipeline", {
      skip: skipInTurn({ inTurn }),
    }, async (t) => {
      const events = new EventEmitter();
      let aborted = 0;
      let arrived = 0;
      const { port } = await serve(t, (/** @type {any} */ req) => {
        req.signal.addEventListener("abort", () => {
          aborted += 1;
          if (aborted === 2) events.emit("aborted");
        });
        arrived += 1;
        if (arrived === 2) events.emit("arrived");
        return new Promise(() => {});
      });
      const allArrived = once(events, "arrived");
      const client = net.connect(port, "127.0.0.1");
      client.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".repeat(2));
      await allArrived;
      const allAborted = once(events, "aborted");
      client.destroy();
      await allAborted;
    });

    test("leaves no listener on a connection that is kept", async (t) => {
      /** @type {number[]} */
      const counts = [];
      const { port } = await serve(t, (/** @type {any} */ req) => {
        counts.push(req.socket.listenerCount("close"));
        return String(req.signal.aborted);
      });
      const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
      for (let i = 0; i < 4; i += 1) {
        const { body } = await ask(port, "GET", "/", { agent });
        assert.equal(body, "false");
      }
      agent.destroy();
      assert.deepEqual(counts, Array(4).fill(counts[0]));
    });

    test("is aborted for who looks late", async (t) => {
      const events = new EventEmitter();
      const { port } = await serve(
        t,
        async (/** @type {any} */ req, /** @type {any} */ res) => {
          events.emit("arrived");
          await once(res, "close");
          events.emit(
            "looked",
            req.signal.aborted,
            req.signal.reason?.name,
          );
        },
      );
      const arrived = once(events, "arrived");
      const looked = once(events, "looked");
      const client = net.connect(port, "127.0.0.1");
      client.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
      await arrived;
      client.destroy();
      assert.deepEqual(await looked, [true, "AbortError"]);
    });
  });

  describe("a route's deadline", () => {
    const options = { timeout: 30 };

    for (const [what, handler] of Object.entries({
      "a promise that takes too long": () => sleep(80, "late"),
      "a promise that never comes": () => new Promise(() => {}),
      "a callback that answers late": (
        /** @type {any} */ _req,
        /** @type {any} */ res,
      ) => {
        setTimeout(() => res.end("late"), 80);
      },
      "a handler that fails late": async () => {
        await sleep(80);
        throw new Error("late");
      },
      "a handler that answers late": async (
        /** @type {any} */ _req,
        /** @type {any} */ res,
      ) => {
        await sleep(80);
        res.writeHead(200, { "content-type": "text/plain" }).end("late");
      },
      "a handler that heeds the signal": (/** @type {any} */ req) => {
        return sleep(60_000, "late", { signal: req.signal });
      },
      "a stream that doesn't begin": () => Readable.from(never()),
    })) {
      test(`answers 503 for ${what}`, async (t) => {
        const { port, errors } = await serve(t, options, handler);
        const { statusCode, body } = await ask(port, "GET", "/");
        assert.deepEqual(
          [statusCode, body],
          [503, "Service Unavailable\n"],
        );
        await sleep(90);
        assert.equal(errors.length, 1, "told once, and of nothing late");
        assert.equal(errors[0].statusCode, 503);
      });
    }

    // What would end the process comes here, and not from a promise.
    for (const [what, answer] of Object.entries({
      text: (/** @type {any} */ res) => res.text("late"),
      "text with a status": (/** @type {any} */ res) => {
        res.status(201).text("late");
      },
      JSON: (/** @type {any} */ res) => res.json({ late: true }),
      HTML: (/** @type {any} */ res) => res.html("late"),
      "a redirect": (/** @type {any} */ res) => res.redirect("/late"),
      fields: (/** @type {any} */ res) => {
        res.setHeader("x-late", "yes");
        res.appendHeader("x-late", "yes");
        res.setHeaders(new Map([["x-late", "yes"]]));
        res.removeHeader("x-late");
        res.vary("x-late");
        res.end("late");
      },
      "a head": (/** @type {any} */ res) => {
        res.writeHead(200, { "x-late": "yes" }).end("late");
      },
      "interim heads": (/** @type {any} */ res) => {
        res.writeContinue();
        res.writeProcessing();
        res.writeEarlyHints({ link: "</late.css>; rel=preload" });
        // Node 20 has none.
        res.writeInformation?.(103, { link: "</late.css>; rel=preload" });
        res.end("late");
      },
      "a head that is flushed": (/** @type {any} */ res) => {
        res.flushHeaders();
        res.write("late");
        res.end();
      },
    })) {
      test(`drops ${what} that a callback gives too late`, async (t) => {
        /** @type {unknown[]} */
        const thrown = [];
        const events = new EventEmitter();
        const answered = once(events, "answered");
        const handler = (
          /** @type {any} */ _req,
          /** @type {any} */ res,
        ) => {
          setTimeout(() => {
            try {
              answer(res);
            } catch (err) {
              thrown.push(err);
            }
            events.emit("answered", res.statusCode);
          }, 80);
        };
        const { port, errors } = await serve(t, options, handler);
        const { statusCode, headers } = await ask(port, "GET", "/");
        assert.deepEqual([statusCode, headers["x-late"]], [503, undefined]);
        assert.deepEqual(await answered, [503]);
        await sleep(5);
        assert.deepEqual(thrown, [], "nothing ends the process");
        assert.equal(errors.length, 1, "told once, and of nothing late");
      });
    }

    test("leaves an answer of onError's alone", async (t) => {
      const router = new Router().get("/", options, () => {
        return new Promise(() => {});
      });
      router.onError(
        async (
          /** @type {any} */ _err,
          /** @type {any} */ _req,
          /** @type {any} */ res,
        ) => {
          await sleep(5);
          res.status(502).setHeader("x-error", "yes");
          return Readable.from(["a", "b"]);
        },
      );
      const port = await listen(t, createServer(router));
      const { statusCode, headers, body } = await ask(port, "GET", "/");
      assert.deepEqual(
        [statusCode, headers["x-error"], body],
        [502, "yes", "ab"],
      );
    });

    for (const [what, open] of Object.entries({
      "a stream": () => new Readable({ read() {} }),
      "a file that isn't there": () => createReadStream("no/such/file"),
    })) {
      test(`ends ${what} that comes too late`, async (t) => {
        const events = new EventEmitter();
        const patience = AbortSignal.timeout(5000);
        const closed = once(events, "closed", { signal: patience });
        const { port } = await serve(t, options, async () => {
          await sleep(80);
          return open().once("close", () => events.emit("closed"));
        });
        const { statusCode } = await ask(port, "GET", "/");
        assert.equal(statusCode, 503);
        await closed;
      });
    }

    test("cuts an answer that has begun", async (t) => {
      for (const handler of [
        (/** @type {any} */ _req, /** @type {any} */ res) => {
          res.write("some");
        },
        () => Readable.from(endless()),
      ]) {
        const { port, errors } = await serve(t, options, handler);
        await assert.rejects(ask(port, "GET", "/"), { code: "ECONNRESET" });
        assert.equal(errors.length, 1);
      }
    });

    test("lets a client take its time over what is written", async (t) => {
      const size = 30_000_000;
      /** @type {any} */
      let signal;
      const { port, errors } = await serve(
        t,
        options,
        (/** @type {any} */ req) => {
          signal = req.signal;
          return Buffer.alloc(size, "x");
        },
      );
      const client = net.connect(port, "127.0.0.1");
      client.write(
        "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
      );
      await once(client, "connect");
      await sleep(150);
      let received = 0;
      for await (const chunk of client) received += chunk.length;
      assert.ok(received > size, `${received} bytes`);
      assert.deepEqual([signal.aborted, errors], [false, []]);
    });

    test("doesn't begin for a client that has left", async (t) => {
      const events = new EventEmitter();
      const patience = { signal: AbortSignal.timeout(5000) };
      const arrived = once(events, "arrived", patience);
      const inside = once(events, "inside", patience);
      /** @type {unknown[]} */
      const errors = [];
      const router = new Router()
        .use(
          async (
            /** @type {any} */ _req,
            /** @type {any} */ res,
            /** @type {any} */ next,
          ) => {
            events.emit("arrived");
            await once(res, "close");
            return next();
          },
        )
        .get("/", options, () => {
          events.emit("inside");
          return new Promise(() => {});
        });
      const onError = (/** @type {unknown} */ err) => errors.push(err);
      const port = await listen(t, createServer(router, { onError }));
      const client = net.connect(port, "127.0.0.1");
      client.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
      await arrived;
      client.destroy();
      await inside;
      await sleep(80);
      assert.deepEqual(errors, []);
    });

    test("aborts the signal, and says why", async (t) => {
      /** @type {any} */
      let signal;
      const { port } = await serve(t, options, (/** @type {any} */ req) => {
        signal = req.signal;
        return new Promise(() => {});
      });
      await ask(port, "GET", "/");
      assert.deepEqual(
        [signal.aborted, signal.reason.name],
        [true, "TimeoutError"],
      );
    });

    test("says nothing to what is done in time", async (t) => {
      /** @type {any} */
      let signal;
      const { port, errors } = await serve(
        t,
        options,
        async (/** @type {any} */ req) => {
          signal = req.signal;
          await sleep(1);
          return "in time";
        },
      );
      const { body } = await ask(port, "GET", "/");
      await sleep(50);
      assert.deepEqual(
        [body, signal.aborted, errors],
        ["in time", false, []],
      );
    });

    for (const timeout of [0, -1, 1.5, "1000", null, 2 ** 31, Infinity]) {
      test(`can't be ${JSON.stringify(timeout)}`, () => {
        const add = () => new Router().get("/", { timeout }, () => {});
        assert.throws(add, {
          code: "ERR_OPTION_INVALID",
          message: /timeout/,
        });
      });
    }

    test("has a name, and no other", () => {
      const add = () => new Router().get("/", { timeuot: 5 }, () => {});
      assert.throws(add, {
        code: "ERR_OPTION_UNKNOWN",
        message: /timeout/,
      });
    });
  });
}

/** @param {AbortSignal} [signal] */
async function* endless(signal) {
  for (;;) {
    await sleep(2, undefined, { signal });
    yield "more ";
  }
}

async function* never() {
  await new Promise(() => {});
  yield "";
}
