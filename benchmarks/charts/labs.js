// Sets several labs beside `typical`, as Markdown for a chapter's generated
// block: requests per second, and the rank that they seem to give. The
// servers are those that run in all of them. Another MACHINE comes last, after
// --machine: node benchmarks/charts/labs.js LAB... [--machine MACHINE]
import process from "node:process";
import { parseArgs } from "node:util";
import { UserError } from "../../tools/lib/user-error.js";
import { readRuns } from "../lib/compare.js";
import { bookMachine } from "../lib/paths.js";
import { formatNumber, rankForSale } from "../lib/table.js";
import { toMarkdown } from "./list.js";

/** @import { Result } from "../lib/results.js" */

/**
 * @param {Result[]} results `typical` first
 * @returns {string[][]} the first row is the head
 */
export function besideEachOther(results) {
  const rankings = results.map(({ derived, what }) =>
    rankForSale(derived.contenders, "requestsPerSecond", what.twin),
  );
  const [first, ...others] = rankings;
  const common = first.filter(([id]) =>
    others.every((ranking) => ranking.some(([other]) => other === id)),
  );
  const ids = common.map(([id]) => id);
  const rows = ids.map((id) => [
    results[0].contenders[id].title,
    ...rankings.map((ranking) => {
      const among = ranking.filter(([other]) => ids.includes(other));
      const place = among.findIndex(([other]) => other === id);
      return `${place + 1}. ${formatNumber(among[place][1].requestsPerSecond.median)}`;
    }),
  ]);
  return [["server", ...results.map(({ suite }) => `\`${suite}\``)], ...rows];
}

function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { machine: { type: "string", default: bookMachine } },
  });
  const results = ["typical", ...positionals].map((suite) => readRuns(values.machine, suite));
  console.log(toMarkdown(besideEachOther(results)));
}

if (process.argv[1] === import.meta.filename) {
  try {
    main();
  } catch (err) {
    if (!(err instanceof UserError)) throw err;
    console.error(err.message);
    process.exitCode = 1;
  }
}
