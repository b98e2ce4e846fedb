import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { besideEachOther } from "../../benchmarks/charts/labs.js";
import { cpuByRate, latencyByRate } from "../../benchmarks/charts/rates.js";

/** @import { RatesResult, Result } from "../../benchmarks/lib/results.js" */

/**
 * @param {string} suite
 * @param {Record<string, number>} rates requests per second
 * @returns {Result}
 */
function resultOf(suite, rates) {
  const result = {
    suite,
    what: { twin: "base-again" },
    contenders: Object.fromEntries(Object.keys(rates).map((id) => [id, { title: `the ${id}` }])),
    derived: {
      contenders: Object.fromEntries(
        Object.entries(rates).map(([id, median]) => [id, { requestsPerSecond: { median } }]),
      ),
    },
  };
  return /** @type {Result} */ (/** @type {unknown} */ (result));
}

describe("several labs beside each other", () => {
  it("rank the servers that are in all of them, without the twin", () => {
    const typical = resultOf("typical", { a: 3000, base: 2000, b: 1000, elsewhere: 5000 });
    const lab = resultOf("lab", { b: 30, a: 20, base: 10, "base-again": 40, added: 50 });
    assert.deepEqual(besideEachOther([typical, lab]), [
      ["server", "`typical`", "`lab`"],
      ["the a", "1. 3,000", "2. 20"],
      ["the base", "2. 2,000", "3. 10"],
      ["the b", "3. 1,000", "1. 30"],
    ]);
  });
});

describe("a server at fixed rates", () => {
  const rate = (/** @type {number} */ cpu) => ({
    verdict: "kept",
    offeredPerSecond: 90_000,
    p50: { median: 0.25 },
    p99: { median: 5.25 },
    cpuMicrosecondsPerRequest: { median: cpu },
  });
  const blocks = [9990, 9980, 10_000].map((achieved, index) => ({
    runs: {
      a: {
        rates: [
          { name: "common", achievedPerSecond: achieved },
          { name: "90%", achievedPerSecond: 30_000 + index },
        ],
      },
    },
  }));
  const result = /** @type {RatesResult} */ (
    /** @type {unknown} */ ({
      what: { settings: { commonRate: 10_000 }, tools: {} },
      contenders: { a: { title: "the a" } },
      blocks,
      derived: {
        contenders: {
          a: {
            capacity: { median: 100_000 },
            closedLoop: { p50: { median: 1 }, p99: { median: 2 } },
            rates: { common: rate(30), "90%": rate(15) },
          },
        },
      },
    })
  );

  it("is shown with what was sent, and not with what was offered", () => {
    const sent = latencyByRate(result, "a").map((row) => row[1]);
    assert.deepEqual(sent, ["requests/s", "100,000", "9,990", "30,001"]);
  });

  it("has no latency at a rate that no block kept", () => {
    const late = structuredClone(result);
    Object.assign(late.derived.contenders.a.rates["90%"], { keptIn: 0, verdict: "lagged" });
    const rows = latencyByRate(late, "a").slice(2);
    assert.deepEqual(rows, [
      ["the harness, by the clock", "9,990", "0.3", "5.3", "kept"],
      ["the harness, by the clock", "30,001", "–", "–", "lagged"],
    ]);
  });

  it("has its CPU time at the common rate and at the most that was sent", () => {
    assert.deepEqual(cpuByRate(result)[1], ["the a", "0.25", "5.3", "30.0", "30,001", "15.0"]);
  });

  it("says how late the generator asked, where it tells", () => {
    const telling = structuredClone(result);
    telling.derived.contenders.a.rates.common.latenessMs = 0.55;
    const [head, row] = cpuByRate(telling);
    assert.deepEqual(head.slice(2, 4), ["p99, ms", "asked late, p99, ms"]);
    assert.deepEqual(row.slice(2, 4), ["5.3", "0.6"]);
  });
});
