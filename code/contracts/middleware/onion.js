/**
 * The contract for what a middleware may do: what comes of each way to call
 * next(), or not to call it, on a real server.
 *
 *     testOnion({ Router, createServer, HttpError });
 */
import assert from "node:assert/strict";
import { EventEmitter, on, once } from "node:events";
import { Readable } from "node:stream";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { skipInTurn } from "../in-turn.js";
import { ask, listen } from "../router/ask.js";
import { Visitor } from "../visitor.js";

/** @import { TestContext } from "node:test" */

/**
 * @typedef {object} OnionUnderTest
 * @property {new (options?: any) => any} Router
 * @property {(router: any, options?: any) => any} createServer
 * @property {boolean} [inTurn] it begins a request when the one before is
 *   answered
 * @property {new (...args: any[]) => any} HttpError
 */

/** @typedef {(req: any, res: any, next: (err?: any) => any) => any} Middleware */

/** What a handler may do, and what a client gets of it. */
const HANDLERS = {
  "returns a value": () => "inside",
  "returns a promise": async () => "inside",
  "returns a promise, later": () => sleep(5, "inside"),
  "answers itself": (/** @type {any} */ _req, /** @type {any} */ res) => {
    res.end("inside");
  },
  "answers itself, later": (
    /** @type {any} */ _req,
    /** @type {any} */ res,
  ) => {
    setTimeout(() => res.end("inside"), 5);
  },
};

/** Middleware that lets everything through. @type {Record<string, Middleware>} */
const PASSES = {
  "returns next()": (_req, _res, next) => next(),
  "calls next() and returns nothing": (_req, _res, next) => {
    next();
  },
  "awaits next()": async (_req, _res, next) => {
    await next();
  },
  "returns what it awaited": async (_req, _res, next) => await next(),
  "forgets to await": async (_req, _res, next) => {
    next();
  },
  "forgets to await, and goes on": async (_req, _res, next) => {
    next();
    await sleep(10);
  },
  "awaits something before": async (_req, _res, next) => {
    await sleep(1);
    return next();
  },
  "calls back at once": (_req, _res, next) => {
    process.nextTick(next);
  },
  "calls back later": (_req, _res, next) => {
    setTimeout(() => next(), 3);
  },
  "calls back with null": (_req, _res, next) => {
    setTimeout(next, 3, null);
  },
  "calls back from a promise": (_req, _res, next) => {
    sleep(1).then(() => next(), next);
  },
  "returns a promise's callback": (_req, _res, next) => {
    return sleep(1)
      .then(() => next())
      .catch(next);
  },
  "is asynchronous and calls back": async (_req, _res, next) => {
    await sleep(1);
    setTimeout(next, 3);
  },
  "catches, and fails with what it caught": (_req, _res, next) => {
    try {
      next();
    } catch (err) {
      next(err);
    }
  },
};

/**
 * An error that is undefined can't be given to next(err): that is a second
 * next(), which is told beside it, or instead. The codes of what is told.
 *
 * @type {Record<string, Record<string, (string | undefined)[]>>}
 */
const TOLD_OF_UNDEFINED = {
  "returns a promise's callback": {
    "throws undefined": [undefined, "ERR_NEXT_TWICE"],
    "rejects with undefined": [undefined, "ERR_NEXT_TWICE"],
  },
  "catches, and fails with what it caught": {
    "throws undefined": ["ERR_NEXT_TWICE"],
  },
};

/** What a handler may fail with. */
const FAILURES = {
  "throws at once": () => {
    throw new Error("inside");
  },
  "throws undefined": () => {
    throw undefined;
  },
  rejects: async () => {
    throw new Error("inside");
  },
  "rejects with undefined": () => Promise.reject(),
  "rejects later": async () => {
    await sleep(5);
    throw new Error("inside");
  },
};

/** @param {EventEmitter} events @param {string} name within 5 seconds */
function soon(events, name) {
  return once(events, name, { signal: AbortSignal.timeout(5000) });
}

