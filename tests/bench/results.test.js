import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import { findStale } from "../../benchmarks/charts/report.js";
import {
  compare,
  compareSides,
  formatComparison,
  readMachine,
  readRuns,
} from "../../benchmarks/lib/compare.js";
import { derive, designOf } from "../../benchmarks/lib/derive.js";
import { deriveRates } from "../../benchmarks/lib/derive-rates.js";
import { resultsFolder } from "../../benchmarks/lib/paths.js";
import { asWritten, checkResult, isRatesResult } from "../../benchmarks/lib/results.js";
import { estimate } from "../../benchmarks/lib/statistics.js";
import { suites } from "../../benchmarks/lib/suites.js";
import { formatResult } from "../../benchmarks/lib/table.js";
import { untie } from "./untie.js";

/** @typedef {import("../../benchmarks/lib/results.js").Result} Result */

/**
 * Every committed result of a suite: `local` is the reader's own, and the tests
 * of the command, which run at the same time, make and remove a `test-` of theirs.
 */
const committed = readdirSync(resultsFolder)
  .filter((machine) => machine !== "local" && !machine.startsWith("test-"))
  .flatMap((machine) =>
    suites
      .filter(({ name }) => existsSync(path.join(resultsFolder, machine, `${name}.json`)))
      .map(({ name }) => ({ machine, suite: name })),
  );

describe("the committed results", () => {
  it("are there", () => assert.ok(committed.length > 2));

  for (const { machine, suite } of committed) {
    const result = readMachine(machine, suite);
    if ("published" in result) continue;

    it(`of ${suite} on ${machine} are whole and meant to be published`, () => {
      assert.ok(result.finished && result.publishable);
      assert.equal(result.machine, machine);
      assert.equal(result.suite, suite);
    });

    it(`of ${suite} on ${machine} follow from their raw runs`, () => {
      const { blocks, what } = result;
      const derived = isRatesResult(result)
        ? deriveRates(result.blocks, designOf(what))
        : derive(blocks, designOf(what));
      assert.deepEqual(asWritten(derived), result.derived);
    });

    it(`of ${suite} on ${machine} are what the text beside them says`, () => {
      const text = readFileSync(path.join(resultsFolder, machine, `${suite}.txt`), "utf8");
      assert.equal(text, `${formatResult(result)}\n`);
    });

    it(`of ${suite} on ${machine} have the generator's own output of every run`, () => {
      for (const { block, runs } of result.blocks) {
        for (const id of Object.keys(runs)) {
          const file = path.join(
            resultsFolder,
            machine,
            "raw",
            suite,
            `block-${block}`,
            `${id}.txt`,
          );
          assert.ok(existsSync(file), `${file} is missing`);
        }
      }
    });
  }

  for (const machine of new Set(committed.map((entry) => entry.machine))) {
    if (machine.startsWith("article-")) continue;
    it(`of ${machine} are what the charts show`, () => {
      assert.deepEqual(findStale(machine), [], "run: npm run bench -- report");
    });
  }
});

describe("a result file", () => {
  it("is refused with all that is wrong in it", () => {
    const { machine, suite } = committed.filter(
      (entry) => !entry.machine.startsWith("article-"),
    )[0];
    const result = JSON.parse(JSON.stringify(readMachine(machine, suite)));
    delete result.what.baseline;
    result.blocks[0].runs[result.blocks[0].order[0]].errors.read = 4;
    assert.throws(
      () => checkResult(result),
      (/** @type {Error} */ err) => {
        assert.match(err.message, /\/what must have required property 'baseline'/);
        assert.match(err.message, /errors\/read must be equal to constant/);
        return true;
      },
    );
  });
});

