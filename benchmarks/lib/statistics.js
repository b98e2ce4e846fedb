import { randomLcg } from "d3-random";
import {
  geometricMean,
  median,
  quantileSorted,
  sampleWithReplacement,
  shuffle,
} from "simple-statistics";

/**
 * Random numbers that can be drawn again: the same seed gives the same order
 * of servers and the same interval.
 *
 * @param {number} seed an integer
 * @returns {() => number} from 0 up to, but not including, 1
 */
export function seededRandom(seed) {
  // The generator takes a fraction; the golden ratio's multiples spread
  // neighbouring seeds over it.
  return randomLcg((seed * 0.6180339887498949) % 1);
}

/**
 * @template T
 * @param {T[]} items
 * @param {() => number} random
 * @returns {T[]} a new array
 */
export function drawOrder(items, random) {
  return shuffle(items, random);
}

/**
 * @typedef {object} Estimate
 * @property {number} median
 * @property {number} low the 95 % bootstrap interval of the median
 * @property {number} high
 * @property {number} geometricMean
 * @property {number} n how many blocks
 */

const resamples = 10_000;

/**
 * What has been estimated: a page of two machines asks for most of it twice.
 *
 * @type {Map<string, Estimate>}
 */
const estimates = new Map();

/**
 * The median of what the blocks gave, with the interval that 95 % of the
 * medians of resampled blocks fall into (Efron's percentile bootstrap).
 *
 * @param {number[]} values one per block, all above zero
 * @param {number} [seed]
 * @returns {Estimate}
 */
export function estimate(values, seed = 1) {
  if (values.length === 0) throw new RangeError("There is no estimate without a value.");
  const key = `${seed}: ${values.join(" ")}`;
  const known = estimates.get(key) ?? estimateAnew(values, seed);
  estimates.set(key, known);
  return { ...known };
}

/** @param {number[]} values @param {number} seed @returns {Estimate} */
function estimateAnew(values, seed) {
  const random = seededRandom(seed);
  const medians = Array.from({ length: resamples }, () =>
    median(sampleWithReplacement(values, values.length, random)),
  ).sort((a, b) => a - b);
  return {
    median: median(values),
    low: quantileSorted(medians, 0.025),
    high: quantileSorted(medians, 0.975),
    geometricMean: geometricMean(values),
    n: values.length,
  };
}

/**
 * How far one server can be from its own twin in this run: the far end of the
 * interval of the ratio A/A', as a fraction. What differs by less is a tie.
 *
 * @param {Estimate} twinRatio
 * @returns {number} 0.02 stands for 2 %
 */
export function noiseFloor(twinRatio) {
  return Math.max(Math.abs(twinRatio.low - 1), Math.abs(twinRatio.high - 1));
}

/**
 * @param {Estimate} ratio of two servers, block by block
 * @param {number} floor from noiseFloor
 * @returns {"tie" | "lower" | "higher"} "lower" when the first is below the
 *   second by more than noise
 */
export function compareToOne(ratio, floor) {
  const intervalHoldsOne = ratio.low <= 1 && ratio.high >= 1;
  if (intervalHoldsOne || Math.abs(ratio.median - 1) <= floor) return "tie";
  return ratio.median < 1 ? "lower" : "higher";
}

/**
 * Wilcoxon's signed ranks, exact: how likely it is that differences which lie
 * evenly about zero are so much above it.
 *
 * @param {number[]} differences
 * @returns {number} 0 to 1
 */
export function signedRankTest(differences) {
  const sized = differences
    .filter((value) => value !== 0)
    .sort((a, b) => Math.abs(a) - Math.abs(b));
  // Those of one size share the mean of their ranks; twice of it is whole.
  const twiceRanks = sized.map((value) => {
    const alike = sized.flatMap((other, index) =>
      Math.abs(other) === Math.abs(value) ? [index + 1] : [],
    );
    return alike[0] + alike[alike.length - 1];
  });
  const above = twiceRanks.reduce((sum, rank, index) => sum + (sized[index] > 0 ? rank : 0), 0);
  // Each of them may have either sign: in how many ways do the ranks above
  // zero come to each sum?
  let ways = [1];
  for (const rank of twiceRanks) {
    const next = new Array(ways.length + rank).fill(0);
    for (const [sum, count] of ways.entries()) {
      next[sum] += count;
      next[sum + rank] += count;
    }
    ways = next;
  }
  const atLeast = ways.slice(above).reduce((sum, count) => sum + count, 0);
  return atLeast / 2 ** sized.length;
}

/**
 * Whether two servers are shown to be alike, by two one-sided tests on the
 * logarithms of their ratios: that the first takes less than a margin more
 * than the second, and that it takes less than the margin less. That no
 * difference was found doesn't show it: in a noisy run none ever is.
 *
 * @param {number[]} ratios of two servers, block by block
 * @param {{ alike: number, alikeError: number }} bounds
 * @returns {boolean}
 */
export function areAlike(ratios, { alike, alikeError }) {
  const margin = Math.log(1 + alike);
  const logs = ratios.map(Math.log);
  const notAbove = signedRankTest(logs.map((log) => margin - log));
  const notBelow = signedRankTest(logs.map((log) => margin + log));
  return Math.max(notAbove, notBelow) <= alikeError;
}
