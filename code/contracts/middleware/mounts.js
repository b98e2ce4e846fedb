/**
 * The contracts for routers in routers, for the names in the paths of
 * middleware, and for what can't be middleware.
 *
 *     testMounts({ Router, createServer, HttpError });
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ask, listen } from "../router/ask.js";

/** @import { TestContext } from "node:test" */
/** @import { OnionUnderTest } from "./onion.js" */

const pass = (
  /** @type {any} */ _req,
  /** @type {any} */ _res,
  /** @type {any} */ next,
) => next();

/** @param {OnionUnderTest} underTest */
function server({ createServer }) {
  return async (
    /** @type {TestContext} */ t,
    /** @type {any} */ router,
  ) => {
    const port = await listen(t, createServer(router));
    return async (/** @type {string} */ path, method = "GET") => {
      const { statusCode, body, headers } = await ask(port, method, path);
      return { statusCode, body, headers };
    };
  };
}

/** @param {OnionUnderTest} underTest */
export function testMounts(underTest) {
  const { Router, HttpError } = underTest;
  const serve = server(underTest);

  const marking = (/** @type {string} */ mark) => {
    return (
      /** @type {any} */ _req,
      /** @type {any} */ res,
      /** @type {any} */ next,
    ) => {
      res.appendHeader("x-ran", mark);
      return next();
    };
  };

  describe("a mounted router", () => {
    test("has its routes below the path", async (t) => {
      const api = new Router()
        .get("/", () => "root")
        .get("/users/:id", (/** @type {any} */ req) => {
          return `${req.params.id} ${req.path} ${req.route.pattern}`;
        });
      const get = await serve(t, new Router().mount("/api", api));
      assert.equal((await get("/api")).body, "root");
      assert.equal((await get("/api/")).statusCode, 404);
      const { body } = await get("/api/users/7");
      assert.equal(body, "7 /api/users/7 /api/users/:id");
      assert.equal((await get("/users/7")).statusCode, 404);
      assert.equal((await get("/apiusers/7")).statusCode, 404);
    });

    test("takes routes and middleware that come later", async (t) => {
      const inner = new Router();
      const api = new Router().mount("/inner", inner);
      const router = new Router().mount("/api", api);
      const get = await serve(t, router);
      assert.equal((await get("/api/inner/x")).statusCode, 404);
      inner.get("/x", () => "x");
      assert.equal((await get("/api/inner/x")).body, "x");
      inner.use(marking("inner"));
      assert.equal((await get("/api/inner/x")).headers["x-ran"], "inner");
    });

    test("has its middleware inside its parent's", async (t) => {
      const api = new Router().use(marking("api"));
      api.use("/x", marking("x")).get("/x/y", () => "y");
      const router = new Router().mount("/api", api);
      router.use("/api", marking("parent")).use(marking("root"));
      const get = await serve(t, router);
      const { headers } = await get("/api/x/y");
      assert.equal(headers["x-ran"], "root, parent, api, x");
      assert.equal(
        (await get("/api")).headers["x-ran"],
        "root, parent, api",
      );
      assert.equal((await get("/apix")).headers["x-ran"], "root");
    });

    test("may have parameters in its path", async (t) => {
      const tenant = new Router().get(
        "/x/:id",
        (/** @type {any} */ req) => {
          return JSON.stringify(req.params);
        },
      );
      const get = await serve(t, new Router().mount("/:tenant", tenant));
      const { body } = await get("/a%2Fb/x/7");
      assert.deepEqual(JSON.parse(body), { tenant: "a/b", id: "7" });
    });

    test("may be mounted twice, and serve by itself", async (t) => {
      const shared = new Router().get(
        "/x",
        (/** @type {any} */ req) => req.path,
      );
      const router = new Router().mount("/a", shared).mount("/b", shared);
      const get = await serve(t, router);
      assert.equal((await get("/a/x")).body, "/a/x");
      assert.equal((await get("/b/x")).body, "/b/x");
      const alone = await serve(t, shared);
      assert.equal((await alone("/x")).body, "/x");
    });

    test("at the root, or with a slash at the end", async (t) => {
      const one = new Router().get("/", () => "one").get("/x", () => "x");
      const two = new Router().get("/", () => "two").get("/y", () => "y");
      const router = new Router().mount("/", one).mount("/two/", two);
      const get = await serve(t, router);
      const paths = ["/", "/x", "/two/", "/two/y"];
      const bodies = await Promise.all(paths.map((path) => get(path)));
      assert.deepEqual(
        bodies.map(({ body }) => body),
        ["one", "x", "two", "y"],
      );
      assert.equal((await get("/two")).statusCode, 404);
    });

    test("conflicts at once, whichever comes first", () => {
      const api = new Router().get("/x", pass);
      const router = new Router().get("/api/:id", pass).get("/api/x", pass);
      const conflict = {
        code: "ERR_ROUTE_CONFLICT",
        message: /\/api\/x.*:\d+/,
      };
      assert.throws(() => router.mount("/api", api), conflict);
      const later = new Router();
      new Router().get("/api/x", pass).mount("/api", later);
      assert.throws(() => later.get("/x", pass), conflict);
    });

    for (const [what, mount] of /** @type {[string, () => unknown][]} */ ([
      [
        "itself",
        () => {
          const router = new Router();
          router.mount("/a", router);
        },
      ],
      [
        "one that it is mounted in",
        () => {
          const inner = new Router();
          const outer = new Router().mount(
            "/b",
            new Router().mount("/c", inner),
          );
          inner.mount("/a", outer);
        },
      ],
      ["something else", () => new Router().mount("/a", () => {})],
      [
        "one with other options",
        () => new Router().mount("/a", new Router({ ignoreCase: true })),
      ],
    ])) {
      test(`can't be ${what}`, () => {
        assert.throws(mount, { code: "ERR_MOUNT_INVALID" });
      });
    }

    for (const path of ["/a/*", "a", "/a/:", "/a?b", 7]) {
      test(`can't be at ${path}, nor can middleware`, () => {
        const code = /^ERR_(PATTERN|PARAMETER)_INVALID$/;
        assert.throws(() => new Router().mount(path, new Router()), {
          code,
        });
        if (typeof path !== "string") return;
        assert.throws(() => new Router().use(path, pass), { code });
      });
    }
  });

  describe("a mounted router's onError and notFound", () => {
    const answers = (/** @type {string} */ name) => {
      return (/** @type {any} */ err) =>
        `${name}: ${err.message ?? "nothing"}`;
    };

    test("are for what lies below its path", async (t) => {
      const api = new Router()
        .onError(answers("api"))
        .notFound(answers("api"))
        .get("/fails", () => {
          throw new HttpError(409, "no");
        });
      const router = new Router()
        .mount("/api", api)
        .onError(answers("root"))
        .notFound(answers("root"))
        .get("/fails", () => {
          throw new HttpError(409, "no");
        });
      const get = await serve(t, router);
      const { statusCode, body } = await get("/api/fails");
      assert.deepEqual([statusCode, body], [409, "api: no"]);
      assert.equal((await get("/fails")).body, "root: no");
      assert.equal((await get("/api/x")).body, "api: nothing");
      assert.equal((await get("/api/x")).statusCode, 404);
      assert.equal((await get("/x")).body, "root: nothing");
      assert.equal((await get("/apix")).body, "root: nothing");
    });

    test("leave to the parent's what they don't answer", async (t) => {
      const api = new Router()
        .onError(() => {})
        .get("/x", () => {
          throw new HttpError(409, "no");
        });
      const router = new Router()
        .mount("/api", api)
        .onError(answers("root"));
      const get = await serve(t, router);
      assert.equal((await get("/api/x")).body, "root: no");
    });

    test("are asked too when sending fails", async (t) => {
      const api = new Router().onError(() => "caught").get("/x", () => 1n);
      const get = await serve(t, new Router().mount("/api", api));
      const { statusCode, body } = await get("/api/x");
      assert.deepEqual([statusCode, body], [500, "caught"]);
    });
  });
}

