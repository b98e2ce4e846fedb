import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { simulateHosts } from "../lib/simulation/hosts.js";

const isSkipped = process.env.CHALLENGE !== "3" && "challenge 3";

describe("Challenges", { skip: isSkipped }, () => {
  /** @param {string} way @param {number} hosts @param {number} [seed] */
  const p99 = (way, hosts, seed = 1) => {
    const rate = 0.9 * hosts * 200;
    const model = { way, hosts, seed, service: 5, rate, requests: 40_000 };
    return simulateHosts(model).percentile(0.99);
  };

  it("is far better than taking turns, and not as good as the least", () => {
    const [turns, two, least] = ["turns", "two", "least"].map((way) => {
      return p99(way, 100);
    });
    assert.ok(two < turns / 2, `two: ${two}, turns: ${turns}`);
    assert.ok(two > least * 1.1, `two: ${two}, least: ${least}`);
  });

  it("takes its chances from the seed", () => {
    assert.equal(p99("two", 10, 7), p99("two", 10, 7));
    assert.notEqual(p99("two", 10, 7), p99("two", 10, 8));
  });

  it("is one host's line when there is one", () => {
    const two = p99("two", 1);
    assert.ok(two > 150 && two < 320, `${two}`);
  });
});
