// Lists what a result's servers are, as Markdown for a chapter's generated
// block: node benchmarks/charts/versions.js SUITE [MACHINE]
import process from "node:process";
import { UserError } from "../../tools/lib/user-error.js";
import { readRuns } from "../lib/compare.js";
import { bookMachine } from "../lib/paths.js";

/** @import { Result } from "../lib/results.js" */

const stacks = /** @type {const} */ ([
  ["then", "2023"],
  ["now", "now"],
  ["control", "control"],
]);

/**
 * @param {Result} result
 * @returns {string} Markdown
 */
function versionsOf({ contenders, what }) {
  const rows = stacks.flatMap(([stack, shown]) =>
    Object.entries(contenders)
      .filter(([id, contender]) => contender.stack === stack && id !== what.twin)
      .map(([id, { title, version, runtime, contract }]) => [
        shown,
        `\`${id}\``,
        title,
        version,
        runtime,
        String(contract.bytesPerResponse),
      ]),
  );
  return [
    "| stack | name | server | version | runtime | bytes of an answer |",
    "| --- | --- | --- | --- | --- | ---: |",
    ...rows.map((cells) => `| ${cells.join(" | ")} |`),
  ].join("\n");
}

const [suite, machine = bookMachine] = process.argv.slice(2);
try {
  console.log(versionsOf(readRuns(machine, suite)));
} catch (err) {
  if (!(err instanceof UserError)) throw err;
  console.error(err.message);
  process.exitCode = 1;
}
