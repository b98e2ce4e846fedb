/**
 * Who answers for an error, and for a path without a route.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { field, serveRouter } from "./server.js";

/** @import { Velocy } from "./server.js" */

/** @param {Velocy} velocy */
export function testHooks(velocy) {
  const { HttpError, Router } = velocy;
  const failing = () =>
    new Router()
      .get("/error", () => {
        throw new Error("secret");
      })
      .get("/known", async () => {
        throw new HttpError(403, "no");
      });

  /** @type {[what: string, hook: (err: any, req: any, res: any) => unknown][]} */
  const ways = [
    ["returns", (err) => `sorry: ${err.message}`],
    ["promises", async (err) => `sorry: ${err.message}`],
    [
      "sends itself",
      (err, _req, res) => {
        res.text(`sorry: ${err.message}`);
      },
    ],
    [
      "sends later",
      async (err, _req, res) => {
        await new Promise(setImmediate);
        res.text(`sorry: ${err.message}`);
      },
    ],
  ];
  for (const [what, hook] of ways) {
    test(`sends what onError ${what}, with the error's status`, async (t) => {
      const router = failing().onError(hook);
      const { ask, told } = await serveRouter(t, velocy, router);
      const error = await ask("GET", "/error");
      assert.deepEqual(
        [error.statusCode, error.body],
        [500, "sorry: secret"],
      );
      const known = await ask("GET", "/known");
      assert.deepEqual([known.statusCode, known.body], [403, "sorry: no"]);
      assert.deepEqual(told, []);
    });
  }

  test("gives onError the request, and lets it choose the status", async (t) => {
    const router = failing().onError((_err, req, res) => {
      res.status(409);
      return { path: req.path };
    });
    const { ask } = await serveRouter(t, velocy, router);
    const answer = await ask("GET", "/error");
    assert.equal(answer.statusCode, 409);
    assert.equal(answer.body, '{"path":"/error"}');
  });

  test("begins onError's answer anew", async (t) => {
    const router = new Router()
      .get("/", (_req, res) => {
        res.status(201).setHeader("x-half", "1");
        throw new Error("secret");
      })
      .onError(() => "sorry");
    const { ask } = await serveRouter(t, velocy, router);
    const answer = await ask();
    assert.equal(answer.statusCode, 500);
    assert.equal(field(answer, "x-half"), undefined);
  });

  // RFC 9112, section 8: onError's own answers are watched as well.
  test("never passes off as whole what onError cuts short", async (t) => {
    const router = failing().onError((_err, _req, res) => {
      res.writeHead(500, { "content-length": 2 });
      res.end("too long");
    });
    const { ask, told } = await serveRouter(t, velocy, router);
    assert.equal((await ask("GET", "/error")).body, "");
    assert.equal(told[0]?.code, "ERR_HTTP_CONTENT_LENGTH_MISMATCH");
  });

  /** @type {[what: string, spoil: (res: any) => void][]} */
  const spoilt = [
    [
      "status",
      (res) => {
        res.statusCode = 103;
      },
    ],
    [
      "reason",
      (res) => {
        res.statusMessage = "a\nb";
      },
    ],
  ];
  for (const [what, spoil] of spoilt) {
    test(`lets onError answer for a ${what} that end refuses`, async (t) => {
      const router = new Router()
        .get("/", (_req, res) => {
          spoil(res);
          res.end("x");
        })
        .onError(() => "sorry");
      const { ask, told } = await serveRouter(t, velocy, router);
      const answer = await ask();
      assert.deepEqual([answer.statusCode, answer.body], [500, "sorry"]);
      assert.deepEqual(told, []);
    });

    // RFC 9112, section 8.
    test(`watches onError's answer to a ${what} that end refuses`, async (t) => {
      const router = new Router()
        .get("/", (_req, res) => {
          spoil(res);
          res.end("x");
        })
        .onError((_err, _req, res) => {
          res.writeHead(500, { "content-length": 2 });
          res.end("too long");
        });
      const { ask, told } = await serveRouter(t, velocy, router);
      assert.equal((await ask()).body, "");
      assert.equal(told[0]?.code, "ERR_HTTP_CONTENT_LENGTH_MISMATCH");
    });

    for (const chunk of ["x", undefined]) {
      const body = chunk === undefined ? "no body" : "a body";
      test(`streams onError's answer to a ${what} and ${body}`, async (t) => {
        const router = new Router()
          .get("/", (_req, res) => {
            spoil(res);
            res.end(chunk);
          })
          .onError(async function* sorry() {
            yield "so";
            yield "rry";
          });
        const { ask } = await serveRouter(t, velocy, router);
        const answer = await ask();
        assert.equal(field(answer, "content-length"), undefined);
        // One chunk or two: Node 26 puts together what is written at once.
        assert.match(answer.body, /so[\s\S]*rry[\s\S]+0\r\n\r\n$/);
      });
    }
  }

  test("answers itself where onError doesn't", async (t) => {
    const router = failing().onError(() => undefined);
    const { ask, told } = await serveRouter(t, velocy, router);
    assert.equal((await ask("GET", "/known")).body, "no\n");
    assert.deepEqual(told, []);
    assert.equal((await ask("GET", "/error")).statusCode, 500);
    assert.equal(told.length, 1);
  });

  test("answers 500 where what onError throws has no JSON", async (t) => {
    const router = failing().onError(() => {
      throw new HttpError(422, "odd", { number: 9n });
    });
    const { ask, told } = await serveRouter(t, velocy, router);
    const accept = { accept: "application/json" };
    const answer = await ask("GET", "/known", accept);
    assert.equal(answer.statusCode, 500);
    assert.equal(JSON.parse(answer.body).status, 500);
    assert.equal(told[0].message, "odd");
    assert.equal((await ask("GET", "/known", accept)).statusCode, 500);
  });

  test("reports the same error thrown again that has no JSON", async (t) => {
    const odd = new HttpError(422, "odd", { number: 9n });
    const router = new Router()
      .get("/", () => {
        throw odd;
      })
      .onError((err) => {
        throw err;
      });
    const { ask, told } = await serveRouter(t, velocy, router);
    const { statusCode } = await ask("GET", "/", { accept: "text/plain" });
    assert.deepEqual([statusCode, told], [422, []]);
    const answer = await ask("GET", "/", { accept: "application/json" });
    assert.deepEqual([answer.statusCode, told], [500, [odd]]);
  });

  test("answers 500 and reports what onError throws itself", async (t) => {
    const router = failing().onError(async () => {
      throw new Error("worse");
    });
    const { ask, told } = await serveRouter(t, velocy, router);
    const answer = await ask("GET", "/known");
    assert.equal(answer.statusCode, 500);
    assert.doesNotMatch(answer.text, /worse/);
    assert.equal(told[0].message, "worse");
  });

  test("takes the same error thrown again for no answer", async (t) => {
    const router = failing().onError((err) => {
      throw err;
    });
    const { ask, told } = await serveRouter(t, velocy, router);
    assert.equal((await ask("GET", "/known")).statusCode, 403);
    assert.equal((await ask("GET", "/error")).statusCode, 500);
    assert.equal(told.length, 1);
  });

  test("reports the same error thrown again behind a head", async (t) => {
    const router = failing().onError((err, _req, res) => {
      res.write("half");
      throw err;
    });
    const { ask, told } = await serveRouter(t, velocy, router);
    for (const target of ["/known", "/error"]) {
      assert.doesNotMatch((await ask("GET", target)).text, /\r\n0\r\n/);
      assert.equal(told.length, 1, target);
      told.pop();
    }
  });

  test("doesn't ask onError when the head is sent", async (t) => {
    let asked = 0;
    const router = new Router()
      .get("/", (_req, res) => {
        res.write("half");
        throw new Error("late");
      })
      .onError(() => {
        asked += 1;
      });
    const { ask, told } = await serveRouter(t, velocy, router);
    assert.doesNotMatch((await ask()).text, /\r\n0\r\n/);
    assert.equal(asked, 0);
    assert.equal(told.length, 1);
  });

  test("lets notFound answer for paths without a route", async (t) => {
    const router = new Router()
      .get("/here", () => "x")
      .notFound((req) => ({ missing: req.path }));
    const { ask } = await serveRouter(t, velocy, router);
    for (const method of ["GET", "POST", "OPTIONS"]) {
      const answer = await ask(method, "/n%6Fne");
      assert.equal(answer.statusCode, 404, method);
      assert.equal(answer.body, '{"missing":"/none"}');
    }
    assert.equal((await ask("HEAD", "/none")).statusCode, 404);
  });

  test("keeps 405 and its Allow beside notFound", async (t) => {
    const router = new Router()
      .get("/here", () => "x")
      .notFound(() => "nothing here");
    const { ask } = await serveRouter(t, velocy, router);
    const answer = await ask("POST", "/here");
    assert.equal(answer.statusCode, 405);
    assert.equal(field(answer, "allow"), "GET, HEAD, OPTIONS");
    assert.equal((await ask("GET", "/a//b")).statusCode, 400);
    assert.equal((await ask("OPTIONS", "/here")).statusCode, 204);
  });

  test("hands what notFound throws to onError", async (t) => {
    const router = new Router()
      .notFound(() => {
        throw new HttpError(410, "gone");
      })
      .onError((err) => `because: ${err.message}`);
    const { ask } = await serveRouter(t, velocy, router);
    const answer = await ask("GET", "/none");
    assert.deepEqual(
      [answer.statusCode, answer.body],
      [410, "because: gone"],
    );
  });

  for (const hook of /** @type {const} */ (["notFound", "onError"])) {
    test(`takes one function as ${hook}`, () => {
      const code = "ERR_HANDLER_INVALID";
      assert.throws(() => new Router()[hook](/** @type {any} */ ("x")), {
        code,
      });
      const router = new Router()[hook](() => {});
      assert.throws(() => router[hook](() => {}), {
        code: "ERR_HANDLER_REPEATED",
      });
    });
  }
}
