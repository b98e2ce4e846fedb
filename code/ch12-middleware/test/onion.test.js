import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  testInvalid,
  testOnion,
} from "../../contracts/middleware/index.js";
import { ask, listen } from "../../contracts/router/ask.js";
import { createServer, HttpError, Router } from "../index.js";

describe("A function around a handler", () => {
  const mark = (name) => (_req, res, next) => {
    res.appendHeader("x-ran", name);
    return next();
  };

  it("runs a route's own middleware, in order, for that route", async (t) => {
    const router = new Router()
      .get("/a", mark("one"), mark("two"), () => "a")
      .get("/b", () => "b");
    const port = await listen(t, createServer(router));
    const { headers, body } = await ask(port, "GET", "/a");
    assert.deepEqual([headers["x-ran"], body], ["one, two", "a"]);
    const other = await ask(port, "GET", "/b");
    assert.equal(other.headers["x-ran"], undefined);
  });

  it("runs it inside the guards", async (t) => {
    const router = new Router().get("/a", mark("route"), () => "a");
    router.use("/a", mark("guard"));
    const port = await listen(t, createServer(router));
    const { headers } = await ask(port, "GET", "/a");
    assert.equal(headers["x-ran"], "guard, route");
  });

  it("refuses what is behind the handler, and no handler", () => {
    const handler = () => {};
    /** @type {any[][]} */
    const wrong = [[handler, {}], [{}], [], [handler, undefined]];
    for (const args of wrong) {
      assert.throws(
        () => /** @type {any} */ (new Router()).get("/", ...args),
        {
          code: "ERR_HANDLER_INVALID",
        },
      );
    }
  });

  testInvalid({ Router, createServer, HttpError });
});

describe("What comes back", () => {
  testOnion({ Router, createServer, HttpError });
});
