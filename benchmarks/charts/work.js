// Prints how far the servers' ranks depend on what they are asked, as Markdown
// for a chapter's generated block: node benchmarks/charts/work.js [MACHINE]
import { existsSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { UserError } from "../../tools/lib/user-error.js";
import { readRuns } from "../lib/compare.js";
import { benchError } from "../lib/errors.js";
import { bookMachine } from "../lib/paths.js";
import { resultFile } from "../lib/results.js";
import { sameServers, suites } from "../lib/suites.js";
import { toMarkdown } from "./list.js";

/** @import { Result } from "../lib/results.js" */

/**
 * What the servers are asked, by suite; `documented` asks most of them the small one.
 *
 * @type {Record<string, string>}
 */
const works = {
  documented: "a small GET",
  ...Object.fromEntries(suites.flatMap(({ name, work }) => (work ? [[name, work]] : []))),
};

/**
 * @typedef {object} Column one work
 * @property {string} head
 * @property {boolean} ties its twins do, so that its ranks can be believed
 * @property {Map<string, Cell>} cells by server
 */

/**
 * @typedef {object} Cell
 * @property {number} ratio of CPU time per request to the baseline's
 * @property {number} [rank] among these servers
 * @property {string} verdict
 */

/** In a suite of these servers, a second row of one of them. */
const shownServers = [...sameServers, "axum-documented-no-delay"];

/** It isn't in every suite, and no server: it marks what the kernel takes. */
const floor = "c-floor";

/** What stands behind a ratio whose server had time left. */
const marks = /** @type {Record<string, string>} */ ({
  "generator-bound": "°",
  "neither-bound": "*",
});

/**
 * A suite may have more servers than these: they are ranked anew among
 * themselves, and those that share a rank there share one here. What neither
 * side held up by its processor has no rank.
 *
 * @param {Result} result
 * @returns {Column}
 */
function columnOf({ derived, suite }) {
  const shown = shownServers.filter((id) => id in derived.contenders);
  const ranked = shown.filter(
    (id) => id !== floor && derived.contenders[id].verdict !== "neither-bound",
  );
  const ranks = ranked.map((id) => derived.contenders[id].rank);
  /** @type {Map<string, Cell>} */
  const cells = new Map();
  for (const id of shown) {
    const { rank: inSuite, cpuToBaseline, verdict } = derived.contenders[id];
    const rank = 1 + ranks.filter((other) => other < inSuite).length;
    const cell = { ratio: cpuToBaseline.median, verdict };
    cells.set(id, ranked.includes(id) ? { ...cell, rank } : cell);
  }
  return { head: works[suite], ties: derived.noise?.verdict === "tie", cells };
}

/**
 * @param {Column[]} columns
 * @param {string} id
 * @returns {string} the first and the last place that a server has
 */
function formatPlaces(columns, id) {
  const ranks = columns
    .filter(({ ties }) => ties)
    .flatMap(({ cells }) => cells.get(id)?.rank ?? []);
  if (ranks.length === 0) return "–";
  const [first, last] = [Math.min(...ranks), Math.max(...ranks)];
  return first === last ? String(first) : `${first} to ${last}`;
}

/**
 * @param {Result[]} results of one machine, in the order of the columns
 * @returns {string[][]} the first row is the head; the cheapest server at the
 *   first work is first
 */
export function ranksByWork(results) {
  const columns = results.map(columnOf);
  const [leading] = columns;
  const titles = Object.assign({}, ...results.map(({ contenders }) => contenders));
  const ratioOf = (/** @type {string} */ id) => leading.cells.get(id)?.ratio ?? Infinity;
  const ids = shownServers
    .filter((id) => columns.some(({ cells }) => cells.has(id)))
    .sort((a, b) => ratioOf(a) - ratioOf(b));
  return [
    ["server", ...columns.map(({ head }) => head), "places"],
    ...ids.map((id) => [
      titles[id].title,
      ...columns.map(({ cells, ties }) => {
        const cell = cells.get(id);
        if (!cell) return "–";
        const mark = marks[cell.verdict] ?? "";
        const rank = ties && cell.rank !== undefined ? ` (${cell.rank}.)` : "";
        return `${cell.ratio.toFixed(2)}${mark}${rank}`;
      }),
      formatPlaces(columns, id),
    ]),
  ];
}

/**
 * @param {string} machine
 * @returns {string} Markdown
 */
function describe(machine) {
  const names = Object.keys(works);
  const results = names
    .filter((name) => existsSync(resultFile(machine, name)))
    .map((name) => readRuns(machine, name));
  if (results.length < 2) {
    throw benchError(
      "ERR_BENCH_RESULT",
      `${machine} has no results of two works to put side by side: ${names.join(", ")}.`,
    );
  }
  const apart = results.filter(({ derived }) => derived.noise?.verdict !== "tie");
  const note = apart.map(
    ({ suite }) => `\n\nThe twins of \`${suite}\` don't tie: it gives no ranks.`,
  );
  const legend =
    "\n\n° the generator's core was full before the server's; * neither was: no rank. " +
    "C has no rank, since not every work has it.";
  return `${toMarkdown(ranksByWork(results))}${note.join("")}${legend}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    console.log(describe(process.argv[2] ?? bookMachine));
  } catch (err) {
    if (!(err instanceof UserError)) throw err;
    console.error(err.message);
    process.exitCode = 1;
  }
}
