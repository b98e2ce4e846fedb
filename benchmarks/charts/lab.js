// Sets a lab's ranking beside that of `typical`, as Markdown for a chapter's
// generated block: node benchmarks/charts/lab.js LAB [MACHINE]
import process from "node:process";
import { UserError } from "../../tools/lib/user-error.js";
import { readRuns } from "../lib/compare.js";
import { bookMachine } from "../lib/paths.js";
import { formatNumber, rankForSale } from "../lib/table.js";
import { toMarkdown } from "./list.js";

/** @import { DerivedContender } from "../lib/derive.js" */
/** @import { Result } from "../lib/results.js" */

/**
 * @param {Result} lab
 * @param {Result} typical
 * @returns {string[][]} the first row is the head
 */
function besideTypical(lab, typical) {
  const rankedBy = lab.what.sells ?? "requestsPerSecond";
  const ranked = rankForSale(lab.derived.contenders, rankedBy, lab.what.twin);
  const ids = ranked.map(([id]) => id);
  const honest = rankForSale(typical.derived.contenders, "requestsPerSecond", typical.what.twin)
    .map(([id]) => id)
    .filter((id) => ids.includes(id));
  const head = ["server", "here", "requests/s", "µs each", "in `typical`", "requests/s", "µs each"];
  const figures = (/** @type {DerivedContender} */ { requestsPerSecond, ...row }) => [
    formatNumber(requestsPerSecond.median),
    formatNumber(row.cpuMicrosecondsPerRequest.median, 1),
  ];
  const rows = ranked.map(([id, row], index) => [
    lab.contenders[id].title,
    `${index + 1}.`,
    ...figures(row),
    ...(honest.includes(id)
      ? [`${honest.indexOf(id) + 1}.`, ...figures(typical.derived.contenders[id])]
      : ["not in it", "–", "–"]),
  ]);
  return [head, ...rows];
}

const [name, machine = bookMachine] = process.argv.slice(2);
try {
  console.log(toMarkdown(besideTypical(readRuns(machine, name), readRuns(machine, "typical"))));
} catch (err) {
  if (!(err instanceof UserError)) throw err;
  console.error(err.message);
  process.exitCode = 1;
}
