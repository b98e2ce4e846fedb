// Prints what each trick of chapter 22's engine saves, as Markdown for the
// chapter's generated block:
//
//   node benchmarks/charts/tricks.js [MACHINE]
import { readFileSync } from "node:fs";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { bookMachine } from "../lib/paths.js";
import { resultFile } from "../lib/results.js";
import { formatEstimate } from "../lib/table.js";
import { toMarkdown } from "./list.js";

/** @import { Estimate } from "../lib/statistics.js" */

/**
 * @typedef {object} Tricks
 * @property {Record<string, string>} titles
 * @property {Record<string, Record<string, { ratio: Estimate }>>} derived
 */

const ways = {
  "one-field": "one field",
  "ten-fields": "ten fields",
  "eight-at-once": "eight requests at once",
};

/**
 * @param {Tricks} result
 * @returns {string[][]} the first row is the head
 */
export function toTable({ titles, derived }) {
  const head = ["instead of the trick", ...Object.values(ways)];
  const rows = Object.entries(titles)
    .filter(([name]) => name !== "engine")
    .map(([name, title]) => [
      title,
      ...Object.keys(ways).map((way) => formatEstimate(derived[way][name].ratio, 3)),
    ]);
  return [head, ...rows];
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [machine = bookMachine] = process.argv.slice(2);
  const text = readFileSync(resultFile(machine, "engine-tricks"), "utf8");
  console.log(toMarkdown(toTable(JSON.parse(text))));
}
