/**
 * What a server does with more requests than it can answer.
 *
 *     testShedding(velocy);
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import net from "node:net";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Condition } from "../../../tools/lib/condition.js";
import { ask, listen } from "../router/ask.js";

/** @import { TestContext } from "node:test" */

/** @param {number} milliseconds */
export function compute(milliseconds) {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

/** A handler that answers when it is told to, and knows how many wait. */
class Held {
  running = 0;
  most = 0;
  started = 0;
  #change = new Condition();
  /** @type {(() => void)[]} */
  #waiting = [];

  /** @param {string} answer */
  async handle(answer) {
    this.started += 1;
    this.running += 1;
    this.most = Math.max(this.most, this.running);
    this.#change.changed();
    await new Promise((resolve) => {
      this.#waiting.push(() => resolve(undefined));
    });
    this.running -= 1;
    this.#change.changed();
    return answer;
  }

  release() {
    this.#waiting.shift()?.();
  }

  /** @param {() => boolean} isTrue */
  async until(isTrue) {
    const isDone = await this.#change.waitUntil(isTrue, 5000);
    assert.ok(isDone, "it didn't come to that");
  }
}

/** @param {any} velocy */
export function testShedding({
  createServer,
  events,
  Router,
  shed,
  websocket,
}) {
  /**
   * @param {TestContext} t
   * @param {any} options
   * @param {(router: any) => void} addRoutes
   * @param {any} [outer] a middleware around it
   */
  async function serve(t, options, addRoutes, outer = null) {
    const router = new Router();
    const guard = shed(options);
    if (outer !== null) router.use(outer);
    router.use(guard);
    addRoutes(router);
    /** @type {any[]} */
    const errors = [];
    const onError = (/** @type {any} */ err) => errors.push(err);
    const server = createServer(router, { onError });
    const port = await listen(t, server);
    return { port, guard, errors };
  }

  describe("a server that sheds", () => {
    test("runs so many handlers at once, and others in their turn", async (t) => {
      const held = new Held();
      const { port } = await serve(
        t,
        { concurrent: 2, age: 5000 },
        (router) => {
          router.get("/", () => held.handle("done"));
        },
      );
      const asked = Array.from({ length: 6 }, () => ask(port, "GET", "/"));
      for (let ended = 0; ended < 6; ended += 1) {
        await held.until(() => held.started >= Math.min(6, ended + 2));
        held.release();
        await held.until(() => held.running < 2 || ended > 3);
      }
      const answers = await Promise.all(asked);
      assert.deepEqual(
        answers.map(({ body }) => body),
        new Array(6).fill("done"),
      );
      assert.equal(held.most, 2);
    });

    test("refuses who has waited too long, and says when to come again", async (t) => {
      const held = new Held();
      const options = { concurrent: 1, age: 50, retryAfter: 10 };
      const { port, guard, errors } = await serve(t, options, (router) => {
        router.get("/", () => held.handle("done"));
      });
      const first = ask(port, "GET", "/");
      await held.until(() => held.running === 1);
      const start = performance.now();
      const refused = await ask(port, "GET", "/");
      const time = performance.now() - start;
      assert.equal(refused.statusCode, 503);
      assert.ok(time >= 45, `refused after ${time} ms`);
      const seconds = Number(refused.headers["retry-after"]);
      assert.ok(seconds >= 10 && seconds <= 30, `${seconds} s`);
      assert.deepEqual(guard.counts, {
        running: 1,
        waiting: 0,
        refused: 1,
      });
      held.release();
      assert.equal((await first).statusCode, 200);
      assert.deepEqual(errors, [], "nobody is told of each");
    });

    test("refuses the oldest at once when too many wait", async (t) => {
      const held = new Held();
      const options = { concurrent: 1, age: 60_000, waiting: 1 };
      const { port, guard } = await serve(t, options, (router) => {
        router.get("/:name", (/** @type {any} */ req) =>
          held.handle(req.params.name),
        );
      });
      const first = ask(port, "GET", "/first");
      await held.until(() => held.running === 1);
      const oldest = ask(port, "GET", "/oldest");
      while (guard.counts.waiting < 1) await sleep(1);
      const newest = ask(port, "GET", "/newest");
      assert.equal((await oldest).statusCode, 503);
      held.release();
      await held.until(() => held.started === 2);
      held.release();
      assert.deepEqual(
        [(await first).body, (await newest).body],
        ["first", "newest"],
      );
    });

    test("runs nothing for a client that has left", async (t) => {
      const held = new Held();
      const options = { concurrent: 1, age: 60_000 };
      const { port, guard } = await serve(t, options, (router) => {
        router.get("/", () => held.handle("done"));
      });
      const first = ask(port, "GET", "/");
      await held.until(() => held.running === 1);
      const leaving = net.connect(port, "127.0.0.1");
      leaving.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
      while (guard.counts.waiting < 1) await sleep(1);
      leaving.resetAndDestroy();
      await once(leaving, "close");
      await sleep(20);
      held.release();
      await first;
      const last = ask(port, "GET", "/");
      await held.until(() => held.started === 2);
      held.release();
      assert.equal((await last).body, "done");
      assert.deepEqual(guard.counts, {
        running: 0,
        waiting: 0,
        refused: 0,
      });
    });

    test("runs nothing for a request that is answered meanwhile", async (t) => {
      const held = new Held();
      const first = new Held();
      const always = (/** @type {any} */ req) => req.path === "/first";
      const options = { concurrent: 1, age: 60_000, always };
      const { port, guard, errors } = await serve(
        t,
        options,
        (router) => {
          router.get("/", () => held.handle("done"));
          router.get("/first", () => first.handle("first"));
          router.get("/late", () => "late");
        },
        (
          /** @type {any} */ req,
          /** @type {any} */ res,
          /** @type {any} */ next,
        ) => {
          if (req.path === "/late") setTimeout(() => res.end("over"), 5);
          return next();
        },
      );
      const holding = ask(port, "GET", "/");
      await held.until(() => held.running === 1);
      // Its answer waits behind another, so it isn't closed yet.
      const socket = net.connect(port, "127.0.0.1");
      t.after(() => socket.destroy());
      const head = "HTTP/1.1\r\nHost: x\r\n\r\n";
      socket.write(`GET /first ${head}GET /late ${head}`);
      await first.until(() => first.running === 1);
      while (guard.counts.waiting < 1) await sleep(1);
      await sleep(20);
      held.release();
      await holding;
      while (guard.counts.waiting + guard.counts.running > 0)
        await sleep(1);
      first.release();
      await once(socket, "data");
      assert.deepEqual(errors, []);
    });

    test("cuts an answer that was begun before it is refused", async (t) => {
      const held = new Held();
      const options = { concurrent: 1, age: 50 };
      const { port, guard, errors } = await serve(
        t,
        options,
        (router) => {
          router.get("/", () => held.handle("done"));
          router.get("/late", () => "late");
        },
        (
          /** @type {any} */ req,
          /** @type {any} */ res,
          /** @type {any} */ next,
        ) => {
          if (req.path === "/late") setTimeout(() => res.write("wait"), 5);
          return next();
        },
      );
      const first = ask(port, "GET", "/");
      await held.until(() => held.running === 1);
      await assert.rejects(ask(port, "GET", "/late"));
      assert.equal(guard.counts.refused, 1);
      assert.deepEqual(
        errors.map(({ code }) => code),
        ["ERR_HTTP_HEADERS_SENT"],
      );
      held.release();
      assert.equal((await first).body, "done");
    });

    test("lets through who neither waits nor is refused", async (t) => {
      const held = new Held();
      const always = (/** @type {any} */ req) => req.path === "/health";
      const options = { concurrent: 1, age: 60_000, always };
      const { port } = await serve(t, options, (router) => {
        router.get("/", () => held.handle("done"));
        router.get("/health", () => "well");
      });
      const first = ask(port, "GET", "/");
      await held.until(() => held.running === 1);
      assert.equal((await ask(port, "GET", "/health")).body, "well");
      held.release();
      await first;
    });
  });

  describe("a place at a server that sheds", () => {
    /** @type {[string, any, number | null][]} */
    const endings = [
      ["a value", () => "done", 200],
      ["a promise", async () => "done", 200],
      [
        "an error",
        () => {
          throw new Error("no");
        },
        500,
      ],
      [
        "a rejection",
        async () => {
          throw new Error("no");
        },
        500,
      ],
      [
        "an answer",
        (/** @type {any} */ _req, /** @type {any} */ res) =>
          res.text("done"),
        200,
      ],
      [
        "a late answer",
        (/** @type {any} */ _req, /** @type {any} */ res) => {
          setTimeout(() => res.text("done"), 5);
        },
        200,
      ],
      [
        "a late end",
        (/** @type {any} */ _req, /** @type {any} */ res) => {
          res.write("do");
          setTimeout(() => res.end("ne"), 5);
        },
        200,
      ],
      [
        "a cut",
        (/** @type {any} */ _req, /** @type {any} */ res) => {
          res.destroy();
        },
        null,
      ],
    ];
    for (const [name, handler, statusCode] of endings) {
      test(`is free again after ${name}`, async (t) => {
        const options = { concurrent: 1, age: 2000 };
        const { port, guard } = await serve(t, options, (router) => {
          router.get("/", handler);
        });
        for (let i = 0; i < 3; i += 1) {
          const answer = ask(port, "GET", "/");
          if (statusCode === null) await assert.rejects(answer);
          else assert.equal((await answer).statusCode, statusCode);
        }
        while (guard.counts.running > 0) await sleep(1);
        assert.equal(guard.counts.refused, 0);
      });
    }

    /** @type {[string, any][]} */
    const streams = [
      [
        "begins at once, and whose handler goes on",
        async (/** @type {any} */ req, /** @type {any} */ res) => {
          events(req, res).send({ data: "first" });
          await new Promise(() => {});
        },
      ],
      [
        "begins when its handler has returned",
        (/** @type {any} */ _req, /** @type {any} */ res) => {
          setTimeout(() => res.write("first"), 5);
        },
      ],
      [
        "begins while its handler waits",
        async (/** @type {any} */ req, /** @type {any} */ res) => {
          await sleep(5);
          events(req, res).send({ data: "first" });
          await new Promise(() => {});
        },
      ],
    ];
    for (const [name, handler] of streams) {
      test(`isn't held by a stream that ${name}`, async (t) => {
        const options = { concurrent: 1, age: 2000 };
        const { port, guard } = await serve(t, options, (router) => {
          router.get("/", () => "done");
          router.get("/stream", handler);
        });
        const socket = net.connect(port, "127.0.0.1");
        t.after(() => socket.destroy());
        socket.write("GET /stream HTTP/1.1\r\nHost: x\r\n\r\n");
        await once(socket, "data");
        assert.equal(guard.counts.running, 0);
        assert.equal((await ask(port, "GET", "/")).body, "done");
        assert.equal(guard.counts.running, 0);
      });
    }

    test("is held while a handler works whose client has left", async (t) => {
      const held = new Held();
      const options = { concurrent: 1, age: 2000 };
      const { port, guard } = await serve(t, options, (router) => {
        router.get("/", () => held.handle("done"));
      });
      const socket = net.connect(port, "127.0.0.1");
      socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
      await held.until(() => held.running === 1);
      socket.resetAndDestroy();
      await once(socket, "close");
      await sleep(20);
      assert.equal(guard.counts.running, 1);
      held.release();
      while (guard.counts.running > 0) await sleep(1);
    });

    test("isn't held by streams of events and WebSockets", async (t) => {
      const options = { concurrent: 1, age: 2000 };
      const { port } = await serve(t, options, (router) => {
        router.get("/", () => "done");
        router.get(
          "/events",
          (/** @type {any} */ req, /** @type {any} */ res) => {
            events(req, res);
          },
        );
        router.get(
          "/socket",
          websocket(() => {}),
        );
      });
      const upgrade =
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n" +
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
      for (const head of ["GET /events", "GET /socket"]) {
        const socket = net.connect(port, "127.0.0.1");
        t.after(() => socket.destroy());
        socket.write(`${head} HTTP/1.1\r\nHost: x\r\n${upgrade}\r\n`);
        await once(socket, "data");
        assert.equal((await ask(port, "GET", "/")).body, "done");
      }
    });
  });

  describe("handlers that block", () => {
    test("answer in time whom they answer, and all are answered", async (t) => {
      const { port, guard } = await serve(t, { age: 100 }, (router) => {
        router.get("/", () => {
          compute(20);
          return "done";
        });
      });
      await ask(port, "GET", "/");
      const asked = Array.from({ length: 50 }, async () => {
        const start = performance.now();
        const { statusCode } = await ask(port, "GET", "/");
        return { statusCode, time: performance.now() - start };
      });
      const answers = await Promise.all(asked);
      const good = answers.filter(({ statusCode }) => statusCode === 200);
      const refused = answers.filter(
        ({ statusCode }) => statusCode === 503,
      );
      assert.equal(good.length + refused.length, 50);
      assert.equal(guard.counts.refused, refused.length);
      assert.ok(good.length >= 2, `${good.length} are good`);
      // All of them take a second.
      assert.ok(refused.length >= 25, `${refused.length} are refused`);
    });

    test("take in all that have come before the next of them runs", async (t) => {
      let most = 0;
      const { port, guard } = await serve(t, { age: 60_000 }, (router) => {
        router.get("/", () => {
          most = Math.max(most, guard.counts.waiting);
          compute(20);
          return "done";
        });
      });
      await Promise.all(
        Array.from({ length: 20 }, () => ask(port, "GET", "/")),
      );
      // With one connection a turn, and a handler in each, nobody would wait.
      assert.ok(most >= 10, `at most ${most} waited`);
    });
  });

  describe("when to come again", () => {
    for (const [random, seconds] of [
      [0, 1],
      [0.3, 1],
      [0.5, 2],
      [0.7, 3],
      [0.99, 3],
    ]) {
      test(`is after ${seconds} s, by a chance of ${random}`, async (t) => {
        const held = new Held();
        const options = { concurrent: 1, waiting: 0 };
        const { port } = await serve(t, options, (router) => {
          router.get("/", () => held.handle("done"));
        });
        const first = ask(port, "GET", "/");
        await held.until(() => held.running === 1);
        t.mock.method(Math, "random", () => random);
        const { headers } = await ask(port, "GET", "/");
        assert.equal(headers["retry-after"], String(seconds));
        held.release();
        await first;
      });
    }
  });

  describe("the options of shed()", () => {
    const INVALID = [
      [null, "ERR_OPTIONS_INVALID"],
      [{ ages: 5 }, "ERR_OPTION_UNKNOWN"],
      [{ concurrent: 0 }, "ERR_OPTION_INVALID"],
      [{ concurrent: 1.5 }, "ERR_OPTION_INVALID"],
      [{ age: 0 }, "ERR_OPTION_INVALID"],
      [{ age: 2 ** 31 }, "ERR_OPTION_INVALID"],
      [{ waiting: -1 }, "ERR_OPTION_INVALID"],
      [{ retryAfter: "1" }, "ERR_OPTION_INVALID"],
      [{ always: "/health" }, "ERR_OPTION_INVALID"],
    ];
    for (const [options, code] of INVALID) {
      test(`refuses ${JSON.stringify(options)}`, () => {
        assert.throws(() => shed(options), { code });
      });
    }

    test("takes Infinity for an age and a length", () => {
      assert.doesNotThrow(() => shed({ age: Infinity, waiting: Infinity }));
    });
  });
}