/**
 * The names of parameters in the paths of middleware.
 *
 * @param {OnionUnderTest} underTest
 */
export function testNames(underTest) {
  const { Router } = underTest;
  const serve = server(underTest);

  describe("a name in a middleware's path", () => {
    const names = (/** @type {any} */ req) => JSON.stringify(req.params);
    const seen = (
      /** @type {any} */ req,
      /** @type {any} */ res,
      /** @type {any} */ next,
    ) => {
      res.setHeader("x-seen", encodeURIComponent(names(req)));
      return next();
    };

    test("stands beside the route's own for the same segment", async (t) => {
      const router = new Router()
        .use("/users/:user", seen)
        .get("/users/:id", names)
        .get("/users/me", names);
      const get = await serve(t, router);
      const { body } = await get("/users/a%2Fb");
      assert.deepEqual(JSON.parse(body), { id: "a/b", user: "a/b" });
      assert.deepEqual(JSON.parse((await get("/users/me")).body), {
        user: "me",
      });
    });

    test("is there where no route is", async (t) => {
      const router = new Router().use("/users/:user", seen);
      const get = await serve(t, router);
      const { statusCode, headers } = await get("/users/caf%C3%A9/x");
      const params = JSON.parse(
        decodeURIComponent(String(headers["x-seen"])),
      );
      assert.deepEqual([statusCode, params], [404, { user: "café" }]);
    });

    test("keeps its case where case is ignored", async (t) => {
      const router = new Router({ ignoreCase: true })
        .use("/Users/:Name", seen)
        .get("/users/ADA", names);
      const get = await serve(t, router);
      assert.deepEqual(JSON.parse((await get("/USERS/Ada")).body), {
        Name: "Ada",
      });
    });

    /** @type {[string, string][]} */
    const ambiguous = [
      ["/:id", "/users/:id"],
      ["/users/:id", "/:id/:post"],
      ["/files/:path", "/files/*path"],
      ["/:a/:b", "/:b"],
      ["/:a/:b", "/:b/*"],
    ];
    for (const [path, pattern] of ambiguous) {
      const isBelow = pattern.split("/").length >= path.split("/").length;
      const happens = isBelow
        ? "is refused"
        : "is no harm, as they never meet";
      test(`${path} and ${pattern}: ${happens}`, () => {
        const expected = {
          code: "ERR_PARAMETER_AMBIGUOUS",
          message: /:\d+.*:\d+/,
        };
        const before = new Router().use(path, pass);
        const after = new Router().get(pattern, pass);
        if (isBelow) {
          assert.throws(() => before.get(pattern, pass), expected);
          assert.throws(() => after.use(path, pass), expected);
        } else {
          before.get(pattern, pass);
          after.use(path, pass);
        }
      });
    }

    test("is refused if two middleware mean two segments", () => {
      const router = new Router().use("/:a/x", pass);
      assert.throws(() => router.use("/x/:a", pass), {
        code: "ERR_PARAMETER_AMBIGUOUS",
      });
      router.use("/y/z/:a", pass);
    });
  });
}

