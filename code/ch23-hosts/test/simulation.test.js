import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { simulateHosts } from "../lib/simulation/hosts.js";

describe("How many machines", () => {
  for (const busy of [0.5, 0.7, 0.9]) {
    it(`waits as theory says when a host is ${busy * 100} % busy`, () => {
      const model = { service: 5, rate: busy * 200, requests: 300_000 };
      const { percentile } = simulateHosts(model);
      for (const share of [0.5, 0.99]) {
        const computed = (-5 * Math.log(1 - share)) / (1 - busy);
        const off = percentile(share) / computed - 1;
        assert.ok(Math.abs(off) < 0.1, `${share}: ${off}`);
      }
    });
  }

  it("waits less where the fewest are than with turns", () => {
    const hosts = 10;
    const model = { hosts, service: 5, rate: 0.9 * hosts * 200 };
    const [turns, least] = ["turns", "least"].map((way) => {
      return simulateHosts({ ...model, way }).percentile(0.99);
    });
    assert.ok(least < turns / 2, `${least}, ${turns}`);
  });

  it("has an answer also for a share of 0: the fastest", () => {
    const { percentile } = simulateHosts({ service: 5, rate: 100 });
    assert.ok(percentile(0) <= percentile(0.0001), `${percentile(0)}`);
  });

  it("plays the same again with the same seed", () => {
    const model = { hosts: 3, service: 5, rate: 500 };
    const p99 = (/** @type {number} */ seed) => {
      return simulateHosts({ ...model, seed }).percentile(0.99);
    };
    assert.equal(p99(3), p99(3));
    assert.notEqual(p99(3), p99(4));
  });
});

describe("A zone is lost", () => {
  it("has no answers while all hosts are lost", () => {
    const lost = { hosts: 2, from: 2_000, until: 4_000 };
    const model = { hosts: 2, service: 5, rate: 100, requests: 600, lost };
    const { good } = simulateHosts(model);
    assert.ok(good[1] > 50 && good[4] > 50, String(good));
    assert.equal(good[3], 0);
  });

  const rate = 0.8 * 12 * 200;
  /** @param {number} tries @param {number} budget */
  const play = (tries, budget) => {
    const { good } = simulateHosts({
      ...{ hosts: 12, service: 5, rate, requests: rate * 40 },
      ...{ patience: 500, tries, budget },
      lost: { hosts: 4, from: 10_000, until: 20_000 },
    });
    // The share of those answered before, while and long after.
    return [5, 18, 37].map((second) => (good[second] ?? 0) / rate);
  };

  it("is over when it is back if visitors ask once", () => {
    const [before, meanwhile, after] = play(1, 0);
    const isAsSaid = before > 0.9 && meanwhile < 0.3 && after > 0.9;
    assert.ok(isAsSaid, `${before}, ${meanwhile}, ${after}`);
  });

  it("is never over if they ask three times", () => {
    const [before, , after] = play(3, Infinity);
    assert.ok(before > 0.9 && after < 0.1, `${before}, ${after}`);
  });

  it("is over with a budget for second tries", () => {
    const [before, , after] = play(3, 0.1);
    assert.ok(before > 0.9 && after > 0.9, `${before}, ${after}`);
  });

  it("is never over if the budget asks for more than all can do", () => {
    const [before, , after] = play(3, 0.3);
    assert.ok(before > 0.9 && after < 0.1, `${before}, ${after}`);
  });

  it("loses nothing if what is left has room", () => {
    const rate = 0.6 * 12 * 200;
    const { good } = simulateHosts({
      ...{ hosts: 12, service: 5, rate, requests: Math.round(rate * 30) },
      ...{ patience: 500, tries: 3 },
      lost: { hosts: 4, from: 10_000, until: 20_000 },
    });
    const answered = good.reduce((a, b) => a + b, 0) / (rate * 30);
    assert.ok(answered > 0.995, `${answered}`);
  });
});
