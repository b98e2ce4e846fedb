// Prints what a request costs each server of a suite, as Markdown for a
// chapter's generated block: node benchmarks/charts/cost.js SUITE [MACHINE]
import process from "node:process";
import { UserError } from "../../tools/lib/user-error.js";
import { readRuns } from "../lib/compare.js";
import { bookMachine } from "../lib/paths.js";
import { formatEstimate } from "../lib/table.js";
import { toMarkdown } from "./list.js";

/** @import { Result } from "../lib/results.js" */

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
      formatEstimate(row.cpuToBaseline, 2),
    ]);
  const baseline = contenders[what.baseline].title;
  const head = ["server", "processor time for a request, µs", `compared with ${baseline}`];
  return [head, ...rows];
}

const [name, machine = bookMachine] = process.argv.slice(2);
try {
  console.log(toMarkdown(costs(readRuns(machine, name))));
} catch (err) {
  if (!(err instanceof UserError)) throw err;
  console.error(err.message);
  process.exitCode = 1;
}
