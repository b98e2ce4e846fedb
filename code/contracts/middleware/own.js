/**
 * The contract for the middleware that comes with velocy: `connect` and
 * `etag`.
 *
 *     testOwn({ Router, createServer, connect, etag });
 */
import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { describe, test } from "node:test";
import { ask, listen } from "../router/ask.js";

/** @import { TestContext } from "node:test" */

/**
 * @typedef {object} OwnUnderTest
 * @property {new (options?: any) => any} Router
 * @property {(router: any, options?: any) => any} createServer
 * @property {(fn: any) => any} connect
 * @property {() => any} etag
 */

/** @param {OwnUnderTest} underTest */
export function testOwn({ Router, createServer, connect, etag }) {
  const fields = (/** @type {any} */ { url, originalUrl, baseUrl }) => {
    return [url, originalUrl, baseUrl];
  };

  describe("connect", () => {
    /** @type {[path: string, target: string, url: string, baseUrl: string][]} */
    const cases = [
      ["/static", "/static/a/b?c=/d", "/a/b?c=/d", "/static"],
      ["/static", "/static", "/", "/static"],
      ["/static", "/static?x", "/?x", "/static"],
      ["/static", "/static/", "/", "/static"],
      ["/static/", "/static/a", "/a", "/static"],
      ["/static", "/st%61tic/%61", "/a", "/static"],
      ["/static", "/static/a%252Fb", "/a%252Fb", "/static"],
      ["/static", "/static/100%25", "/100%25", "/static"],
      ["/static", "/static/a%3Fb%23c", "/a%3Fb%23c", "/static"],
      ["/café", "/caf%c3%a9/%C3%A9", "/%C3%A9", "/caf%C3%A9"],
      ["/:tenant/x", "/a%20b/x/y", "/y", "/a%20b/x"],
      ["/", "/a/b", "/a/b", ""],
    ];
    for (const [path, target, url, baseUrl] of cases) {
      test(`at ${path} makes ${url} of ${target}`, async (t) => {
        /** @type {any} */
        let during;
        /** @type {any} */
        let inside;
        const router = new Router()
          .use(
            path,
            connect(
              (
                /** @type {any} */ req,
                /** @type {any} */ _res,
                /** @type {any} */ next,
              ) => {
                during = fields(req);
                next();
              },
            ),
          )
          .get("/*", (/** @type {any} */ req) => {
            inside = fields(req);
            return "";
          });
        const port = await listen(t, createServer(router));
        await ask(port, "GET", target);
        assert.deepEqual(during, [url, target, baseUrl]);
        assert.deepEqual(inside, [target, undefined, undefined]);
      });
    }

    for (const target of ["/s/a%2Fb", "/s/a%2fb", "/s/a%5Cb", "/s/%2F"]) {
      test(`refuses ${target}, and doesn't call what is behind`, async (t) => {
        const router = new Router()
          .use(
            "/s",
            connect(() => "cut"),
          )
          .get("/s/:file", () => "route");
        const port = await listen(t, createServer(router));
        const { statusCode, body } = await ask(port, "GET", target);
        assert.deepEqual([statusCode, body], [404, "Not Found\n"]);
      });
    }

    for (const [path, guarded] of [
      ["/s", "/s/private"],
      ["/", "/s"],
      ["/s", "/:any/:any2"],
      ["/s/private", "/s/private"],
    ]) {
      test(`at ${path} runs inside a guard of ${guarded}`, async (t) => {
        const guard = (/** @type {any} */ _req, /** @type {any} */ res) =>
          res.status(401).text("no");
        const files = new Router().use(
          path,
          connect(() => "secret"),
        );
        files.use(guarded, guard);
        const router = new Router().mount("/mounted", files);
        for (const [root, top] of [
          [files, ""],
          [router, "/mounted"],
        ]) {
          const port = await listen(t, createServer(root));
          const asked = `${top}/s/private/a.txt`;
          const { statusCode, body } = await ask(port, "GET", asked);
          assert.deepEqual([statusCode, body], [401, "no"]);
        }
      });
    }

    test("isn't undone by another whose next() nobody awaits", async (t) => {
      /** @type {any} */
      let seen;
      const router = new Router().use(
        "/",
        connect(
          async (
            /** @type {any} */ _req,
            /** @type {any} */ _res,
            /** @type {any} */ next,
          ) => {
            next();
          },
        ),
      );
      router.use(
        "/a",
        connect(async (/** @type {any} */ req) => {
          await new Promise((resolve) => setImmediate(resolve));
          seen = fields(req);
          return "";
        }),
      );
      const port = await listen(t, createServer(router));
      await ask(port, "GET", "/a/b");
      assert.deepEqual(seen, ["/b", "/a/b", "/a"]);
    });

    /** @type {Record<string, (req: any, res: any, next: any) => any>} */
    const finished = {
      "returns a value": () => "value",
      "returns a promise": async () => "value",
      "answers at once": (_req, res) => {
        res.end("value");
      },
      "answers later": (_req, res) => {
        setTimeout(() => res.end("value"), 5);
      },
      "goes on later": (_req, _res, next) => {
        setTimeout(next, 5);
      },
    };
    for (const [what, fn] of Object.entries(finished)) {
      test(`is undone for the layers outside if it ${what}`, async (t) => {
        /** @type {any} */
        let seen;
        const router = new Router().use(
          async (
            /** @type {any} */ req,
            /** @type {any} */ _res,
            /** @type {any} */ next,
          ) => {
            const value = await next();
            seen = fields(req);
            return value;
          },
        );
        router.use("/a", connect(fn)).get("/a/b", () => "value");
        const port = await listen(t, createServer(router));
        const { body } = await ask(port, "GET", "/a/b");
        assert.deepEqual(
          [body, seen],
          ["value", ["/a/b", undefined, undefined]],
        );
      });
    }

    test("stays while a function that has returned nothing works", async (t) => {
      /** @type {any} */
      let seen;
      const router = new Router().use(
        "/a",
        connect((/** @type {any} */ req, /** @type {any} */ res) => {
          setTimeout(() => {
            seen = fields(req);
            res.end();
          }, 5);
        }),
      );
      const port = await listen(t, createServer(router));
      await ask(port, "GET", "/a/b");
      assert.deepEqual(seen, ["/b", "/a/b", "/a"]);
    });

    test("leaves no listener for each layer", async (t) => {
      /** @type {number[]} */
      const counts = [];
      const router = new Router().get(
        "/*",
        (/** @type {any} */ _req, /** @type {any} */ res) => {
          counts.push(res.listenerCount("close"));
          return "";
        },
      );
      /** @type {((req: any, res: any, next: any) => any)[]} */
      const kinds = [
        (_req, _res, next) => next(),
        (_req, _res, next) => {
          setTimeout(next, 1);
        },
        async (_req, _res, next) => await next(),
      ];
      for (const kind of kinds) {
        for (let i = 0; i < 12; i += 1) router.use("/a", connect(kind));
      }
      const port = await listen(t, createServer(router));
      await ask(port, "GET", "/b");
      await ask(port, "GET", "/a");
      // The layer that has just called back is about to take its own away.
      assert.ok(counts[1] - counts[0] <= 1, `${counts}`);
    });

    test("refuses what can't be middleware", () => {
      const four = (/** @type {any[]} */ ...args) => args;
      Object.defineProperty(four, "length", { value: 4 });
      for (const wrong of [four, undefined, new Router()]) {
        assert.throws(() => connect(wrong), {
          code: "ERR_MIDDLEWARE_INVALID",
        });
      }
    });

    test("cuts off the whole path of a mounted router", async (t) => {
      const inner = new Router().use(
        "/files",
        connect((/** @type {any} */ req) => req.url),
      );
      const router = new Router().mount("/:tenant", inner);
      const port = await listen(t, createServer(router));
      const { body } = await ask(port, "GET", "/a/files/b");
      assert.equal(body, "/b");
    });

    test("leaves a route's own middleware the whole path", async (t) => {
      const read = connect((/** @type {any} */ req) => req.url);
      const router = new Router().get("/a/:b", read, () => "");
      const port = await listen(t, createServer(router));
      const { body } = await ask(port, "GET", "/%61/b?c");
      assert.equal(body, "/a/b?c");
    });

    test("puts it back when the middleware fails", async (t) => {
      /** @type {any} */
      let seen;
      const router = new Router().onError(
        (/** @type {any} */ _err, /** @type {any} */ req) => {
          seen = fields(req);
          return "";
        },
      );
      router.use(
        "/a",
        connect(async () => {
          throw new Error("no");
        }),
      );
      router.use(
        "/b",
        connect(
          (
            /** @type {any} */ _req,
            /** @type {any} */ _res,
            /** @type {any} */ next,
          ) => {
            next(new Error("no"));
          },
        ),
      );
      router.use(
        "/c",
        connect(() => {
          throw new Error("no");
        }),
      );
      const port = await listen(t, createServer(router));
      for (const target of ["/a/x", "/b/x", "/c/x"]) {
        await ask(port, "GET", target);
        assert.deepEqual(seen, [target, undefined, undefined]);
      }
    });
  });

  describe("etag", () => {
    /**
     * @param {TestContext} t
     * @param {any} handler
     */
    async function serve(t, handler) {
      const router = new Router().get("/", etag(), handler);
      const port = await listen(t, createServer(router));
      return (headers = {}) => ask(port, "GET", "/", { headers });
    }

    /** @type {Record<string, () => unknown>} */
    const handlers = {
      "an object": () => ({ a: 1 }),
      "a promise": async () => ({ a: 1 }),
      text: () => "hello",
      bytes: () => Buffer.from("hello"),
    };
    for (const [what, handler] of Object.entries(handlers)) {
      test(`of ${what}: whoever has it gets 304`, async (t) => {
        const get = await serve(t, handler);
        const { statusCode, headers, body } = await get();
        assert.equal(statusCode, 200);
        assert.match(String(headers.etag), /^"[\w-]{16,}"$/);
        assert.ok(body.length > 0, "the body is there");
        const again = await get({ "if-none-match": headers.etag });
        assert.deepEqual([again.statusCode, again.body], [304, ""]);
        const other = await get({ "if-none-match": '"other"' });
        assert.deepEqual([other.statusCode, other.body], [200, body]);
      });
    }

    test("differs with what is sent", async (t) => {
      let count = 0;
      const get = await serve(t, () => ({ count: count++ }));
      const first = await get();
      const second = await get({ "if-none-match": first.headers.etag });
      assert.equal(second.statusCode, 200);
      assert.notEqual(second.headers.etag, first.headers.etag);
    });

    test("leaves a handler's own tag", async (t) => {
      const get = await serve(
        t,
        (/** @type {any} */ _req, /** @type {any} */ res) => {
          res.setHeader("etag", 'W/"mine"');
          return "hello";
        },
      );
      assert.equal((await get()).headers.etag, 'W/"mine"');
    });

    test("is of what a GET or a HEAD gives, with 200", async (t) => {
      /** @type {(req: any, res: any) => string} */
      const handler = (req, res) => {
        res.status(Number(req.params.status));
        return "hello";
      };
      const router = new Router().all("/:status", etag(), handler);
      const port = await listen(t, createServer(router));
      for (const [method, path, isTagged] of /** @type {const} */ ([
        ["GET", "/200", true],
        ["HEAD", "/200", true],
        ["POST", "/200", false],
        ["GET", "/201", false],
        ["GET", "/404", false],
      ])) {
        const { headers } = await ask(port, method, path);
        assert.equal("etag" in headers, isTagged, `${method} ${path}`);
      }
    });

    test("leaves streams alone, and what was answered by hand", async (t) => {
      for (const handler of [
        () => Readable.from(["a", "b"]),
        (/** @type {any} */ _req, /** @type {any} */ res) => {
          res.end("ab");
        },
        (/** @type {any} */ _req, /** @type {any} */ res) => res.end("ab"),
      ]) {
        const get = await serve(t, handler);
        const { headers, body } = await get();
        assert.deepEqual([headers.etag, body], [undefined, "ab"]);
      }
    });
  });
}
