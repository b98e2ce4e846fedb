import { median } from "simple-statistics";
import { deriveNoise, mostCommon } from "./derive.js";
import { estimate } from "./statistics.js";

/** @import { Derived, Design } from "./derive.js" */
/** @import { RateRun, RateVerdict, RatesRun } from "./measure-rates.js" */
/** @import { Estimate } from "./statistics.js" */
/** @import { Bound } from "./verdict.js" */

/**
 * @typedef {object} DerivedRate of the blocks in which the rate was kept, or
 *   of all where it was in none
 * @property {RateVerdict} verdict of most blocks
 * @property {number} offeredPerSecond median
 * @property {number} [keptIn] how many blocks, where the generator tells how
 *   late it was
 * @property {number} [latenessMs] how late it sent, the median of the p99
 * @property {Record<string, number>} [above] shares of the requests that took
 *   longer than so many milliseconds; medians
 * @property {Estimate} p50 milliseconds
 * @property {Estimate} p99
 * @property {Estimate} p999
 * @property {Estimate} max
 * @property {Estimate} cpuMicrosecondsPerRequest
 * @property {Estimate} [userMicrosecondsPerRequest] outside the kernel
 * @property {Estimate} [systemMicrosecondsPerRequest] inside
 * @property {number} loadedMemoryBytes
 */

/**
 * @typedef {object} ClosedLoop what wrk printed as it drew the capacity
 * @property {Estimate} p50 milliseconds
 * @property {Estimate} p99
 * @property {Estimate} p999
 * @property {Estimate} max
 * @property {number} littlesLawRatio median
 */

/**
 * @typedef {object} Cost what a request costs at one load
 * @property {Bound | RateVerdict} verdict of most blocks
 * @property {Estimate} cpuMicrosecondsPerRequest
 * @property {Estimate} [userMicrosecondsPerRequest] outside the kernel
 * @property {Estimate} [systemMicrosecondsPerRequest] inside
 */

/**
 * @typedef {object} DerivedRates
 * @property {number} runs
 * @property {Estimate} capacity requests per second
 * @property {ClosedLoop} closedLoop
 * @property {number} idleMemoryBytes
 * @property {Record<string, DerivedRate>} rates by name
 * @property {Cost} [atHalf] of the capacity
 * @property {Cost} [atSaturation]
 */

const half = "50%";

/**
 * @param {{ runs: Record<string, RatesRun> }[]} blocks
 * @param {Partial<Pick<Design, "baseline" | "twin">>} [design]
 * @returns {{ noise?: Derived["noise"], contenders: Record<string, DerivedRates> }}
 */
export function deriveRates(blocks, { baseline, twin } = {}) {
  /** @type {Record<string, DerivedRates>} */
  const contenders = {};
  for (const id of new Set(blocks.flatMap(({ runs }) => Object.keys(runs)))) {
    const runs = blocks.flatMap((block) => block.runs[id] ?? []);
    /** @type {Record<string, DerivedRate>} */
    const rates = Object.fromEntries(
      runs[0].rates.map(({ name }) => [
        name,
        deriveRate(runs.flatMap((run) => rateOf(run, name) ?? [])),
      ]),
    );
    const atSaturation = costAtSaturation(runs);
    contenders[id] = {
      runs: runs.length,
      capacity: estimate(runs.map(({ capacity }) => capacity.requestsPerSecond)),
      closedLoop: deriveClosedLoop(runs),
      idleMemoryBytes: median(runs.map(({ idleMemory }) => idleMemory.bytes)),
      rates,
      ...(atSaturation ? { atSaturation } : {}),
      ...(atSaturation && rates[half] ? { atHalf: costOf(rates[half]) } : {}),
    };
  }
  const noise =
    baseline && twin
      ? deriveNoise(
          blocks,
          twin,
          baseline,
          (/** @type {RatesRun} */ run) =>
            rateOf(run, half)?.cpuMicrosecondsPerRequest ?? Number.NaN,
        )
      : undefined;
  return { ...(noise ? { noise } : {}), contenders };
}

/**
 * @param {RatesRun} run
 * @param {string} name
 */