describe("comparing two machines", () => {
  /** @param {number} median @param {number} low @param {number} high */
  const side = (median, low, high) => ({
    ratio: { ...estimate([1]), median, low, high },
    doubts: [],
  });

  it("says agree when the intervals meet", () => {
    assert.equal(compareSides(side(2, 1.9, 2.1), side(2.15, 2.08, 2.2)), "agree");
  });

  it("says differ when they don't", () => {
    assert.equal(compareSides(side(2, 1.9, 2.1), side(3, 2.9, 3.1)), "differ");
  });

  it("says nothing when one is too wide to", () => {
    assert.equal(compareSides(side(2, 1.2, 3), side(3, 2.9, 3.1)), "too noisy to say");
  });

  it("says nothing of a run whose twins don't tie, or that is too short to know", () => {
    const untied = { ...side(2, 1.9, 2.1), isUntied: true };
    assert.equal(compareSides(untied, side(3, 2.9, 3.1)), "too noisy to say");
    const verdictsOf = (/** @type {Result} */ result) =>
      new Set(compare(result, result).comparisons.map(({ verdict }) => verdict));
    const tied = readRuns("linux-2core-vm", "engine");
    assert.ok(verdictsOf(tied).has("agree"));
    assert.deepEqual(verdictsOf(untie(tied)), new Set(["too noisy to say"]));
    const short = { ...tied, derived: derive(tied.blocks.slice(0, 2), designOf(tied.what)) };
    assert.deepEqual(verdictsOf(short), new Set(["too noisy to say"]));
  });

  it("agrees with itself", () => {
    const article = readMachine("article-2023-m1-max", "typical");
    const { comparisons } = compare(article, article);
    assert.deepEqual(new Set(comparisons.map(({ verdict }) => verdict)), new Set(["agree"]));
  });

  it("gives the article's ratios, and why its Axum is to be doubted", () => {
    const article = readMachine("article-2023-m1-max", "typical");
    const { reference, comparisons } = compare(article, article);
    assert.equal(reference, "express-4");
    const axum = comparisons.find(({ id }) => id === "axum-0.6");
    assert.ok(Math.abs(Number(axum?.a.ratio.median) - 7.224) < 0.001);
    assert.match(String(axum?.reasons), /ran on all cores/);
    assert.match(String(axum?.reasons), /mean latency was 0\.53 of what its rate allows/);
    assert.match(formatComparison(article, article), /5\.15 \(5\.00-5\.31\)/);
  });

  it("names the file that isn't there", () => {
    assert.throws(() => readMachine("no-such-machine", "typical"), {
      code: "ERR_BENCH_RESULT",
      message: /no-such-machine/,
    });
  });
});

describe("a disturbed block", () => {
  const result = readMachine("linux-2core-vm", "documented");
  const quiet = { othersShare: 0, stealShare: 0, generatorOthersShare: 0, generatorStealShare: 0 };

  /**
   * @param {Record<string, Record<string, number>>} shares by server
   * @returns {string[]}
   */
  function linesWith(shares) {
    if ("published" in result || isRatesResult(result)) throw new TypeError("of another kind");
    const runs = Object.entries(result.blocks[0].runs).map(([id, run]) => [
      id,
      { ...run, ...quiet, ...shares[id] },
    ]);
    const blocks = [{ ...result.blocks[0], runs: Object.fromEntries(runs) }];
    const text = formatResult({ ...result, blocks }).replaceAll(/\n +/g, " ");
    return text.split("\n").filter((line) => line.startsWith("disturbed"));
  }

  it("has one line, with both sides of each server, the worst first", () => {
    assert.deepEqual(
      linesWith({
        velocy: { othersShare: 0.02, stealShare: 0.05 },
        express: { generatorOthersShare: 0.1, generatorStealShare: 0.02 },
        fastify: { othersShare: 0.04 },
      }),
      [
        "disturbed in block 1, others took so much of the server's cores/the generator's: " +
          "express 0/12 %, velocy 7/0 %",
      ],
    );
  });

  it("has none where nothing went over the bound", () => assert.deepEqual(linesWith({}), []));
});
