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
 * The median of what the blocks gave, with the interval that 95 % of the
 * medians of resampled blocks fall into (Efron's percentile bootstrap).
 *
 * @param {number[]} values one per block, all above zero
 * @param {number} [seed]
 * @returns {Estimate}
 */
export function estimate(values, seed = 1) {
  if (values.length === 0) throw new RangeError("There is no estimate without a value.");
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
