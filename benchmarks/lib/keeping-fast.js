import { estimate } from "./statistics.js";

/** @import { Estimate } from "./statistics.js" */

/** The row that the others stand beside, and the same server once more. */
const BASELINE = "mended";
const TWIN = "mended-again";
/** The run in which only ten handlers may run at once. */
export const SHEDDING_TEN = "shedding, 10 at once";
/** How far the twins' median may be from 1. */
const TIE = 0.05;

/**
 * @typedef {{ rate: number, cost: number, statuses: string }} Run requests a
 *   second, and microseconds of processor time for each
 * @typedef {{ order: string[], runs: Record<string, Run> }} Block
 * @typedef {Record<string, number>[]} Counts answers by status, for each second
 */

/**
 * @param {Counts} counts
 * @param {number} seconds
 * @param {number} [status]
 */
export function answered(counts, seconds, status = 200) {
  return counts.slice(0, seconds).reduce((sum, each) => sum + (each[status] ?? 0), 0);
}

/** @param {Block[]} blocks */
function deriveCosts(blocks) {
  /** @type {Record<string, { cost: Estimate, rate: Estimate, toMended: Estimate }>} */
  const derived = {};
  for (const id of Object.keys(blocks[0].runs)) {
    const runs = blocks.map((block) => block.runs[id]);
    derived[id] = {
      cost: estimate(runs.map(({ cost }) => cost)),
      rate: estimate(runs.map(({ rate }) => rate)),
      toMended: ratio(blocks, id, BASELINE),
    };
  }
  return derived;
}

/** @param {Block[]} blocks @param {string} a @param {string} b */
function ratio(blocks, a, b) {
  return estimate(blocks.map(({ runs }) => runs[a].cost / runs[b].cost));
}

/** @param {Record<string, Counts>} growth */
function deriveGains(growth) {
  const gains = [];
  for (let seconds = 1; seconds <= growth.slow.length; seconds *= 2) {
    const [slow, mended] = [answered(growth.slow, seconds), answered(growth.mended, seconds)];
    const onRestify = [growth["restify-mended"], growth.restify].map((counts) =>
      answered(counts, seconds),
    );
    gains.push({
      seconds,
      slow,
      velocy: mended / slow,
      restify: onRestify[0] / onRestify[1],
    });
  }
  return gains;
}

/** @param {Counts} counts */
function deriveShedding(counts) {
  const { length } = counts;
  return { answered: answered(counts, length), refused: answered(counts, length, 503) };
}

/**
 * What follows from the runs.
 *
 * @param {{ blocks: Block[], growth: Record<string, Counts> }} runs
 */
export function deriveKeepingFast({ blocks, growth }) {
  const derived = deriveCosts(blocks);
  const gains = deriveGains(growth);
  const { length } = growth.slow;
  const served = (/** @type {string} */ id) => answered(growth[id], length);
  // By the square law: the n-th request runs n listeners.
  const listenerSeconds = (2 * length) / served("slow") ** 2;
  const ten = Math.min(10, length);
  return {
    derived,
    isTied: Math.abs(derived[TWIN].toMended.median - 1) < TIE,
    gains,
    law: {
      listenerMicroseconds: listenerSeconds * 1e6,
      secondsFor200: length * (200 / gains[gains.length - 1].velocy) ** 2,
      /** One request's, after eight hours of one each second. */
      overnightSeconds: 8 * 3600 * listenerSeconds,
    },
    firstTen: {
      restify: answered(growth.restify, ten) / ten,
      velocy: answered(growth.slow, ten) / ten,
    },
    shedding: deriveShedding(growth.shedding),
    // A result of before this run doesn't have it.
    sheddingTen: growth[SHEDDING_TEN] && deriveShedding(growth[SHEDDING_TEN]),
    consoleToNoLog: ratio(blocks, "log-console", "conditional"),
    logToNoLog: ratio(blocks, "log-velocy", "conditional"),
    tenConnections: {
      velocy: served("mended, 10 connections") / served("mended"),
      restify: served("restify-mended, 10 connections") / served("restify-mended"),
    },
    fastifyToRestify: ratio(blocks, "fastify", "restify-mended"),
    velocyToRestify: ratio(blocks, BASELINE, "restify-mended"),
    tuned: 1 / derived["no-hash"].toMended.median,
    hello: ratio(blocks, BASELINE, "hello").median,
  };
}

/**
 * @param {{ blocks: Block[], growth: Record<string, Counts> }} runs
 * @returns {string} for a person
 */
export function formatKeepingFast(runs) {
  const { derived, isTied, gains } = deriveKeepingFast(runs);
  const rows = Object.entries(derived).map(([id, { cost, rate, toMended }]) => {
    const interval = `${toMended.low.toFixed(2)} to ${toMended.high.toFixed(2)}`;
    const figures = `${cost.median.toFixed(1).padStart(6)} ${rate.median.toFixed(0).padStart(7)}/s`;
    return `${id.padEnd(16)} ${figures}  ${toMended.median.toFixed(2)} (${interval})`;
  });
  const growth = gains.map(
    ({ seconds, velocy, restify }) =>
      `${String(seconds).padStart(2)} s: velocy ${velocy.toFixed(0)}x, restify ${restify.toFixed(0)}x`,
  );
  return [
    "what a request costs, in microseconds of processor time, and beside mended",
    ...rows,
    isTied ? "the twins tie" : "THE TWINS DON'T TIE",
    "",
    "how many times as many answers the mend gives in so many seconds",
    ...growth,
    "",
  ].join("\n");
}
