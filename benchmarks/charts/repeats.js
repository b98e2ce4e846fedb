// Prints what the same servers took in each suite that asks them for the same
// answer, as Markdown for a chapter's generated block:
// node benchmarks/charts/repeats.js [MACHINE]
import { existsSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { UserError } from "../../tools/lib/user-error.js";
import { readRuns } from "../lib/compare.js";
import { bookMachine } from "../lib/paths.js";
import { resultFile } from "../lib/results.js";
import { formatNumber } from "../lib/table.js";
import { toMarkdown } from "./list.js";

/** @import { Result } from "../lib/results.js" */

/** One process, the small GET, 256 connections, and ratios to `node-http`. */
const sameQuestion = ["typical", "documented", "own-engine", "ladder", "node-20", "node-versions"];

/**
 * @param {Result[]} results of one machine
 * @returns {string[][]} the first row is the head, and the last one says how
 *   noisy each run was
 */
export function ratiosBySuite(results) {
  /** @type {Map<string, string>} */
  const titles = new Map();
  for (const { contenders, derived, what } of results) {
    for (const id of Object.keys(derived.contenders)) {
      if (id === what.baseline || id === what.twin) continue;
      titles.set(id, titles.get(id) ?? contenders[id].title);
    }
  }
  const ratioIn = (/** @type {Result} */ { derived }, /** @type {string} */ id) =>
    derived.contenders[id]?.cpuToBaseline.median;
  const repeated = [...titles]
    .map(([id, title]) => ({ title, ratios: results.map((result) => ratioIn(result, id)) }))
    .filter(({ ratios }) => ratios.filter((ratio) => ratio !== undefined).length > 1)
    .map(({ title, ratios }) => ({ title, ratios, given: ratios.filter(Number.isFinite) }))
    .sort((a, b) => a.given[0] - b.given[0]);
  return [
    ["server", ...results.map(({ suite }) => `\`${suite}\``), "most to least"],
    ...repeated.map(({ title, ratios, given }) => [
      title,
      ...ratios.map((ratio) => (ratio === undefined ? "–" : formatNumber(ratio, 2))),
      formatNumber(Math.max(...given) / Math.min(...given), 2),
    ]),
    [
      "noise of the run",
      ...results.map(({ derived: { noise } }) =>
        noise ? `${formatNumber(noise.floor * 100, 1)} %` : "–",
      ),
      "–",
    ],
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const machine = process.argv[2] ?? bookMachine;
  try {
    const results = sameQuestion
      .filter((suite) => existsSync(resultFile(machine, suite)))
      .map((suite) => readRuns(machine, suite));
    console.log(toMarkdown(ratiosBySuite(results)));
  } catch (err) {
    if (!(err instanceof UserError)) throw err;
    console.error(err.message);
    process.exitCode = 1;
  }
}