/**
 * What is refused where it is added.
 *
 * @param {OnionUnderTest} underTest
 */
export function testInvalid({ Router }) {
  describe("what can't be middleware", () => {
    const four = (
      /** @type {any} */ _err,
      /** @type {any} */ _req,
      /** @type {any} */ _res,
      /** @type {any} */ _next,
    ) => {};
    /** @type {[string, any, RegExp][]} */
    const cases = [
      ["a function with four parameters", four, /onError/],
      ["a router", new Router(), /mount/],
      ["an array", [pass], /function/],
      ["an empty array", [], /function/],
      ["a Map", new Map(), /function/],
      ["null", null, /null/],
      ["nothing", undefined, /undefined/],
    ];
    for (const [what, value, message] of cases) {
      test(`${what} is refused`, () => {
        const expected = { code: "ERR_MIDDLEWARE_INVALID", message };
        assert.throws(() => new Router().use("/a", value), expected);
        assert.throws(() => new Router().use(pass, value), expected);
        assert.throws(() => new Router().get("/", value, pass), expected);
      });
    }

    test("no middleware at all is refused", () => {
      const expected = { code: "ERR_MIDDLEWARE_INVALID" };
      assert.throws(() => new Router().use(), expected);
      assert.throws(() => new Router().use("/a"), expected);
    });
  });
}
