import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { standaloneStyle } from "../../assets/figures/lib.js";
import { inlineSvg } from "../../tools/preprocessor/figure.js";
import { compare, figureNames, formatRatio, readMachine } from "../lib/compare.js";
import { mayRank } from "../lib/derive.js";
import { benchError } from "../lib/errors.js";
import { resultsFolder, root } from "../lib/paths.js";
import { isRatesResult, resultFile } from "../lib/results.js";
import { suites } from "../lib/suites.js";
import { formatResult } from "../lib/table.js";
import { renderChart } from "./draw.js";
import { listCharts } from "./list.js";

/** @import { Published } from "../lib/compare.js" */
/** @import { Result } from "../lib/results.js" */
/** @import { Chart } from "./list.js" */

/**
 * @typedef {object} Side one of the two machines
 * @property {string} machine
 * @property {Map<string, Result | Published>} results by suite
 * @property {Map<string, Chart>} charts by name
 */

/**
 * @param {string} machine
 * @returns {Side}
 */
function readSide(machine) {
  /** @type {Side["results"]} */
  const results = new Map();
  for (const { name } of suites) {
    if (existsSync(resultFile(machine, name))) results.set(name, readMachine(machine, name));
  }
  if (results.size === 0) {
    throw benchError("ERR_BENCH_RESULT", `${machine} has no result of any suite yet.`);
  }
  // Published figures have no runs that a chart could be drawn from.
  const hasRuns = [...results.values()].every((result) => !("published" in result));
  const charts = hasRuns ? listCharts(machine) : [];
  return { machine, results, charts: new Map(charts.map((chart) => [chart.name, chart])) };
}