/** @param {OnionUnderTest} underTest */
export function testOnion({ Router, createServer, HttpError, inTurn }) {
  /** @type {unknown[]} what nobody answered for */
  let errors = [];
  /** @type {unknown[]} what would have ended the process */
  const uncaught = [];
  const note = (/** @type {unknown} */ err) => uncaught.push(err);
  before(() => {
    process.on("uncaughtException", note);
    process.on("unhandledRejection", note);
  });
  after(() => {
    process.off("uncaughtException", note);
    process.off("unhandledRejection", note);
  });

  /**
   * Asks a server with these middleware around this handler.
   *
   * @param {TestContext} t
   * @param {Middleware | Middleware[]} middleware
   * @param {any} handler
   */
  async function get(t, middleware, handler = () => "inside") {
    errors = [];
    uncaught.length = 0;
    const router = new Router();
    const all = Array.isArray(middleware) ? middleware : [middleware];
    if (all.length > 0) router.use(...all);
    router.get("/", handler);
    const onError = (/** @type {unknown} */ err) => errors.push(err);
    const port = await listen(t, createServer(router, { onError }));
    const response = await ask(port, "GET", "/");
    // What comes late shall have come.
    await sleep(20);
    assert.deepEqual(uncaught, [], "nothing may end the process");
    return response;
  }

  /**
   * Lets a client leave whose middleware waits: it has neither answered nor
   * called next().
   *
   * @param {TestContext} t
   * @param {(req: any, res: any) => any} handler behind it
   * @returns {Promise<{ res: any, next: any, told: () => Promise<any> }>} once
   *   the response is closed; `told` waits for the next error of onError
   */
  async function leaveWaiting(t, handler) {
    const events = new EventEmitter();
    /** @type {any} */
    let res;
    /** @type {any} */
    let next;
    const router = new Router();
    router.use(
      (
        /** @type {any} */ _req,
        /** @type {any} */ itsRes,
        /** @type {any} */ itsNext,
      ) => {
        res = itsRes;
        next = itsNext;
        res.once("close", () => events.emit("close"));
        events.emit("arrived");
      },
    );
    router.get("/", handler);
    const signal = AbortSignal.timeout(5000);
    const errorsTold = on(events, "told", { signal });
    const onError = (/** @type {unknown} */ err) =>
      events.emit("told", err);
    const port = await listen(t, createServer(router, { onError }));
    const arrived = soon(events, "arrived");
    const closed = soon(events, "close");
    const leave = new AbortController();
    const asked = ask(port, "GET", "/", { signal: leave.signal });
    await arrived;
    leave.abort();
    await assert.rejects(asked, { name: "AbortError" });
    await closed;
    return {
      res,
      next,
      told: async () =>
        /** @type {any} */ (await errorsTold.next()).value[0],
    };
  }

  for (const [what, middleware] of Object.entries(PASSES)) {
    describe(`a middleware that ${what}`, () => {
      for (const [does, handler] of Object.entries(HANDLERS)) {
        test(`lets a handler through that ${does}`, async (t) => {
          const response = await get(t, middleware, handler);
          assert.equal(response.statusCode, 200);
          assert.equal(response.body, "inside");
          assert.deepEqual(errors, []);
        });
      }

      for (const [does, handler] of Object.entries(FAILURES)) {
        test(`lets the error of a handler through that ${does}`, async (t) => {
          const response = await get(t, middleware, handler);
          assert.equal(response.statusCode, 500);
          const isUndefined = /undefined/.test(does);
          const special = isUndefined
            ? TOLD_OF_UNDEFINED[what]?.[does]
            : undefined;
          const told = errors.map((err) => /** @type {any} */ (err)?.code);
          assert.deepEqual(
            told,
            special ?? [undefined],
            "the error is told once",
          );
        });
      }
    });
  }

  describe("a thenable that is no promise", () => {
    for (const [what, middleware] of Object.entries(PASSES)) {
      test(`is asked once by a middleware that ${what}`, async (t) => {
        let calls = 0;
        const query = {
          /** @param {(value: string) => void} resolve */
          // biome-ignore lint/suspicious/noThenProperty: it is what is tested
          then(resolve) {
            calls += 1;
            resolve("inside");
          },
        };
        const { body } = await get(t, middleware, () => query);
        assert.deepEqual([body, calls], ["inside", 1]);
      });
    }
  });

  describe("what next() gives back", () => {
    test("is what the inside returned, without a promise", async (t) => {
      let inside;
      await get(t, (_req, _res, next) => {
        inside = next();
      });
      assert.equal(inside, "inside");
    });

    test("is a promise if the inside is asynchronous", async (t) => {
      /** @type {any} */
      let inside;
      const middleware = (
        /** @type {any} */ _req,
        /** @type {any} */ _res,
        /** @type {any} */ next,
      ) => {
        inside = next();
        return inside;
      };
      await get(t, middleware, async () => "inside");
      assert.equal(await inside, "inside");
    });

    test("throws where the inside throws", async (t) => {
      const caught = [];
      const middleware = [
        (
          /** @type {any} */ _req,
          /** @type {any} */ _res,
          /** @type {any} */ next,
        ) => {
          try {
            return next();
          } catch (err) {
            caught.push(err);
            return "caught";
          }
        },
      ];
      const { body } = await get(t, middleware, FAILURES["throws at once"]);
      assert.deepEqual(
        [body, caught.length, errors.length],
        ["caught", 1, 0],
      );
    });
  });

  describe("a middleware's own value", () => {
    test("replaces the inside's", async (t) => {
      const { body } = await get(t, async (_req, _res, next) => {
        return `(${await next()})`;
      });
      assert.equal(body, "(inside)");
    });

    test("may be null or empty", async (t) => {
      const { body } = await get(t, (_req, _res, next) => {
        next();
        return null;
      });
      assert.equal(body, "null");
    });

    test("is sent without next()", async (t) => {
      let isCalled = false;
      const { body } = await get(
        t,
        () => "outside",
        () => {
          isCalled = true;
        },
      );
      assert.deepEqual([body, isCalled], ["outside", false]);
    });

    test("goes outwards through all of them", async (t) => {
      /** @type {string[]} */
      const order = [];
      const layer = (/** @type {string} */ name) => {
        return async (
          /** @type {any} */ _req,
          /** @type {any} */ _res,
          /** @type {any} */ next,
        ) => {
          order.push(`${name} in`);
          const value = await next();
          order.push(`${name} out`);
          return `${name}(${value})`;
        };
      };
      const { body } = await get(t, [layer("a"), layer("b"), layer("c")]);
      assert.equal(body, "a(b(c(inside)))");
      assert.deepEqual(order, [
        "a in",
        "b in",
        "c in",
        "c out",
        "b out",
        "a out",
      ]);
    });
  });

  describe("a middleware that catches", () => {
    for (const [does, handler] of Object.entries(FAILURES)) {
      test(`and answers is done, if the handler ${does}`, async (t) => {
        const middleware = async (
          /** @type {any} */ _req,
          /** @type {any} */ res,
          /** @type {any} */ next,
        ) => {
          try {
            await next();
          } catch {
            res.statusCode = 502;
            res.end("caught");
          }
        };
        const { statusCode, body } = await get(t, middleware, handler);
        assert.deepEqual([statusCode, body], [502, "caught"]);
        assert.deepEqual(errors, []);
      });

      test(`and does nothing gives a 500, if the handler ${does}`, async (t) => {
        const middleware = async (
          /** @type {any} */ _req,
          /** @type {any} */ _res,
          /** @type {any} */ next,
        ) => {
          try {
            await next();
          } catch {}
        };
        const { statusCode } = await get(t, middleware, handler);
        assert.deepEqual([statusCode, errors.length], [500, 1]);
      });
    }
  });

  describe("a middleware that fails", () => {
    /** @type {Record<string, Middleware>} */
    const failing = {
      "by throwing": () => {
        throw new HttpError(418, "no coffee");
      },
      "by rejecting": async () => {
        throw new HttpError(418, "no coffee");
      },
      "by next(err)": (_req, _res, next) => {
        next(new HttpError(418, "no coffee"));
      },
      "by next(err), later": (_req, _res, next) => {
        setTimeout(() => next(new HttpError(418, "no coffee")), 3);
      },
      "by next(err), asynchronously": async (_req, _res, next) => {
        await sleep(1);
        next(new HttpError(418, "no coffee"));
      },
      "as npm's packages do": (_req, _res, next) => {
        next(
          Object.assign(new Error("no coffee"), {
            expose: true,
            status: 418,
          }),
        );
      },
    };
    for (const [how, middleware] of Object.entries(failing)) {
      test(`${how} keeps the handler from running`, async (t) => {
        let isCalled = false;
        const handler = () => {
          isCalled = true;
        };
        const { statusCode, body } = await get(t, middleware, handler);
        assert.deepEqual([statusCode, body], [418, "no coffee\n"]);
        assert.deepEqual([isCalled, errors.length], [false, 0]);
      });
    }

    test("tells nothing of a server's error that is exposed", async (t) => {
      const { statusCode, body } = await get(t, (_req, _res, next) => {
        const marks = { expose: true, status: 503 };
        next(Object.assign(new Error("secret"), marks));
      });
      assert.equal(statusCode, 500);
      assert.doesNotMatch(body, /secret/);
    });

    test("by throwing undefined fails all the same", async (t) => {
      const { statusCode } = await get(t, () => {
        throw undefined;
      });
      assert.deepEqual([statusCode, errors.length], [500, 1]);
    });
  });

  describe("next(), called too often or too late", () => {
    /** @type {Record<string, Middleware>} */
    const twice = {
      "twice in a row": (_req, _res, next) => {
        next();
        next();
      },
      "twice, returned": (_req, _res, next) => {
        next();
        return next();
      },
      "twice, awaited": async (_req, _res, next) => {
        await next();
        await next();
      },
      "twice from a callback": (_req, _res, next) => {
        setTimeout(() => {
          next();
          next();
        }, 3);
      },
      "once more, later": (_req, _res, next) => {
        next();
        setTimeout(next, 5);
      },
      "once more, in its then": (_req, _res, next) => {
        next();
        sleep(1).then(() => next(), next);
      },
    };
    for (const [how, middleware] of Object.entries(twice)) {
      for (const [does, handler] of Object.entries(HANDLERS)) {
        test(`${how}: runs a handler once that ${does}`, async (t) => {
          let calls = 0;
          await get(t, middleware, (/** @type {any[]} */ ...args) => {
            calls += 1;
            return /** @type {any} */ (handler)(...args);
          });
          assert.equal(calls, 1);
          const codes = errors.map((err) => /** @type {any} */ (err).code);
          assert.deepEqual(codes, ["ERR_NEXT_TWICE"]);
        });
      }
    }

    /** @type {Record<string, Middleware>} */
    const refused = {
      "in a row": (_req, _res, next) => {
        next(new Error("not allowed"));
        next();
      },
      "in a promise": async (_req, _res, next) => {
        next(new Error("not allowed"));
        await next();
      },
      "from a callback": (_req, _res, next) => {
        setTimeout(() => {
          next(new Error("not allowed"));
          next();
        }, 3);
      },
    };
    for (const [how, guard] of Object.entries(refused)) {
      test(`behind an error, ${how}: keeps the handler from running`, async (t) => {
        let isCalled = false;
        const { statusCode } = await get(t, guard, () => {
          isCalled = true;
        });
        assert.deepEqual([statusCode, isCalled], [500, false]);
        const told = errors.map((err) => /** @type {any} */ (err));
        assert.deepEqual(
          told.map(({ code, message }) => code ?? message).toSorted(),
          ["ERR_NEXT_TWICE", "not allowed"],
        );
      });
    }

    test("after an answer: keeps the handler from running", async (t) => {
      let isCalled = false;
      const guard = (
        /** @type {any} */ _req,
        /** @type {any} */ res,
        /** @type {any} */ next,
      ) => {
        res.writeHead(401).end("who are you?");
        next();
      };
      const { statusCode, body } = await get(t, guard, () => {
        isCalled = true;
      });
      assert.deepEqual([statusCode, body], [401, "who are you?"]);
      assert.equal(isCalled, false);
      const codes = errors.map((err) => /** @type {any} */ (err).code);
      assert.deepEqual(codes, ["ERR_NEXT_LATE"]);
    });

    test("after a value: keeps the handler from running", async (t) => {
      let isCalled = false;
      const guard = (
        /** @type {any} */ _req,
        /** @type {any} */ _res,
        /** @type {any} */ next,
      ) => {
        setTimeout(next, 3);
        return "no";
      };
      await get(t, guard, () => {
        isCalled = true;
      });
      assert.equal(isCalled, false);
      assert.equal(errors.length, 1);
    });

    test("with an error, after the answer: is told", async (t) => {
      const { statusCode, body } = await get(t, (_req, _res, next) => {
        next();
        setTimeout(() => next(new Error("late")), 5);
      });
      assert.deepEqual([statusCode, body], [200, "inside"]);
      assert.equal(/** @type {any} */ (errors[0]).message, "late");
    });
  });

  describe("two errors of one layer: the first is answered, both are told", () => {
    /** @type {Record<string, Middleware>} */
    const failing = {
      "next(err), and a throw": (_req, _res, next) => {
        next(new HttpError(418, "first"));
        throw new Error("second");
      },
      "next(err), and a rejection": async (_req, _res, next) => {
        next(new HttpError(418, "first"));
        await sleep(1);
        throw new Error("second");
      },
      "next(err), and next(err)": (_req, _res, next) => {
        next(new HttpError(418, "first"));
        next(new Error("second"));
      },
    };
    for (const [how, middleware] of Object.entries(failing)) {
      test(how, async (t) => {
        const { statusCode, body } = await get(t, middleware);
        assert.deepEqual([statusCode, body], [418, "first\n"]);
        const told = errors.map((err) => /** @type {any} */ (err).message);
        // What is the client's is only answered.
        assert.deepEqual(told, ["second"]);
      });
    }

    test("next() twice, and the inside's", async (t) => {
      const { statusCode } = await get(
        t,
        async (_req, _res, next) => {
          next();
          await next();
        },
        FAILURES["rejects later"],
      );
      assert.equal(statusCode, 500);
      const told = errors.map((err) => /** @type {any} */ (err).message);
      assert.equal(told.length, 2);
      assert.ok(told.includes("inside"), told.join());
    });
  });

  describe("an error after the answer", () => {
    test("of a handler is told, and doesn't change the answer", async (t) => {
      const { body } = await get(
        t,
        PASSES["forgets to await, and goes on"],
        async (/** @type {any} */ _req, /** @type {any} */ res) => {
          res.end("inside");
          throw new Error("late");
        },
      );
      assert.equal(body, "inside");
      assert.equal(errors.length, 1);
    });

    test("of a middleware is told, and doesn't change the answer", async (t) => {
      const middleware = async (
        /** @type {any} */ _req,
        /** @type {any} */ _res,
        /** @type {any} */ next,
      ) => {
        await next();
        throw new Error("late");
      };
      const handler = (/** @type {any} */ _req, /** @type {any} */ res) => {
        res.end("inside");
      };
      const { body } = await get(t, middleware, handler);
      assert.equal(body, "inside");
      assert.equal(errors.length, 1);
    });

    test("by a write after the end doesn't end the process", async (t) => {
      const { body } = await get(
        t,
        [],
        (/** @type {any} */ _req, /** @type {any} */ res) => {
          res.end("inside");
          res.write("more");
        },
      );
      assert.equal(body, "inside");
      assert.equal(errors.length, 1);
    });
  });

  describe("a stream of the inside that nobody sends", () => {
    /** @type {Record<string, Middleware>} */
    const failing = {
      "calls next() twice": (_req, _res, next) => {
        next();
        next();
      },
      "fails after it": async (_req, _res, next) => {
        await next();
        throw new Error("outside");
      },
    };
    for (const [how, middleware] of Object.entries(failing)) {
      test(`is ended if the middleware ${how}`, async (t) => {
        const stream = new Readable({ read() {} });
        const { statusCode } = await get(t, middleware, () => stream);
        assert.deepEqual([statusCode, stream.destroyed], [500, true]);
      });
    }

    test("is ended if the client has left, and next() comes", async (t) => {
      const stream = new Readable({ read() {} });
      const { next } = await leaveWaiting(t, () => stream);
      const ended = soon(stream, "close");
      next();
      await ended;
    });
  });

  describe("fields that middleware has set", () => {
    const withField = (
      /** @type {any} */ _req,
      /** @type {any} */ res,
      /** @type {any} */ next,
    ) => {
      res.setHeader("x-outside", "yes");
      return next();
    };

    test("stay when the handler fails; the handler's go", async (t) => {
      const handler = (/** @type {any} */ _req, /** @type {any} */ res) => {
        res.setHeader("x-inside", "yes");
        res.setHeader("x-outside", "changed");
        throw new HttpError(404, "nothing");
      };
      const { statusCode, headers } = await get(t, withField, handler);
      assert.equal(statusCode, 404);
      assert.equal(headers["x-outside"], "yes");
      assert.equal(headers["x-inside"], undefined);
    });

    test("stay without what was appended to them", async (t) => {
      /** @type {Middleware} */
      const outside = (_req, res, next) => {
        res.appendHeader("set-cookie", "a=1");
        res.appendHeader("set-cookie", "b=2");
        return next();
      };
      /** @type {(req: any, res: any) => void} */
      const handler = (_req, res) => {
        res.appendHeader("set-cookie", "handler=1");
        throw new HttpError(404);
      };
      /** @type {(err: any, req: any, res: any) => void} */
      const onError = (_err, _req, res) => {
        res.appendHeader("set-cookie", "onError=1");
      };
      const router = new Router().use(outside);
      const api = new Router().get("/", handler).onError(onError);
      router.mount("/api", api).onError(() => "sorry");
      const port = await listen(t, createServer(router));
      const { headers, body } = await ask(port, "GET", "/api");
      assert.deepEqual(
        [headers["set-cookie"], body],
        [["a=1", "b=2"], "sorry"],
      );
    });

    test("stay without those of an onError, if a guard fails", async (t) => {
      /** @type {(err: any, req: any, res: any) => void} */
      const onError = (_err, _req, res) => {
        res.setHeader("x-api", "yes");
      };
      const router = new Router().use(withField);
      const api = new Router().onError(onError).use(() => {
        throw new HttpError(401);
      });
      router.mount("/api", api).onError(() => "sorry");
      const port = await listen(t, createServer(router));
      const { headers, body } = await ask(port, "GET", "/api");
      assert.deepEqual(
        [headers["x-outside"], headers["x-api"], body],
        ["yes", undefined, "sorry"],
      );
    });

    test("stay when another middleware fails", async (t) => {
      const { headers } = await get(t, [
        withField,
        () => {
          throw new HttpError(401);
        },
      ]);
      assert.equal(headers["x-outside"], "yes");
    });
  });

  describe("a middleware that neither answers nor calls next()", () => {
    test("is done when the response is, for those outside", async (t) => {
      const order = new EventEmitter();
      const outside = once(order, "outside");
      const { body } = await get(t, [
        async (_req, _res, next) => {
          await next();
          order.emit("outside");
        },
        (_req, res) => {
          setTimeout(() => res.end("later"), 5);
        },
      ]);
      assert.equal(body, "later");
      await outside;
    });

    test("and answers: a next() after that runs no handler", async (t) => {
      const order = new EventEmitter();
      const called = once(order, "called");
      let isRun = false;
      const waiting = (
        /** @type {any} */ _req,
        /** @type {any} */ res,
        /** @type {any} */ next,
      ) => {
        setTimeout(() => res.end("later"), 5);
        const callNext = () => {
          next();
          order.emit("called");
        };
        res.once("close", () => setImmediate(callNext));
      };
      const { body } = await get(t, waiting, () => {
        isRun = true;
      });
      await called;
      assert.deepEqual([body, isRun], ["later", false]);
      const codes = errors.map((err) => /** @type {any} */ (err).code);
      assert.deepEqual(codes, ["ERR_NEXT_LATE"]);
    });

    test("is done when the client leaves, for those outside", async (t) => {
      const order = new EventEmitter();
      const router = new Router();
      router.use(
        async (
          /** @type {any} */ _req,
          /** @type {any} */ _res,
          /** @type {any} */ next,
        ) => {
          await next();
          order.emit("outside");
        },
      );
      router.use(() => order.emit("arrived") && undefined);
      const port = await listen(t, createServer(router));
      const arrived = once(order, "arrived");
      const leave = new AbortController();
      const asked = ask(port, "GET", "/", { signal: leave.signal });
      await arrived;
      const outside = once(order, "outside");
      leave.abort();
      await assert.rejects(asked, { name: "AbortError" });
      await outside;
    });

    for (const [how, late, message] of /** @type {const} */ ([
      ["and its inside then fails", undefined, "inside"],
      ["and next(err) then comes", new Error("late"), "late"],
    ])) {
      test(`may be left by the client, ${how}: it is told`, async (t) => {
        const { next, told } = await leaveWaiting(
          t,
          FAILURES["throws at once"],
        );
        next(late);
        assert.equal((await told()).message, message);
      });
    }

    for (const [how, code, refuse] of /** @type {const} */ ([
      [
        "by next(err)",
        "ERR_NEXT_TWICE",
        (/** @type {any} */ _res, /** @type {any} */ next) =>
          next(new Error("no")),
      ],
      [
        "by an answer",
        "ERR_NEXT_LATE",
        (/** @type {any} */ res) => res.end("no"),
      ],
    ])) {
      test(`refuses ${how} when its client has left, and next() runs nothing`, async (t) => {
        let isRun = false;
        const { res, next, told } = await leaveWaiting(t, () => {
          isRun = true;
          return "";
        });
        refuse(res, next);
        next();
        assert.equal(isRun, false, "the guard let it through");
        let err = await told();
        if (err.message === "no") err = await told();
        assert.equal(err.code, code);
      });
    }
  });

  describe("a request that waits behind another in a pipeline", {
    skip: skipInTurn({ inTurn }),
  }, () => {
    const GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

    /**
     * Sends so many requests at once, none of which is answered, and leaves
     * when all have arrived. Gives the names of the process's warnings.
     *
     * @param {TestContext} t
     * @param {number} count
     * @param {Middleware} middleware
     * @param {any} [handler]
     */
    async function leaveBehind(t, count, middleware, handler) {
      const events = new EventEmitter();
      /** @type {string[]} */
      const warnings = [];
      const warned = (/** @type {Error} */ { name }) => warnings.push(name);
      process.on("warning", warned);
      t.after(() => process.off("warning", warned));
      let arrived = 0;
      let closed = 0;
      const router = new Router().use(
        (
          /** @type {any} */ _req,
          /** @type {any} */ res,
          /** @type {any} */ next,
        ) => {
          res.on("close", () => {
            closed += 1;
            if (closed === count) events.emit("closed");
          });
          arrived += 1;
          if (arrived === count) setImmediate(() => events.emit("arrived"));
          return next();
        },
      );
      router.use(middleware).get("/", handler ?? (() => {}));
      const port = await listen(t, createServer(router));
      const allArrived = soon(events, "arrived");
      const allClosed = soon(events, "closed");
      const visitor = await Visitor.connect({ port });
      await visitor.send(GET.repeat(count));
      await allArrived;
      visitor.leave();
      await allClosed;
      await sleep(10);
      assert.equal(closed, count, "each is closed once");
      return warnings;
    }

    test("is closed when the client leaves", async (t) => {
      const warnings = await leaveBehind(t, 30, (_req, _res, next) =>
        next(),
      );
      assert.deepEqual(warnings, []);
    });

    test("lets the layers outside go on", async (t) => {
      let gone = 0;
      await leaveBehind(
        t,
        3,
        async (_req, _res, next) => {
          await next();
          gone += 1;
        },
        () => sleep(5),
      );
      assert.equal(gone, 3);
      gone = 0;
      const counting = async (
        /** @type {any} */ _req,
        /** @type {any} */ _res,
        /** @type {any} */ next,
      ) => {
        await next();
        gone += 1;
      };
      await leaveBehind(t, 3, counting);
      assert.equal(gone, 3);
    });

    test("is answered in its turn, and leaves no listener", async (t) => {
      /** @type {any[]} */
      const answers = [];
      /** @type {any} */
      let socket;
      const events = new EventEmitter();
      const router = new Router().get(
        "/",
        (/** @type {any} */ req, /** @type {any} */ res) => {
          socket ??= req.socket;
          answers.push(res);
          if (answers.length === 1) events.emit("first");
          if (answers.length === 3) events.emit("all");
        },
      );
      const port = await listen(t, createServer(router));
      const visitor = await Visitor.connect({ port });
      const first = soon(events, "first");
      const all = soon(events, "all");
      await visitor.send(GET);
      await first;
      const before = socket.listenerCount("close");
      await visitor.send(GET.repeat(2));
      await all;
      for (const res of answers.toReversed()) res.end("done");
      const { status } = await visitor.response(3);
      assert.deepEqual(
        [status, socket.listenerCount("close") <= before],
        [200, true],
      );
      visitor.leave();
    });
  });
}
