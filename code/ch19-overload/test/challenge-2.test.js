import assert from "node:assert/strict";
import { describe, it } from "node:test";

const skip = process.env.CHALLENGE !== "2" && "challenge 2";

/** @param {any} options */
async function limitOf(options) {
  const file = new URL("../lib/running/limit.js", import.meta.url).href;
  const { Limit } = await import(file);
  return new Limit(options);
}

/** @param {any} limit @param {number} latency @param {number} count */
function finish(limit, latency, count) {
  for (let i = 0; i < count; i += 1) limit.finished(latency);
}

describe("Challenges", { skip }, () => {
  it("begins with the least, and grows by one for all that run", async () => {
    const limit = await limitOf({ least: 4, most: 100, target: 50 });
    assert.equal(limit.current, 4);
    finish(limit, 50, 3);
    assert.equal(limit.current, 4);
    finish(limit, 10, 2);
    assert.equal(limit.current, 5);
    finish(limit, 10, 200);
    assert.ok(limit.current > 18 && limit.current < 22, `${limit.current}`);
  });

  it("never passes the most, nor the least", async () => {
    const limit = await limitOf({ least: 4, most: 10, target: 50 });
    finish(limit, 10, 1000);
    assert.equal(limit.current, 10);
    finish(limit, 51, 1000);
    assert.equal(limit.current, 4);
  });

  it("shrinks once for all that were running", async () => {
    const limit = await limitOf({ least: 1, most: 100, target: 50 });
    finish(limit, 10, 100_000);
    assert.equal(limit.current, 100);
    finish(limit, 51, 100);
    assert.equal(limit.current, 90);
    finish(limit, 51, 1);
    assert.equal(limit.current, 81);
  });
});
