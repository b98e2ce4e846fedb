import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { formatBestOf } from "../lib/best-of.js";
import { formatComparison, haveServerInCommon, readMachine, readRuns } from "../lib/compare.js";
import { benchError } from "../lib/errors.js";
import { bookMachine, resultsFolder, root } from "../lib/paths.js";
import { asWritten, resultFile, writeResult, writeText } from "../lib/results.js";
import { deriveAnew } from "../lib/run-suite.js";
import { suites } from "../lib/suites.js";
import { formatResult } from "../lib/table.js";
import { renderChart } from "./draw.js";
import { listCharts, toMarkdown } from "./list.js";

/**
 * The book's own charts lie where its pages find them; those of any other
 * machine beside its results.
 *
 * @param {string} machine
 * @returns {string}
 */
function chartsFolder(machine) {
  return machine === bookMachine
    ? path.join(root, "assets/charts")
    : path.join(resultsFolder, machine, "charts");
}

const howToRead =
  "A server has one colour and one shape in all charts. It is hollow when it is of 2023, or runs " +
  "on an older Node.js. Its symbol stands at the median of the blocks, with a bar for the 95 % " +
  "interval and a small dot for each block. Axes of such dots are logarithmic: the same distance " +
  "is the same ratio everywhere. The band is the noise, what one server differs by from itself " +
  "under another name. Where these twins don't tie, the servers stand in the suite's order, which " +
  "is none.\n\n";

/**
 * Everything that is made from a machine's results: the charts, and a page
 * that shows them with their tables.
 *
 * @param {string} machine
 * @returns {{ file: string, text: string }[]}
 * @throws {UserError} ERR_BENCH_RESULT when there is nothing to show
 */
export function makeReport(machine) {
  const charts = listCharts(machine);
  if (charts.length === 0) {
    throw benchError("ERR_BENCH_RESULT", `${machine} has no results yet.`);
  }
  const folder = chartsFolder(machine);
  const readme = path.join(resultsFolder, machine, "README.md");
  const toCharts = path.relative(path.dirname(readme), folder).replaceAll(path.sep, "/");
  const files = charts.flatMap(({ name, draw, ...words }) =>
    renderChart(name, words, draw).map(({ file, svg }) => ({
      file: path.join(folder, file),
      // Versions of Node.js differ in the last digit of a logarithm.
      text: svg.replace(/\d+\.\d{3,}/g, (digits) => String(Number(Number(digits).toFixed(2)))),
    })),
  );
  const sections = charts.map(
    ({ name, title, description, table }) =>
      `## ${title}\n\n![${description}](${toCharts}/${name}.svg)\n\n${toMarkdown(table)}\n`,
  );
  const page =
    `# Results of ${machine}\n\n` +
    "Made by `npm run bench -- report` from the files beside it; every run's own output is in `raw/`.\n\n" +
    howToRead +
    sections.join("\n");
  return [...files, ...makeTexts(machine), { file: readme, text: page }];
}

/**
 * What `best-of` and `compare` print of a machine's results, for the book.
 *
 * @param {string} machine
 * @returns {{ file: string, text: string }[]}
 */
function makeTexts(machine) {
  /** @type {{ file: string, text: string }[]} */
  const texts = [];
  const keep = (/** @type {string} */ name, /** @type {string} */ text) =>
    texts.push({ file: path.join(resultsFolder, machine, `${name}.txt`), text: `${text}\n` });
  const has = (/** @type {string} */ suite) => existsSync(resultFile(machine, suite));
  if (has("typical")) keep("typical-best-of", formatBestOf(readRuns(machine, "typical")));
  const articles = readdirSync(resultsFolder).filter((name) => name.startsWith("article-"));
  for (const article of articles) {
    for (const { name } of suites) {
      if (!has(name) || !existsSync(resultFile(article, name))) continue;
      const ours = readRuns(machine, name);
      const theirs = readMachine(article, name);
      if (!haveServerInCommon(ours, theirs)) continue;
      keep(`${name}-beside-${article}`, formatComparison(ours, theirs));
    }
  }
  return texts;
}

/**
 * Makes the derived figures and the tables anew from the raw runs, for a
 * result that was measured before the way of deriving them changed.
 *
 * @param {string} machine
 */
function deriveAll(machine) {
  for (const { name } of suites) {
    if (!existsSync(resultFile(machine, name))) continue;
    const result = readMachine(machine, name);
    if ("published" in result) continue;
    deriveAnew(result);
    writeResult(result);
    // What the file says: its figures are rounded.
    writeText(machine, name, `${formatResult(asWritten(result))}\n`);
  }
}

/**
 * @param {string} machine
 * @returns {string} what was written, for a person
 */
export function writeReport(machine) {
  deriveAll(machine);
  const files = makeReport(machine);
  const folder = chartsFolder(machine);
  mkdirSync(folder, { recursive: true });
  const names = new Set(files.map(({ file }) => path.basename(file)));
  for (const name of readdirSync(folder)) {
    if (name.endsWith(".svg") && !names.has(name)) rmSync(path.join(folder, name));
  }
  for (const { file, text } of files) writeFileSync(file, text);
  const charts = files.filter(({ file }) => file.endsWith(".svg"));
  return `${charts.length} charts in ${path.relative(root, folder)}/, and ${path.relative(root, files[files.length - 1].file)}`;
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
