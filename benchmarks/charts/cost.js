// Prints what a request costs each server of a suite, as Markdown for a
// chapter's generated block:
//
//   node benchmarks/charts/cost.js SUITE [MACHINE]
//   node benchmarks/charts/cost.js SUITE [MACHINE] --ratios
//
// A ratio is taken within each block. Where the machine's speed changes between
// blocks, the medians of the times don't divide to it: --ratios leaves them out.
import process from "node:process";
import { parseArgs } from "node:util";
import { UserError } from "../../tools/lib/user-error.js";
import { readRuns } from "../lib/compare.js";
import { bookMachine } from "../lib/paths.js";
import { formatEstimate } from "../lib/table.js";
import { toMarkdown } from "./list.js";

/** @import { DerivedContender } from "../lib/derive.js" */
/** @import { Result } from "../lib/results.js" */

/**
 * The time outside the kernel and inside, where the system tells them apart.
 *
 * @param {DerivedContender} row
 */
function modes({ userMicrosecondsPerRequest: user, systemMicrosecondsPerRequest: system }) {
  return user && system ? [user.median.toFixed(1), system.median.toFixed(1)] : [];
}

/**
 * @param {Result} result
 * @returns {string[][]} the first row is the head; the cheapest server is first
 */
function costs({ derived, contenders, what }) {
  const rows = Object.entries(derived.contenders)
    .filter(([id]) => id !== what.twin)
    .sort(([, a], [, b]) => a.cpuToBaseline.median - b.cpuToBaseline.median)
    .map(([id, row]) => [
      contenders[id].title,
      formatEstimate(row.cpuMicrosecondsPerRequest, 1),
      ...modes(row),
      formatEstimate(row.cpuToBaseline, 2),
    ]);
  const hasModes = rows[0].length > 3;
  const baseline = contenders[what.baseline].title;
  const head = [
    "server",
    "processor time for a request, µs",
    ...(hasModes ? ["outside the kernel", "inside"] : []),
    `compared with ${baseline}`,
  ];
  return [head, ...rows];
}

/** @param {string[][]} rows */
function onlyRatios(rows) {
  return rows.map((row) => [row[0], /** @type {string} */ (row.at(-1))]);
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { ratios: { type: "boolean", default: false } },
});
const [name, machine = bookMachine] = positionals;
try {
  const rows = costs(readRuns(machine, name));
  console.log(toMarkdown(values.ratios ? onlyRatios(rows) : rows));
} catch (err) {
  if (!(err instanceof UserError)) throw err;
  console.error(err.message);
  process.exitCode = 1;
}
