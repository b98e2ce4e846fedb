import { median } from "simple-statistics";
import { benchError } from "./errors.js";
import { isRatesResult } from "./results.js";
import { formatNumber, formatTable, wrapLine } from "./table.js";

/** @import { RatesResult, Result } from "./results.js" */

/**
 * @typedef {object} Choice what one can say of a server, given which of its
 *   runs one shows
 * @property {string} id
 * @property {number} worst requests per second
 * @property {number} middle
 * @property {number} best
 */

/**
 * @param {Result} result
 * @returns {Choice[]} by the median, the fastest first
 */
export function choices({ blocks, contenders }) {
  return Object.keys(contenders)
    .map((id) => {
      const rates = blocks.flatMap(({ runs }) => runs[id]?.requestsPerSecond ?? []);
      return { id, worst: Math.min(...rates), middle: median(rates), best: Math.max(...rates) };
    })
    .sort((a, b) => b.middle - a.middle);
}

/**
 * @typedef {object} Sale a slower server that was made to look faster
 * @property {Choice} winner the slower one, by its best run
 * @property {Choice} loser the faster one, by its worst
 * @property {number} gain by how much it seems to win: 0.1 is 10 %
 */

/**
 * The pairs whose order turns round when the slower one shows its best run
 * and the faster one its worst.
 *
 * @param {Choice[]} sorted by the median, the fastest first
 * @returns {Sale[]} the greatest gain first
 */
export function turnedRound(sorted) {
  return sorted
    .flatMap((loser, index) =>
      sorted
        .slice(index + 1)
        .map((winner) => ({ winner, loser, gain: winner.best / loser.worst - 1 })),
    )
    .filter(({ gain }) => gain > 0)
    .sort((a, b) => b.gain - a.gain);
}

/** How many of the pairs to print, besides the twins. */
const shown = 6;

/**
 * What can be sold with the runs of one result: the best of each server's
 * beside the worst of another's.
 *
 * @param {Result | RatesResult} result
 * @returns {string}
 * @throws {UserError} ERR_BENCH_USAGE
 */
export function formatBestOf(result) {
  if (isRatesResult(result)) {
    throw benchError("ERR_BENCH_USAGE", "At fixed rates there is no best of five.");
  }
  const { what, blocks, suite, machine } = result;
  const sorted = choices(result);
  const rows = [["server", "worst", "median", "best", "best to median"]];
  for (const { id, worst, middle, best } of sorted) {
    rows.push([
      id,
      ...[worst, middle, best].map((value) => formatNumber(value)),
      `+${formatPercent(best / middle - 1)}`,
    ]);
  }
  const sales = turnedRound(sorted);
  const twins = [what.baseline, what.twin].sort().join();
  return [
    `${suite} on ${machine}: requests/s of ${blocks.length} blocks`,
    "",
    formatTable(rows, ["left", "right", "right", "right", "right"]),
    "",
    `How to be wrong: of ${sales.length} pairs the slower "wins" by its best run against the other's worst`,
    ...sales
      .filter((sale, index) => index < shown || isOf(sale, twins))
      .map((sale) => {
        const truth = isOf(sale, twins) ? ", and is the same program" : "";
        return `${sale.winner.id} "beats" ${sale.loser.id} by ${formatPercent(sale.gain)}${truth}`;
      }),
  ]
    .map(wrapLine)
    .join("\n");
}

/**
 * @param {Sale} sale
 * @param {string} pair
 */
function isOf({ winner, loser }, pair) {
  return [winner.id, loser.id].sort().join() === pair;
}

/** @param {number} share */
function formatPercent(share) {
  return `${formatNumber(share * 100, 1)} %`;
}