function rateOf({ rates }, name) {
  return rates.find((rate) => rate.name === name);
}

/**
 * @param {RatesRun[]} runs
 * @returns {ClosedLoop}
 */
function deriveClosedLoop(runs) {
  const of = (/** @type {"p50" | "p99" | "p999" | "max"} */ name) =>
    estimate(runs.map(({ capacity }) => capacity.latency[name] ?? Number.NaN));
  return {
    p50: of("p50"),
    p99: of("p99"),
    p999: of("p999"),
    max: of("max"),
    littlesLawRatio: median(runs.map(({ capacity }) => capacity.littlesLaw.ratio)),
  };
}

/**
 * @param {RatesRun[]} runs
 * @returns {Cost | undefined} nothing for the first results, which don't tell
 */
function costAtSaturation(runs) {
  /** @type {{ cpuMicrosecondsPerRequest: number, userShare?: number }[]} */
  const costs = [];
  /** @type {Bound[]} */
  const verdicts = [];
  for (const { capacity } of runs) {
    const { cpuMicrosecondsPerRequest, userShare, verdict } = capacity;
    if (cpuMicrosecondsPerRequest === undefined || verdict === undefined) return undefined;
    costs.push({ cpuMicrosecondsPerRequest, userShare });
    verdicts.push(verdict);
  }
  return { verdict: mostCommon(verdicts), ...deriveCost(costs) };
}

/**
 * @param {DerivedRate} rate
 * @returns {Cost}
 */
function costOf({ verdict, ...rate }) {
  const { userMicrosecondsPerRequest: user, systemMicrosecondsPerRequest: system } = rate;
  return {
    verdict,
    cpuMicrosecondsPerRequest: rate.cpuMicrosecondsPerRequest,
    ...(user && system
      ? { userMicrosecondsPerRequest: user, systemMicrosecondsPerRequest: system }
      : {}),
  };
}

/**
 * @param {{ cpuMicrosecondsPerRequest: number, userShare?: number }[]} costs
 */
function deriveCost(costs) {
  const all = costs.map(({ cpuMicrosecondsPerRequest }) => cpuMicrosecondsPerRequest);
  const cpuMicrosecondsPerRequest = estimate(all);
  const users = costs.map(({ userShare }, index) => all[index] * (userShare ?? Number.NaN));
  if (users.some(Number.isNaN)) return { cpuMicrosecondsPerRequest };
  return {
    cpuMicrosecondsPerRequest,
    userMicrosecondsPerRequest: estimate(users),
    systemMicrosecondsPerRequest: estimate(users.map((user, index) => all[index] - user)),
  };
}

/**
 * @param {RateRun[]} all
 * @returns {DerivedRate}
 */
function deriveRate(all) {
  const tellsLateness = all.every(({ sending }) => sending);
  const kept = all.filter(({ verdict }) => verdict === "kept");
  const runs = tellsLateness && kept.length > 0 ? kept : all;
  const of = (/** @type {(run: RateRun) => number} */ figure) => estimate(runs.map(figure));
  const memory = runs.flatMap((run) => run.memory.map(({ bytes }) => bytes));
  return {
    verdict: mostCommon(all.map(({ verdict }) => verdict)),
    offeredPerSecond: median(runs.map(({ offeredPerSecond }) => offeredPerSecond)),
    ...(tellsLateness
      ? {
          keptIn: kept.length,
          latenessMs: median(runs.map(({ sending }) => sending?.p99 ?? Number.NaN)),
          above: medianOfEach(runs.map(({ above = {} }) => above)),
        }
      : {}),
    p50: of(({ latency }) => latency.p50),
    p99: of(({ latency }) => latency.p99),
    p999: of(({ latency }) => latency.p999),
    max: of(({ latency }) => latency.max),
    ...deriveCost(runs),
    loadedMemoryBytes: memory.length > 0 ? median(memory) : 0,
  };
}

/** @param {Record<string, number>[]} records with the same fields */
function medianOfEach(records) {
  return Object.fromEntries(
    Object.keys(records[0]).map((name) => [name, median(records.map((record) => record[name]))]),
  );
}
