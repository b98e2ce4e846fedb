import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { bounds } from "../../benchmarks/lib/bounds.js";
import { deriveRates } from "../../benchmarks/lib/derive-rates.js";
import { formatResult } from "../../benchmarks/lib/table.js";

/** @import { RateRun, RatesRun } from "../../benchmarks/lib/measure-rates.js" */
/** @import { Result } from "../../benchmarks/lib/results.js" */

/**
 * A run at a rate, timed by a generator that says how late it was.
 *
 * @param {Partial<RateRun> & { late?: number, p99?: number }} run
 * @returns {RateRun}
 */
function rateRun({ name = "50%", late = 0.1, p99 = 2, verdict = "kept", ...rest }) {
  return {
    ...{ name, offeredPerSecond: 1000, achievedPerSecond: 1000, requests: 5000, verdict },
    ...{ serverBusy: 0.5, generatorBusy: 0.5 },
    ...{ cpuMicrosecondsPerRequest: 30, userShare: 0.6 },
    latency: { mean: 1, p50: 0.2, p90: 1, p99, p999: 3, max: 4 },
    sending: { mean: 0, p50: 0, p90: 0, p99: late, p999: 2, max: 3, waited: 0 },
    above: { 20: p99 > 20 ? 0.08 : 0 },
    distribution: [[1, 4]],
    memory: [{ seconds: 1, bytes: 100 }],
    ...rest,
  };
}

/**
 * @param {RateRun[]} rates
 * @param {number} [cpu] at saturation
 * @returns {RatesRun}
 */
function ratesRun(rates, cpu = 16) {
  const memory = { kind: /** @type {const} */ ("PSS"), bytes: 10, rssBytes: 10 };
  return {
    startedAt: "2026-01-01T00:00:00.000Z",
    capacity: {
      requestsPerSecond: 2000,
      latency: { mean: 1, stdev: 0, p50: 1, p75: 1, p90: 1, p99: 1, p999: 1, max: 1 },
      littlesLaw: { expectedMs: 1, measuredMs: 1, ratio: 1, holds: true },
      ...{ verdict: "server-bound", cpuMicrosecondsPerRequest: cpu, userShare: 0.5 },
    },
    idleMemory: memory,
    contract: { bytesPerResponse: 208, differences: [] },
    rates,
  };
}

/** @param {Record<string, RatesRun>[]} runs by block */
const blocksOf = (runs) =>
  runs.map((all, index) => ({ block: index + 1, order: Object.keys(all), runs: all, failed: {} }));

/**
 * @param {Record<string, RatesRun>[]} runs
 * @param {object} what
 */
function textOf(runs, what) {
  const blocks = blocksOf(runs);
  const setup = {
    ...{ title: "A curve", path: "/", baseline: "base", leftOut: [], bounds, ...what },
    layout: { pinned: true },
    settings: { seconds: 1, warmUpSeconds: 1, connections: 256, blocks: blocks.length },
  };
  const result = {
    suite: "curve",
    ...{ publishable: true, finished: true, blocks, what: setup, contenders: {} },
    where: { cores: 2, cpu: "a processor", virtual: false },
    derived: deriveRates(blocks, /** @type {any} */ (setup)),
  };
  return formatResult(/** @type {Result} */ (/** @type {unknown} */ (result)));
}

describe("what is derived of rates", () => {
  it("leaves out the blocks in which the generator lagged", () => {
    const blocks = blocksOf([
      { a: ratesRun([rateRun({ p99: 2 })]) },
      { a: ratesRun([rateRun({ p99: 90, verdict: "lagged", late: 40 })]) },
      { a: ratesRun([rateRun({ p99: 2.2 })]) },
    ]);
    const { "50%": rate } = deriveRates(blocks).contenders.a.rates;
    assert.equal(rate.keptIn, 2);
    assert.equal(rate.p99.n, 2);
    assert.ok(rate.p99.high <= 2.2);
  });

  it("has the cost at a half of the capacity, and at all of it, in two modes", () => {
    const blocks = blocksOf([{ a: ratesRun([rateRun({})]) }, { a: ratesRun([rateRun({})]) }]);
    const { atHalf, atSaturation } = deriveRates(blocks).contenders.a;
    assert.equal(atHalf?.cpuMicrosecondsPerRequest.median, 30);
    assert.equal(atHalf?.userMicrosecondsPerRequest?.median, 18);
    assert.equal(atHalf?.systemMicrosecondsPerRequest?.median, 12);
    assert.equal(atSaturation?.cpuMicrosecondsPerRequest.median, 16);
    assert.equal(atSaturation?.userMicrosecondsPerRequest?.median, 8);
  });

  it("judges the twins at a half of their capacity", () => {
    const costs = [1, 1.01, 0.99, 1.02, 0.98];
    const runs = costs.map((factor) => ({
      base: ratesRun([rateRun({})]),
      again: ratesRun([rateRun({ cpuMicrosecondsPerRequest: 30 * factor })]),
    }));
    const { noise } = deriveRates(blocksOf(runs), { baseline: "base", twin: "again" });
    assert.equal(noise?.verdict, "tie");
    assert.ok(Math.abs(Number(noise?.floor) - 0.02) < 1e-9);
  });
});

describe("the table of rates", () => {
  it("shows no latency of a generator that lagged", () => {
    const lagged = rateRun({ verdict: "lagged", late: 7.5, p99: 44.44 });
    const text = textOf([{ a: ratesRun([rateRun({ name: "common" }), lagged]) }], {});
    assert.match(
      text,
      /^a .*all alike .*0\.20 +2\.00 +3\.00 +0\.0 % +0\.10 .*18\.0 \+ 12\.0 +kept$/m,
    );
    assert.match(text, /^a .*50% of its own .* - +- +- +- +7\.50 .*lagged$/m);
    assert.doesNotMatch(text, /44\.44/);
    assert.match(text, /counts from\n? *when a request was due/);
  });

  it("of a curve has the cost at each share, and marks what wasn't kept", () => {
    const rates = [rateRun({ name: "10%" }), rateRun({ verdict: "generator-bound", late: 3 })];
    const text = textOf([{ a: ratesRun(rates) }], { shows: "cost" });
    assert.match(text, /^server +requests\/s +10% +50% +all it can$/m);
    assert.match(text, /^a +2,000 +30\.0 +~30\.0 +16\.0$/m);
    assert.match(
      text,
      /^a +~30\.0 \(30\.0-30\.0\) +18\.0 \+ 12\.0 +16\.0 \(.*\) +8\.0 \+ 8\.0 +1\.88$/m,
    );
  });

  it("says on which side a run was disturbed", () => {
    const shares = { othersShare: 0.01, stealShare: 0.02, generatorOthersShare: 0.4 };
    const rate = rateRun({ ...shares, generatorStealShare: 0.03 });
    const text = textOf([{ a: ratesRun([rate]) }], {});
    assert.match(
      text.replaceAll(/\n +/g, " "),
      /disturbed in block 1: a: at 50%: others took 3 % of the server's cores, 43 % of the generator's/,
    );
  });
});
