// Prints what the servers of `typical` took on two machines, as Markdown for a
// chapter's generated block: node benchmarks/charts/machines.js A B
import process from "node:process";
import { fileURLToPath } from "node:url";
import { UserError } from "../../tools/lib/user-error.js";
import { compare, formatRatio, readRuns } from "../lib/compare.js";
import { toMarkdown } from "./list.js";

/** @import { Result } from "../lib/results.js" */

/**
 * @param {Result} a
 * @param {Result} b
 * @returns {string[][]} the first row is the head
 */
export function ratiosByMachine(a, b) {
  const { comparisons, reference } = compare(a, b);
  const rows = comparisons
    .filter(({ figure }) => figure === "cpuMicrosecondsPerRequest")
    .filter(({ id }) => id !== a.what.twin)
    .sort((one, other) => one.a.ratio.median - other.a.ratio.median);
  return [
    [`compared with ${a.contenders[reference].title}`, a.machine, b.machine, "so they"],
    ...rows.map(({ id, a: here, b: there, verdict }) => [
      a.contenders[id].title,
      formatRatio(here.ratio),
      formatRatio(there.ratio),
      verdict,
    ]),
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [a, b] = process.argv.slice(2);
  try {
    console.log(toMarkdown(ratiosByMachine(readRuns(a, "typical"), readRuns(b, "typical"))));
  } catch (err) {
    if (!(err instanceof UserError)) throw err;
    console.error(err.message);
    process.exitCode = 1;
  }
}
