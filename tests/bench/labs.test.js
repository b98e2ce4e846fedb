import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { choices, formatBestOf, turnedRound } from "../../benchmarks/lib/best-of.js";
import { closingWrk, wrk } from "../../benchmarks/lib/generators.js";
import { isRatesResult } from "../../benchmarks/lib/results.js";
import { suites } from "../../benchmarks/lib/suites.js";
import { formatResult, rankForSale } from "../../benchmarks/lib/table.js";

/** @import { DerivedContender } from "../../benchmarks/lib/derive.js" */
/** @import { Result } from "../../benchmarks/lib/results.js" */

/**
 * A result that has no more than what the best of five is chosen from.
 *
 * @param {Record<string, number[]>} rates requests per second, by block
 * @returns {Result}
 */
function resultOf(rates) {
  const [first] = Object.values(rates);
  const result = {
    suite: "typical",
    machine: "test",
    what: { baseline: "base", twin: "base-again" },
    contenders: Object.fromEntries(Object.keys(rates).map((id) => [id, {}])),
    blocks: first.map((_, index) => ({
      block: index + 1,
      runs: Object.fromEntries(
        Object.entries(rates).map(([id, values]) => [id, { requestsPerSecond: values[index] }]),
      ),
    })),
  };
  return /** @type {Result} */ (/** @type {unknown} */ (result));
}

describe("the best of five", () => {
  const result = resultOf({
    "base-again": [98, 103, 101],
    base: [100, 102, 97],
    slow: [50, 51, 52],
    close: [90, 99, 91],
  });

  it("is chosen from a server's runs", () => {
    const [first, , , last] = choices(result);
    assert.deepEqual(first, { id: "base-again", worst: 98, middle: 101, best: 103 });
    assert.equal(last.id, "slow");
  });

  it("turns round the pairs whose runs overlap, and no others", () => {
    const pairs = turnedRound(choices(result)).map(
      ({ winner, loser }) => `${winner.id} ${loser.id}`,
    );
    assert.deepEqual(pairs, ["base base-again", "close base", "close base-again"]);
  });

  it("says when a server beats itself", () => {
    assert.match(
      formatBestOf(result),
      /^base "beats" base-again by 4\.1 %, and is the same program$/m,
    );
    assert.doesNotMatch(formatBestOf(result), /close.*same program/);
  });
});

describe("a lab", () => {
  const row = (/** @type {number} */ requests, /** @type {number} */ p50) =>
    /** @type {DerivedContender} */ (
      /** @type {unknown} */ ({
        requestsPerSecond: { median: requests },
        cpuMicrosecondsPerRequest: { median: 10, low: 9, high: 11 },
        latency: { p50, p99: 2 * p50, max: 3 * p50 },
        littlesLawRatio: 1,
        verdict: "server-bound",
      })
    );
  const contenders = { many: row(100, 5), few: row(60, 1), twin: row(200, 0.1) };

  it("ranks by the figure that sells, without the twin", () => {
    const order = (/** @type {"requestsPerSecond" | "p50"} */ sells) =>
      rankForSale(contenders, sells, "twin").map(([id]) => id);
    assert.deepEqual(order("requestsPerSecond"), ["many", "few"]);
    assert.deepEqual(order("p50"), ["few", "many"]);
  });

  it("says what it ranks by, and who had other connections", () => {
    const result = {
      suite: "saturation",
      publishable: true,
      finished: true,
      what: {
        title: "A lab",
        path: "/",
        sells: "p50",
        twin: "twin",
        layout: { pinned: true },
        leftOut: [],
        settings: { seconds: 1, warmUpSeconds: 1, connections: 256, connectionsOf: { few: 16 } },
      },
      where: { cores: 2, cpu: "a processor", virtual: false },
      contenders: {},
      blocks: [],
      derived: { contenders },
    };
    const text = formatResult(/** @type {Result} */ (/** @type {unknown} */ (result)));
    assert.match(text, /^few {2}.*\nmany/m);
    assert.match(text, /^How to be wrong: ranked by median latency$/m);
    assert.match(text, /^few: 16 connections$/m);
  });

  it("is one of those that the book has, each with servers to rank", () => {
    const labs = suites.filter(({ isLab }) => isLab);
    assert.ok(labs.length >= 7);
    for (const { name, contenders: list, baseline, rankedBy, kind } of labs) {
      assert.ok(list().includes(baseline), name);
      assert.ok(rankedBy || kind === "rates", name);
    }
  });

  it("asks for a connection each only where it should", () => {
    const load = { url: "http://127.0.0.1:1/", connections: 1, threads: 1, seconds: 1 };
    assert.match(closingWrk.command(load).join(" "), / -H connection: close http:/);
    assert.doesNotMatch(wrk.command(load).join(" "), /connection: close/);
  });
});

describe("the suites at fixed rates", () => {
  it("say which rates, and who asks for them", () => {
    for (const { name, kind, rates } of suites) {
      assert.equal(rates !== undefined, kind === "rates", name);
    }
    const generators = (/** @type {string} */ name) =>
      suites.find((suite) => suite.name === name)?.rates?.openGenerator.name;
    assert.notEqual(generators("latency"), generators("latency-vegeta"));
  });

  it("are known by their results", () => {
    for (const { name, kind } of suites) {
      const result = /** @type {Result} */ (/** @type {unknown} */ ({ suite: name }));
      assert.equal(isRatesResult(result), kind === "rates", name);
    }
  });
});
