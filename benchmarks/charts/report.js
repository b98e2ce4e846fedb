import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { BenchError } from "../lib/errors.js";
import { resultsFolder, root } from "../lib/paths.js";
import { renderChart } from "./draw.js";
import { listCharts, toMarkdown } from "./list.js";

const chartsFolder = path.join(root, "assets/charts");

/**
 * Everything that is made from a machine's results: the charts, and a page
 * that shows them with their tables.
 *
 * @param {string} machine
 * @returns {{ file: string, text: string }[]}
 * @throws {BenchError} ERR_BENCH_RESULT when there is nothing to show
 */
export function makeReport(machine) {
  const charts = listCharts(machine);
  if (charts.length === 0) {
    throw new BenchError("ERR_BENCH_RESULT", `${machine} has no results yet.`);
  }
  const files = charts.flatMap(({ name, draw, ...words }) =>
    renderChart(name, words, draw).map(({ file, svg }) => ({
      file: path.join(chartsFolder, file),
      text: svg,
    })),
  );
  const sections = charts.map(
    ({ name, title, description, table }) =>
      `## ${title}\n\n![${description}](../../../assets/charts/${name}.svg)\n\n${toMarkdown(table)}\n`,
  );
  const page =
    `# Results of ${machine}\n\n` +
    "Made by `npm run bench -- report` from the files beside it; every run's own output is in `raw/`.\n\n" +
    sections.join("\n");
  return [...files, { file: path.join(resultsFolder, machine, "README.md"), text: page }];
}

/**
 * @param {string} machine
 * @returns {string} what was written, for a person
 */
export function writeReport(machine) {
  const files = makeReport(machine);
  mkdirSync(chartsFolder, { recursive: true });
  const names = new Set(files.map(({ file }) => path.basename(file)));
  for (const name of readdirSync(chartsFolder)) {
    if (name.endsWith(".svg") && !names.has(name)) rmSync(path.join(chartsFolder, name));
  }
  for (const { file, text } of files) writeFileSync(file, text);
  return `${files.length - 1} charts in assets/charts/, and ${path.relative(root, files[files.length - 1].file)}`;
}

/**
 * @param {string} machine
 * @returns {string[]} the files that aren't what the results make
 */
export function findStale(machine) {
  return makeReport(machine)
    .filter(({ file, text }) => readIfThere(file) !== text)
    .map(({ file }) => path.relative(root, file));
}

/** @param {string} file */
function readIfThere(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