/** @param {string} text */
function escapeHtml(text) {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/**
 * @param {string[][]} rows the first is the head; cells are HTML
 * @param {string} [className]
 */
function table([head, ...rows], className = "") {
  const line = (/** @type {string} */ tag, /** @type {string[]} */ cells) =>
    `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join("")}</tr>`;
  return (
    `<div class="wide-table"><table class="${className}"><thead>${line("th", head)}</thead>` +
    `<tbody>${rows.map((row) => line("td", row)).join("\n")}</tbody></table></div>`
  );
}

/**
 * @param {Result | Published} result
 * @returns {string} HTML: when it was measured, and how far it can be believed
 */
export function describeResult(result) {
  if ("published" in result) {
    const { year, machine } = result.published;
    return escapeHtml(`published in ${year}, on ${machine}; one run, without an interval`);
  }
  const { noise } = result.derived;
  const words = [`measured ${result.finishedAt.slice(0, 10)}`, `${result.blocks.length} blocks`];
  if (noise) {
    words.push(
      mayRank(result.derived)
        ? `its twins tie: noise up to ${(noise.floor * 100).toFixed(1)} %`
        : noise.verdict === "not a tie"
          ? "its twins DON'T TIE: nothing follows from it"
          : "too few blocks to know how noisy it is",
    );
  }
  if (!result.finished) words.push("not finished");
  if (!result.publishable) words.push("a quick run");
  return escapeHtml(words.join("; "));
}

/**
 * @param {Side[]} sides
 * @returns {string} what is known of both machines
 */
function describeMachines(sides) {
  const rows = sides.map(({ machine, results }) => {
    const [result] = results.values();
    if ("published" in result) return [escapeHtml(machine), "", "", "", ""];
    const { where, what } = result;
    return [
      machine,
      `${where.cores} cores of ${where.cpu}${where.virtual ? ", virtual" : ""}`,
      `${(where.memoryBytes / 1024 ** 3).toFixed(1)} GiB`,
      `${where.distribution}, ${where.kernel}`,
      what.harness,
    ].map(escapeHtml);
  });
  return table([["machine", "processor", "memory", "system", "Node.js of the harness"], ...rows]);
}

const verdictClasses = { agree: "agree", differ: "differ", "too noisy to say": "noisy" };

/**
 * @param {Result | Published} a
 * @param {Result | Published} b
 * @returns {string} their ratios side by side, with a verdict each
 */
function compareResults(a, b) {
  const { reference, comparisons } = compare(a, b);
  const rows = comparisons.map(({ id, idOfOther, figure, verdict, ...sides }) => [
    escapeHtml(figureNames[figure]),
    escapeHtml(id === idOfOther ? id : `${id} (${idOfOther} there)`),
    formatRatio(sides.a.ratio),
    formatRatio(sides.b.ratio),
    `<span class="${verdictClasses[verdict]}">${verdict}</span>`,
  ]);
  const reasons = comparisons
    .filter(({ verdict }) => verdict === "differ")
    .flatMap(({ id, reasons: all }) => all.map((reason) => `${id}: ${reason}`));
  const why =
    reasons.length === 0
      ? ""
      : `<p>Why they may differ:</p><ul>${[...new Set(reasons)]
          .map((reason) => `<li>${escapeHtml(reason)}</li>`)
          .join("")}</ul>`;
  const head = ["figure", "server", a.machine, b.machine, "verdict"].map(escapeHtml);
  return (
    `<p>Ratios to ${escapeHtml(reference)}, in parentheses the 95 % interval.</p>` +
    table([head, ...rows], "ratios") +
    why
  );
}

/**
 * @param {Chart} chart
 * @param {string} machine
 * @param {number} index of the machine, so that no id comes twice
 */
function drawChart({ name, title, description, draw }, machine, index) {
  const drawings = renderChart(name, { title, description }, draw).map(({ svg }, width) =>
    inlineSvg(svg.slice(svg.indexOf("<svg")), {
      prefix: `${name}-${index}-${width}-`,
      className: width === 0 ? "wide" : "narrow",
      label: title,
    }),
  );
  return (
    `<figure>${drawings.join("\n")}` +
    `<figcaption>${escapeHtml(title)}: <strong>${escapeHtml(machine)}</strong></figcaption></figure>`
  );
}

/**
 * @param {string} name of a chart
 * @param {Side[]} sides
 */
function drawCharts(name, sides) {
  const drawn = sides.flatMap(({ charts, machine }, index) => {
    const chart = charts.get(name);
    return chart ? [drawChart(chart, machine, index)] : [];
  });
  return `<div class="pair">${drawn.join("\n")}</div>`;
}

/**
 * @param {string} chart its name
 * @returns {string | undefined} the suite that it is named after
 */
function suiteOf(chart) {
  const named = suites.filter(({ name }) => chart === name || chart.startsWith(`${name}-`));
  return named.sort((a, b) => b.name.length - a.name.length)[0]?.name;
}

/**
 * @param {Result | Published} result
 * @returns {string} its whole table, folded
 */
function foldTable(result) {
  if ("published" in result) return "";
  return (
    `<details><summary>The whole table of ${escapeHtml(result.machine)}</summary>` +
    `<pre>${escapeHtml(formatResult(result))}</pre></details>`
  );
}

/**
 * @param {string} suite
 * @param {Side[]} sides
 * @param {string[]} charts that belong to it
 */
function section(suite, sides, charts) {
  const found = sides.flatMap(({ results }) => results.get(suite) ?? []);
  const title = suites.find(({ name }) => name === suite)?.title ?? suite;
  const parts = [`<h2 id="${suite}">${escapeHtml(suite)}: ${escapeHtml(title)}</h2>`, "<ul>"];
  for (const result of found) {
    const { machine } = result;
    parts.push(`<li><strong>${escapeHtml(machine)}</strong>: ${describeResult(result)}</li>`);
  }
  parts.push("</ul>");
  const [a, b] = found;
  if (found.every((each) => "published" in each || !isRatesResult(each))) {
    parts.push(compareResults(a, b));
  }
  parts.push(...charts.map((name) => drawCharts(name, sides)), ...found.map(foldTable));
  return parts.join("\n");
}

/**
 * A page with both machines' results: ratios with verdicts, charts, tables.
 * It needs nothing but itself.
 *
 * @param {string} machineA
 * @param {string} machineB
 * @returns {string} HTML
 * @throws {UserError} ERR_BENCH_RESULT where one has none, ERR_BENCH_COMPARE
 *   where they have none of the same suite
 */
export function makePage(machineA, machineB) {
  const sides = [readSide(machineA), readSide(machineB)];
  const [a, b] = sides;
  const common = suites
    .map(({ name }) => name)
    .filter((name) => {
      return a.results.has(name) && b.results.has(name);
    });
  if (common.length === 0) {
    throw benchError(
      "ERR_BENCH_COMPARE",
      `${machineA} and ${machineB} have no result of any suite in common.`,
    );
  }
  const names = [...new Set(sides.flatMap(({ charts }) => [...charts.keys()]))];
  const shown = names.filter((name) => a.charts.has(name) || common.includes(suiteOf(name) ?? ""));
  const sections = common.map((suite) =>
    section(
      suite,
      sides,
      shown.filter((name) => suiteOf(name) === suite),
    ),
  );
  const others = shown.filter((name) => !common.includes(suiteOf(name) ?? ""));
  const rest = others.length === 0 ? [] : ["<h2>Other charts</h2>"];
  const title = `Results of ${machineA} beside ${machineB}`;
  return [
    "<!doctype html>",
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${escapeHtml(title)}</title>`,
    standaloneStyle().replace(' data-standalone=""', ""),
    `<style>${styles}</style>`,
    "</head>",
    "<body>",
    `<h1>${escapeHtml(title)}</h1>`,
    "<p>Two machines' requests a second say nothing about the servers. Their ratios do: " +
      "<em>agree</em> where the intervals meet, <em>differ</em> where they don't, " +
      "<em>too noisy to say</em> where one is too wide, its twins don't tie, or it has too few " +
      "blocks to know.</p>",
    describeMachines(sides),
    ...sections,
    ...rest,
    ...others.map((name) => drawCharts(name, sides)),
    "</body>",
    "</html>",
    "",
  ].join("\n");
}

const styles = `
:root { color-scheme: light dark; }
body {
  margin: 0 auto; padding: 1rem; max-width: 90rem;
  font: 1.0625rem/1.5 "Source Sans 3", "Segoe UI", system-ui, sans-serif;
  background: var(--figure-paper); color: var(--figure-ink);
}
h1, h2 { line-height: 1.2; }
h2 { margin-top: 3rem; }
.wide-table, pre { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 0.25rem 0.75rem 0.25rem 0; text-align: left; border-bottom: 1px solid var(--figure-line); }
.ratios td:nth-child(3), .ratios td:nth-child(4) { white-space: nowrap; }
.agree { color: var(--figure-green); }
.differ { color: var(--figure-accent); font-weight: 600; }
.noisy { color: var(--figure-soft); font-style: italic; }
.pair { display: flex; flex-wrap: wrap; gap: 1rem 2rem; }
figure { margin: 1.5rem 0; max-width: 100%; }
figcaption { color: var(--figure-soft); }
svg { max-width: 100%; height: auto; }
.narrow { display: none; }
@media (max-width: 45rem) { .wide { display: none; } .narrow { display: block; } }
pre { font-size: 0.8125rem; background: var(--figure-fill); padding: 1rem; }
`;

/**
 * @param {string} machineA whose folder the page goes to
 * @param {string} machineB
 * @returns {string} what was written, for a person
 */
export function writePage(machineA, machineB) {
  const file = path.join(resultsFolder, machineA, `beside-${machineB}.html`);
  const html = makePage(machineA, machineB);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, html);
  return `${path.relative(root, file)}: open it in a browser`;
}
