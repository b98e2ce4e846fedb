import { bounds } from "./bounds.js";

/** @import { BusyShares } from "./measure.js" */
/** @import { LoadErrors } from "./wrk.js" */

/**
 * What held a run back. Only a server-bound run tells the server's own limit
 * in requests a second; its CPU time per request counts in every case.
 *
 * @typedef {"server-bound" | "generator-bound" | "neither-bound" | "cores-shared"} Bound
 */

/**
 * @param {object} run
 * @param {number} run.serverBusy share of its cores that the server used, 0 to 1
 * @param {number} run.generatorBusy the same of the generator
 * @param {boolean} run.coresShared both had to run on the same cores
 * @returns {Bound}
 */
export function classifyLoad({ serverBusy, generatorBusy, coresShared }) {
  if (coresShared) return "cores-shared";
  if (generatorBusy >= bounds.generatorIsBusy) return "generator-bound";
  return serverBusy >= bounds.serverIsBusy ? "server-bound" : "neither-bound";
}

/**
 * What was taken from a run, on the cores of the side that suffered more: by
 * other programs, and by other virtual machines. A generator that is
 * disturbed asks for less at a time, and each request costs the server more.
 *
 * @param {Partial<BusyShares>} shares what the system tells of them
 * @returns {number} share of the cores, 0 to 1
 */
export function disturbanceOf(shares) {
  const { othersShare = 0, stealShare = 0 } = shares;
  const { generatorOthersShare = 0, generatorStealShare = 0 } = shares;
  return Math.max(othersShare + stealShare, generatorOthersShare + generatorStealShare);
}

/** @type {Record<Bound, string>} what it means for the requests per second */
export const meanings = {
  "server-bound": "the server's own limit",
  "generator-bound": "at least this: the generator had no time left",
  "neither-bound": "neither was busy: something else held it back",
  "cores-shared": "server and generator shared the cores, so a rate would say nothing",
};

/**
 * @param {number} ratio of the mean latency to what the law allows
 * @returns {boolean}
 */
export function keepsLittlesLaw(ratio) {
  return Math.abs(ratio - 1) <= bounds.littlesLaw;
}

/**
 * Little's law: what is in flight is the rate times the time each takes. In a
 * closed loop the connections are what is in flight, so the mean latency is
 * known before it is measured. Where the tool's figure differs from it, the
 * tool measured something else.
 *
 * @param {object} run
 * @param {number} run.connections with one request under way on each
 * @param {number} run.requestsPerSecond
 * @param {number} run.meanLatency milliseconds
 */
export function littlesLaw({ connections, requestsPerSecond, meanLatency }) {
  const expected = (connections / requestsPerSecond) * 1000;
  const ratio = meanLatency / expected;
  return {
    expectedMs: expected,
    measuredMs: meanLatency,
    ratio,
    holds: keepsLittlesLaw(ratio),
  };
}

/**
 * @param {LoadErrors} errors
 * @returns {string[]} why the run doesn't count; empty when it does
 */
export function failures(errors) {
  return Object.entries(errors)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) =>
      kind === "status" ? `${count} answers that were not 2xx` : `${count} ${kind} errors`,
    );
}
