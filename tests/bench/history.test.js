import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { after, beforeEach, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { formatHistory, readHistory, recordRun } from "../../benchmarks/lib/history.js";
import { resultsFolder } from "../../benchmarks/lib/paths.js";

/** @import { Result } from "../../benchmarks/lib/results.js" */

const machine = `test-history-${process.pid}`;
const remove = () => rmSync(path.join(resultsFolder, machine), { recursive: true, force: true });

/**
 * @param {Partial<{ suite: string, startedAt: string, blocks: number, verdict: string }>} run
 * @returns {Result}
 */
function resultOf({ suite = "typical", startedAt = "2026-11-01T10:00:00Z", blocks = 5, verdict }) {
  const ratio = { median: 1.0123456, low: 0.98, high: 1.04, geometricMean: 1.01, n: blocks };
  const result = {
    ...{ suite, machine, startedAt, what: { commit: "abc" }, blocks: Array(blocks).fill({}) },
    derived: { contenders: {}, ...(verdict ? { noise: { ratio, floor: 0.04, verdict } } : {}) },
  };
  return /** @type {Result} */ (/** @type {unknown} */ (result));
}

describe("the history of a machine", () => {
  beforeEach(remove);
  after(remove);

  it("has a line for every run, also for those that weren't kept", () => {
    recordRun(resultOf({ verdict: "not a tie" }), { blocks: 5, quick: true })("finished");
    recordRun(resultOf({ suite: "ladder", blocks: 0 }), {})("broken", "it fell over");
    recordRun(resultOf({ startedAt: "2026-11-01T11:00:00Z", verdict: "tie" }), {})("finished");
    const [first, second, third] = readHistory(machine);
    assert.deepEqual(first.twins, { verdict: "not a tie", median: 1.012, low: 0.98, high: 1.04 });
    assert.deepEqual([first.kept, second.kept, third.kept], [true, false, true]);
    const lines = formatHistory(machine).split("\n");
    assert.match(
      lines[4],
      /^2026-11-01 10:00 {2}typical .*5 {2}finished .*1\.012: not a tie .*replaced .*--blocks 5 --quick$/,
    );
    assert.match(lines[5], /ladder .*0 {2}broken .*nothing to keep/);
    assert.match(lines[6], /11:00 .*1\.012: tie .*kept/);
    assert.equal(lines.at(-1), "ladder broke: it fell over");
  });

  it("keeps the ratios of a run whose result the next one replaces", () => {
    const result = resultOf({});
    const cpuToBaseline = { median: 0.594712, low: 0.5, high: 0.7, geometricMean: 0.6, n: 5 };
    Object.assign(result.derived.contenders, { axum: { cpuToBaseline } });
    recordRun(result, {})("stopped");
    recordRun(resultOf({}), {})("finished");
    const [stopped, finished] = readHistory(machine);
    assert.deepEqual(stopped.ratios, { axum: 0.5947 });
    assert.equal(finished.ratios, undefined);
  });

  it("tells a run that went on from one that was replaced", () => {
    recordRun(resultOf({ blocks: 2 }), {})("stopped");
    recordRun(resultOf({ blocks: 5 }), {})("finished");
    const [, , , , stopped, finished] = formatHistory(machine).split("\n");
    assert.match(stopped, /stopped .*went on/);
    assert.match(finished, /finished .*kept/);
  });

  it("has each run once", () => {
    const end = recordRun(resultOf({}), {});
    end("finished");
    end("broken");
    assert.equal(readHistory(machine).length, 1);
  });

  it("has a run, too, whose process was ended", () => {
    const url = new URL("../../benchmarks/lib/history.js", import.meta.url);
    const program = `
      import { recordRun } from ${JSON.stringify(fileURLToPath(url))};
      recordRun(${JSON.stringify(resultOf({ blocks: 1 }))}, { seed: 7 });
      process.exit(143);
    `;
    const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
      encoding: "utf8",
    });
    assert.equal(status, 143, stderr);
    const [{ ending, blocks, options }] = readHistory(machine);
    assert.deepEqual(
      { ending, blocks, options },
      { ending: "stopped", blocks: 1, options: { seed: 7 } },
    );
  });

  it("says so where there is none", () => {
    assert.throws(() => readHistory(machine), { code: "ERR_BENCH_HISTORY", message: /no history/ });
  });
});
