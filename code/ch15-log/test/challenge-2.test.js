import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Kept } from "../../contracts/log/index.js";
import { ask, listen } from "../../contracts/router/ask.js";
import { createServer, log, Router } from "../index.js";

/** @import { TestContext } from "node:test" */

const skip = process.env.CHALLENGE !== "2" && "challenge 2";

/** @param {TestContext} t @param {object} options */
async function start(t, options) {
  const router = new Router();
  router.use(
    log(/** @type {any} */ ({ destination: new Kept(), ...options })),
  );
  router.get("/", (req) => req.id);
  router.get("/fail", (req, res) => {
    res.setHeader("x-of-the-handler", "1");
    throw new Error(req.id);
  });
  return listen(t, createServer(router, { onError: () => {} }));
}

describe("Challenges", { skip }, () => {
  it("sends the id with the answer", async (t) => {
    const port = await start(t, { tellId: true });
    const { headers, body } = await ask(port, "GET", "/");
    assert.equal(headers["x-request-id"], body);
  });

  for (const [path, statusCode] of /** @type {const} */ ([
    ["/fail", 500],
    ["/nothing", 404],
  ])) {
    it(`sends it with a ${statusCode}`, async (t) => {
      const port = await start(t, { tellId: true });
      const answer = await ask(port, "GET", path);
      assert.equal(answer.statusCode, statusCode);
      assert.match(String(answer.headers["x-request-id"]), /^[\w-]{1,64}$/);
      assert.equal(answer.headers["x-of-the-handler"], undefined);
    });
  }

  it("sends back what was trusted, and nothing unsafe", async (t) => {
    const port = await start(t, { tellId: true, trustId: true });
    const get = async (/** @type {string} */ id) => {
      const headers = { "x-request-id": id };
      return (await ask(port, "GET", "/", { headers })).headers[
        "x-request-id"
      ];
    };
    assert.equal(await get("abc"), "abc");
    assert.notEqual(await get("a b"), "a b");
  });

  it("sends none unless it is told", async (t) => {
    const port = await start(t, {});
    const { headers } = await ask(port, "GET", "/");
    assert.equal(headers["x-request-id"], undefined);
  });
});
