import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { Ajv } from "ajv";
import {
  deriveCache,
  deriveNoreply,
  formatCache,
  judgeCache,
  MOST_CPU,
  WAYS,
} from "../../benchmarks/lib/cache.js";
import { resultsFolder } from "../../benchmarks/lib/paths.js";
import { asWritten } from "../../benchmarks/lib/results.js";

const schema = new URL("../../benchmarks/lib/cache.schema.json", import.meta.url);
const check = new Ajv().compile(JSON.parse(readFileSync(schema, "utf8")));

describe("the cache's results", () => {
  const machines = readdirSync(resultsFolder).filter(
    (machine) => machine !== "local" && existsSync(`${resultsFolder}/${machine}/cache.json`),
  );

  it("are there", () => assert.ok(machines.length > 0));

  for (const machine of machines) {
    const result = JSON.parse(readFileSync(`${resultsFolder}/${machine}/cache.json`, "utf8"));

    it(`of ${machine} have the form of their schema`, () => {
      assert.ok(check(result), JSON.stringify(check.errors, null, 2));
    });

    it(`of ${machine} follow from their runs`, () => {
      assert.deepEqual(asWritten(deriveCache(result.runs)), asWritten(result.derived));
      const { noreply, ignoredToRead, turns } = result;
      assert.deepEqual(deriveNoreply(turns), { noreply, ignoredToRead });
      assert.deepEqual(judgeCache(result), result.goals);
      const text = readFileSync(`${resultsFolder}/${machine}/cache.txt`, "utf8");
      assert.equal(text, `${formatCache(result)}\n`);
    });

    it(`of ${machine} are refused without a run of the twin`, () => {
      const [{ twin, ...rest }, ...others] = result.runs;
      assert.ok(twin);
      assert.equal(check({ ...result, runs: [rest, ...others] }), false);
    });
  }
});

describe("what is sent without an answer", () => {
  it("is compared within a turn", () => {
    const ones = Object.fromEntries(
      WAYS.flatMap((way) => [way, `${way}-nagle`]).map((way) => [way, 1]),
    );
    const turn = (/** @type {number} */ read, /** @type {number} */ ignored) => ({
      nodecached: { ...ones, read, ignored },
    });
    const { noreply, ignoredToRead } = deriveNoreply([turn(10, 5), turn(1, 3), turn(4, 8)]);
    assert.equal(noreply.nodecached.read, 4);
    assert.equal(noreply.nodecached.ignored, 5);
    assert.equal(ignoredToRead.nodecached.median, 2);
  });
});

describe("a cache's cost", () => {
  /** @param {Record<string, number>} microseconds */
  const block = (microseconds) =>
    Object.fromEntries(
      Object.entries(microseconds).map(([name, each]) => {
        const run = { microseconds: each, rate: 1, server: 1, busy: 1 };
        return [name, { set: run, get: run }];
      }),
    );

  it("stands beside nodecached's of the same block", () => {
    const blocks = [
      block({ nodecached: 10, twin: 8, memcached: 5 }),
      block({ nodecached: 20, twin: 16, memcached: 20 }),
    ];
    const { noise, contenders } = deriveCache(blocks).get;
    assert.equal(contenders.twin.toNodecached.median, 0.8);
    assert.ok(Math.abs(noise - 0.2) < 1e-9, "the twin is divided by nodecached");
    assert.ok(Math.abs(contenders.twin.ratio.median - 1.2) < 1e-9);
  });
});

describe("a cache's goals", () => {
  /**
   * @param {[number, number]} set how far the interval of a ratio goes, down
   *   and up
   * @param {[number, number]} get
   * @param {number} weight of an item, beside memcached's
   */
  function judge(set, get, weight) {
    const operation = (/** @type {[number, number]} */ [low, high]) => ({
      contenders: { nodecached: { ratio: { median: 1, low, high } } },
    });
    const derived = { set: operation(set), get: operation(get) };
    const memory = { small: { ratio: 1 }, large: { ratio: weight } };
    const result = /** @type {Parameters<typeof judgeCache>[0]} */ (
      /** @type {unknown} */ ({ derived, memory })
    );
    return judgeCache(result);
  }
  const below = /** @type {[number, number]} */ ([0.9, MOST_CPU]);
  const about = /** @type {[number, number]} */ ([MOST_CPU, MOST_CPU + 0.01]);
  const above = /** @type {[number, number]} */ ([MOST_CPU + 0.01, 1.3]);

  it("are reached where the whole interval is", () => {
    assert.deepEqual(judge(below, below, 1.5), { cpu: "yes", memory: "yes" });
  });
  it("aren't decided where the goal lies inside", () => {
    assert.equal(judge(below, about, 1).cpu, "not decided");
    assert.equal(judge(about, below, 1).cpu, "not decided");
  });
  it("are missed where a whole interval lies above", () => {
    assert.equal(judge(below, above, 1).cpu, "no");
    assert.equal(judge(above, about, 1).cpu, "no");
    assert.equal(judge(below, below, 1.51).memory, "no");
  });
});
