import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { benchError } from "./errors.js";
import { resultsFolder } from "./paths.js";
import { formatNumber, formatTable, wrapLine } from "./table.js";

/** @import { Result, RatesResult } from "./results.js" */

/**
 * A run of a suite, whatever became of it. A result that was published out of
 * several can be known for that by who reads them.
 *
 * @typedef {object} Entry
 * @property {string} startedAt of the result; a run that goes on with one has
 *   that of its beginning
 * @property {string} endedAt
 * @property {string} suite
 * @property {string} commit
 * @property {Record<string, unknown>} options
 * @property {number} blocks that the result has
 * @property {"finished" | "stopped" | "broken"} ending
 * @property {string} [why] it broke
 * @property {{ verdict: string, median: number, low: number, high: number }} [twins]
 * @property {Record<string, number>} [ratios] of CPU time per request to the
 *   baseline's, so that a run that isn't kept leaves its figures
 * @property {boolean} kept whether there is a result file of it, or was until
 *   the next run
 */

/** @param {string} machine */
function historyFile(machine) {
  return path.join(resultsFolder, machine, "history.jsonl");
}

/**
 * Begins to keep a run in mind. Also one that is killed by a signal that we
 * notice gets its line.
 *
 * @param {Result | RatesResult} result that grows while it runs
 * @param {Record<string, unknown>} options
 * @returns {(ending: Entry["ending"], why?: string) => void} to be called at the end
 */
export function recordRun(result, options) {
  let isOpen = true;
  const end = (/** @type {Entry["ending"]} */ ending, /** @type {string} */ why = "") => {
    if (!isOpen) return;
    isOpen = false;
    process.off("exit", onExit);
    append(result.machine, entryOf(result, options, ending, why));
  };
  const onExit = () => end("stopped");
  process.once("exit", onExit);
  return end;
}

/**
 * @param {Result | RatesResult} result
 * @param {Record<string, unknown>} options
 * @param {Entry["ending"]} ending
 * @param {string} why
 * @returns {Entry}
 */
function entryOf(result, options, ending, why) {
  const { noise } = result.derived;
  return {
    startedAt: result.startedAt,
    endedAt: new Date().toISOString(),
    suite: result.suite,
    commit: result.what.commit,
    options,
    blocks: result.blocks.length,
    ending,
    ...(why ? { why } : {}),
    ...(noise ? { twins: twinsOf(noise) } : {}),
    ...ratiosOf(result),
    kept: result.blocks.length > 0,
  };
}

/** @param {NonNullable<Result["derived"]["noise"]>} noise */
function twinsOf({ ratio, verdict }) {
  const [median, low, high] = [ratio.median, ratio.low, ratio.high].map((value) =>
    Number(value.toPrecision(4)),
  );
  return { verdict, median, low, high };
}

/**
 * Of a suite that asks at several rates there is no ratio that stands for all.
 *
 * @param {Result | RatesResult} result
 * @returns {Pick<Entry, "ratios">}
 */
function ratiosOf({ derived }) {
  const ratios = Object.entries(derived.contenders).flatMap(([id, row]) =>
    "cpuToBaseline" in row ? [[id, Number(row.cpuToBaseline.median.toPrecision(4))]] : [],
  );
  return ratios.length > 0 ? { ratios: Object.fromEntries(ratios) } : {};
}

/**
 * @param {string} machine
 * @param {Entry} entry
 */
function append(machine, entry) {
  const file = historyFile(machine);
  mkdirSync(path.dirname(file), { recursive: true });
  appendFileSync(file, `${JSON.stringify(entry)}\n`);
}

/**
 * @param {string} machine
 * @returns {Entry[]} the oldest first
 * @throws {UserError} ERR_BENCH_HISTORY
 */
export function readHistory(machine) {
  const file = historyFile(machine);
  if (!existsSync(file)) {
    throw benchError(
      "ERR_BENCH_HISTORY",
      `${machine} has no history: no suite was run there since one is kept.`,
    );
  }
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  return lines.map((line, index) => {
    try {
      return JSON.parse(line);
    } catch {
      throw benchError("ERR_BENCH_HISTORY", `${file}: line ${index + 1} is no JSON.`);
    }
  });
}

/**
 * What became of a run's result.
 *
 * @param {Entry[]} entries
 * @param {number} index
 * @returns {string}
 */
function fateOf(entries, index) {
  const { kept, suite, startedAt } = entries[index];
  if (!kept) return "nothing to keep";
  const later = entries.slice(index + 1).filter((entry) => entry.suite === suite && entry.kept);
  if (later.length === 0) return "kept";
  return later.at(-1)?.startedAt === startedAt ? "went on" : "replaced";
}

/** @param {Record<string, unknown>} options */
function formatOptions(options) {
  return Object.entries(options)
    .map(([name, value]) => (value === true ? `--${name}` : `--${name} ${value}`))
    .join(" ");
}

/**
 * @param {string} machine
 * @returns {string}
 */
export function formatHistory(machine) {
  const entries = readHistory(machine);
  const rows = [["when", "suite", "blocks", "ended", "twins", "result", "options"]];
  for (const [index, entry] of entries.entries()) {
    const { startedAt, suite, blocks, ending, twins, options } = entry;
    rows.push([
      startedAt.slice(0, 16).replace("T", " "),
      suite,
      String(blocks),
      ending,
      twins ? `${formatNumber(twins.median, 3)}: ${twins.verdict}` : "-",
      fateOf(entries, index),
      formatOptions(options),
    ]);
  }
  const broken = entries.flatMap(({ why, suite }) => (why ? [`${suite} broke: ${why}`] : []));
  return [
    `Runs of suites on ${machine}, with those that weren't kept`,
    "",
    formatTable(rows, ["left", "left", "right", "left", "left", "left", "left"]),
    ...(broken.length > 0 ? ["", ...broken] : []),
  ]
    .map(wrapLine)
    .join("\n");
}
