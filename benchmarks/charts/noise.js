import { judgeNoise, ratioOf } from "../lib/derive.js";
import { noiseFloor } from "../lib/statistics.js";
import { formatNumber } from "../lib/table.js";

/** @import { Derived } from "../lib/derive.js" */
/** @import { Run } from "../lib/measure.js" */
/** @import { Result } from "../lib/results.js" */
/** @import { Estimate } from "../lib/statistics.js" */
/** @import { Noise } from "./dots.js" */

/** @typedef {NonNullable<Derived["noise"]>} TwinNoise */

/**
 * How far the twins are apart in any figure of a run. What the result says of
 * CPU time is the same for that.
 *
 * @param {Result} result
 * @param {(run: Run) => number} figure
 * @returns {TwinNoise | undefined} nothing where no twin ran
 */
export function noiseOf({ blocks, what: { baseline, twin } }, figure) {
  const ratio = twin === undefined ? undefined : ratioOf(blocks, twin, baseline, figure);
  return ratio && { ratio, floor: noiseFloor(ratio), verdict: judgeNoise(ratio) };
}

/**
 * Whether the rows may be put in an order: who can't be told from its own twin
 * can't be ranked.
 *
 * @param {TwinNoise | undefined} noise
 */
export function allowsRanks(noise) {
  return noise === undefined || noise.verdict === "tie";
}

/** @param {Estimate} ratio */
function formatRatio({ median, low, high }) {
  return `${formatNumber(median, 2)}, ${formatNumber(low, 2)} to ${formatNumber(high, 2)}`;
}

/** @param {number} floor */
function formatFloor(floor) {
  // What belongs together stays in one line.
  return floor < 1
    ? `${formatNumber(floor * 100, 1)}\u00a0%`
    : `${formatNumber(1 + floor, 1)}\u00a0times`;
}

/**
 * @param {TwinNoise} noise
 * @param {string} baseline its title
 * @returns {string}
 */
export function describeNoise({ ratio, floor, verdict }, baseline) {
  if (verdict === "tie") {
    return `noise: the twins of ${baseline} differ by up to ${formatFloor(floor)}`;
  }
  if (verdict === "too few blocks") {
    const blocks = ratio.n === 1 ? "1 block is" : `${ratio.n} blocks are`;
    return `${blocks} too few to know the noise: the order says nothing`;
  }
  return `The twins of ${baseline} don't tie (${formatRatio(ratio)}): the order says nothing`;
}

/**
 * The band behind the rows.
 *
 * @param {TwinNoise} noise
 * @param {string} baseline its title
 * @param {number} middle where the baseline is on the axis
 * @returns {Noise}
 */
export function bandOf(noise, baseline, middle) {
  return {
    low: middle * Math.max(1 - noise.floor, 1e-6),
    high: middle * (1 + noise.floor),
    words: describeNoise(noise, baseline),
    isWarning: !allowsRanks(noise),
  };
}
