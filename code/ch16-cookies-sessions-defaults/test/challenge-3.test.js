import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { start } from "../../contracts/defaults/visit.js";
import * as velocy from "../index.js";

const skip = process.env.CHALLENGE !== "3" && "challenge 3";

/** @param {import("node:test").TestContext} t @param {any} [more] */
async function open(t, more = {}) {
  const cost = (/** @type {any} */ req) => Number(req.headers["x-cost"]);
  const limit = { requests: 10, seconds: 3600, cost, ...more };
  const { get } = await start(t, velocy, (router) => {
    router.use(velocy.rateLimit(limit));
    router.get("/", () => "hello");
  });
  return async (/** @type {number} */ price) => {
    const { statusCode, headers } = await get("/", {
      "x-cost": `${price}`,
    });
    const [, left] = /r=(\d+)/.exec(String(headers.ratelimit)) ?? [];
    return [statusCode, Number(left), headers["retry-after"]];
  };
}

describe("Challenges", { skip }, () => {
  it("counts a request as often as it costs", async (t) => {
    const pay = await open(t);
    assert.deepEqual(await pay(4), [200, 6, undefined]);
    assert.deepEqual(await pay(1), [200, 5, undefined]);
    assert.deepEqual(await pay(5), [200, 0, undefined]);
    const [statusCode] = await pay(1);
    assert.equal(statusCode, 429);
  });

  it("takes nothing for what is refused, and says when it would pass", async (t) => {
    const pay = await open(t);
    await pay(8);
    assert.deepEqual(await pay(5), [429, 2, "1080"]);
    assert.deepEqual(await pay(3), [429, 2, "360"]);
    assert.deepEqual(await pay(2), [200, 0, undefined]);
  });

  it("lets pass what costs nothing", async (t) => {
    const pay = await open(t);
    await pay(10);
    assert.deepEqual(await pay(0), [200, 0, undefined]);
    assert.equal((await pay(1))[0], 429);
  });

  it("counts one unless told otherwise", async (t) => {
    const pay = await open(t, { cost: undefined, requests: 2 });
    const codes = [];
    for (let i = 0; i < 3; i += 1) codes.push((await pay(9))[0]);
    assert.deepEqual(codes, [200, 200, 429]);
  });

  it("refuses a cost that is no function", () => {
    const options = { requests: 1, seconds: 1, cost: 5 };
    assert.throws(() => velocy.rateLimit(/** @type {any} */ (options)), {
      code: "ERR_OPTION_INVALID",
    });
  });
});
