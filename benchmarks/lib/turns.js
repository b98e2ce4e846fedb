import { mean, median, sum } from "simple-statistics";

/** @import { BusyShares } from "./measure.js" */
/** @import { LoadResult } from "./wrk.js" */

/**
 * Lets several that work at the same time take one step each in turn: whoever
 * asks waits until all that asked before have had theirs.
 *
 * @returns {<T>(step: () => Promise<T>) => Promise<T>}
 */
export function takeTurns() {
  /** @type {Promise<unknown>} */
  let last = Promise.resolve();
  return (step) => {
    const turn = last.then(step);
    last = turn.catch(() => {});
    return turn;
  };
}

/**
 * @typedef {object} Turn one stretch of load on a server
 * @property {LoadResult} result
 * @property {number} cpu microseconds that the server used
 * @property {number} [userShare] of them, outside the kernel
 * @property {BusyShares} busy
 * @property {number} [tries] when other programs disturbed it
 */

/**
 * What a server's turns come to: requests, time and CPU time added up,
 * percentiles as the median of the turns, the worst maximum.
 *
 * @param {Turn[]} turns
 */
export function together(turns) {
  const results = turns.map(({ result }) => result);
  const requests = sum(results.map((one) => one.requests));
  const seconds = sum(results.map((one) => one.seconds));
  const cpu = sum(turns.map((turn) => turn.cpu));
  const tries = sum(turns.map((turn) => turn.tries ?? 1));
  const hasModes = turns.every(({ userShare }) => userShare !== undefined);
  const user = sum(turns.map((turn) => turn.cpu * (turn.userShare ?? 0)));
  return {
    requests,
    seconds,
    requestsPerSecond: requests / seconds,
    bytesPerResponse: sum(results.map((one) => one.bytesRead)) / requests,
    cpuMicrosecondsPerRequest: cpu / requests,
    ...(hasModes ? { userShare: user / cpu } : {}),
    busy: /** @type {BusyShares} */ (
      inEachField(
        turns.map(({ busy }) => ({ ...busy })),
        mean,
      )
    ),
    latency: {
      ...inEachField(
        results.map(({ latency }) => ({ ...latency })),
        median,
      ),
      mean: sum(results.map((one) => one.latency.mean * one.requests)) / requests,
      max: Math.max(...results.map(({ latency }) => latency.max)),
      stdev: median(results.map(({ latency }) => latency.stdev)),
    },
    errors: /** @type {LoadResult["errors"]} */ (
      inEachField(
        results.map(({ errors }) => ({ ...errors })),
        sum,
      )
    ),
    ...(tries > turns.length ? { tries } : {}),
  };
}

/**
 * @param {Record<string, number>[]} records with the same fields
 * @param {(values: number[]) => number} combine
 * @returns {Record<string, number>}
 */
function inEachField(records, combine) {
  const names = Object.keys(records[0]);
  return Object.fromEntries(
    names.map((name) => [name, combine(records.map((record) => record[name]))]),
  );
}
