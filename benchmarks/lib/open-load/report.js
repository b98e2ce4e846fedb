import { bounds } from "../bounds.js";

/** @import { Connection, Errors } from "./connection.js" */
/** @import { OpenLoop } from "./open-loop.js" */

/** The shares of requests that took longer than these, in milliseconds, are told. */
const limits = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

/**
 * @param {Float64Array} sorted
 * @param {number} share from 0 to 1
 * @returns {number}
 */
export function percentileOf(sorted, share) {
  const index = Math.max(0, Math.ceil(share * sorted.length - 1e-9) - 1);
  return sorted[index];
}

/**
 * @param {Float64Array} sorted
 * @param {number} limit
 * @returns {number} the share of those that are greater, 0 to 1
 */
export function shareAbove(sorted, limit) {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] > limit) high = middle;
    else low = middle + 1;
  }
  return (sorted.length - low) / sorted.length;
}

/**
 * Percentiles that lie evenly on the axis 1/(1-p).
 *
 * @param {Float64Array} sorted
 * @returns {[percentile: number, milliseconds: number][]}
 */
function distributionOf(sorted) {
  /** @type {[number, number][]} */
  const points = [];
  for (let step = 0; 10 ** (step / 20) < sorted.length; step += 1) {
    const percentile = 1 - 10 ** (-step / 20);
    points.push([percentile, percentileOf(sorted, percentile)]);
  }
  points.push([1, sorted[sorted.length - 1]]);
  return points;
}

/** @param {Float64Array} values */
function spreadOf(values) {
  const sorted = values.toSorted();
  const total = sorted.reduce((sum, value) => sum + value, 0);
  return {
    sorted,
    spread: {
      mean: total / sorted.length,
      p50: percentileOf(sorted, 0.5),
      p90: percentileOf(sorted, 0.9),
      p99: percentileOf(sorted, 0.99),
      p999: percentileOf(sorted, 0.999),
      max: sorted[sorted.length - 1],
    },
  };
}

/**
 * What a run came to.
 *
 * @param {object} run
 * @param {OpenLoop} run.loop
 * @param {number} run.rate requests a second that were asked for
 * @param {number} run.seconds
 * @param {number} run.start milliseconds
 * @param {Pick<Connection, "bytes" | "reopened">[]} run.connections
 * @param {Errors} run.errors
 * @param {number} run.idle milliseconds in which the generator had nothing to do
 * @param {number} run.elapsed milliseconds
 */
export function report({ loop, rate, seconds, start, connections, errors, idle, elapsed }) {
  const { sorted, spread: latency } = spreadOf(
    loop.latencies.filter((value) => !Number.isNaN(value)),
  );
  const came = loop.lateness.subarray(0, loop.due);
  // A stall at the very end is no reason to say that the rate wasn't kept.
  const took = (loop.lastAnswer - start) / 1000 - bounds.longestStall;
  const unreadable = new Set(errors.unreadable);
  return {
    rate,
    seconds,
    connections: connections.length,
    requests: loop.total,
    answered: loop.answered,
    answeredPerSecond: loop.answered / Math.max(seconds, took),
    bytes: connections.reduce((sum, { bytes }) => sum + bytes, 0),
    latency,
    distribution: distributionOf(sorted),
    above: Object.fromEntries(limits.map((limit) => [limit, shareAbove(sorted, limit)])),
    sending: { ...spreadOf(came).spread, waited: loop.waited },
    busy: 1 - Math.min(1, idle / elapsed),
    reopened: connections.reduce((sum, { reopened }) => sum + reopened, 0),
    errors: {
      read: errors.read,
      connect: errors.connect,
      status: errors.status,
      unreadable: [...unreadable].slice(0, 3),
    },
  };
}
