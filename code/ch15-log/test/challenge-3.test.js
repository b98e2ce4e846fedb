import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Kept } from "../../contracts/log/index.js";
import { ask, listen } from "../../contracts/router/ask.js";
import { createServer, log, Router } from "../index.js";

/** @import { TestContext } from "node:test" */

const skip = process.env.CHALLENGE !== "3" && "challenge 3";

/** @param {TestContext} t @param {object} options */
async function start(t, options) {
  const stream = new Kept();
  const router = new Router();
  router.use(log(/** @type {any} */ ({ destination: stream, ...options })));
  router.get("/", () => "well");
  router.get("/fail", () => {
    throw new Error("no");
  });
  const port = await listen(t, createServer(router, { onError: () => {} }));
  return { port, stream };
}

describe("Challenges", { skip }, () => {
  it("writes one line in ten of what is well, and all others", async (t) => {
    const { port, stream } = await start(t, { oneIn: 10 });
    for (let i = 0; i < 50; i += 1) {
      await ask(port, "GET", "/");
      if (i % 10 === 0) await ask(port, "GET", "/fail");
    }
    await sleep(200);
    const well = stream.lines.filter(({ path }) => path === "/");
    assert.equal(well.length, 5);
    assert.ok(
      well.every(({ stands_for }) => stands_for === 10),
      "each stands for ten",
    );
    const others = stream.lines.filter(({ path }) => path === "/fail");
    assert.equal(others.length, 5);
    assert.ok(
      others.every(({ stands_for }) => stands_for === undefined),
      "what failed stands for itself",
    );
  });

  it("writes all unless it is told", async (t) => {
    const { port, stream } = await start(t, {});
    for (let i = 0; i < 5; i += 1) await ask(port, "GET", "/");
    await sleep(200);
    assert.equal(stream.lines.length, 5);
    assert.equal(stream.lines[0].stands_for, undefined);
  });

  it("refuses what is no number of requests", () => {
    for (const oneIn of [0, -1, 1.5, "2"]) {
      const options = /** @type {any} */ ({
        destination: new Kept(),
        oneIn,
      });
      assert.throws(() => log(options), { code: "ERR_OPTION_INVALID" });
    }
  });
});
