import { median } from "simple-statistics";
import { mostCommon } from "./derive.js";
import { estimate } from "./statistics.js";

/** @import { RateRun, RateVerdict, RatesRun } from "./measure-rates.js" */
/** @import { Estimate } from "./statistics.js" */

/**
 * @typedef {object} DerivedRate
 * @property {RateVerdict} verdict of most blocks
 * @property {number} offeredPerSecond median
 * @property {Estimate} p50 milliseconds
 * @property {Estimate} p99
 * @property {Estimate} p999
 * @property {Estimate} max
 * @property {Estimate} cpuMicrosecondsPerRequest
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
 * @typedef {object} DerivedRates
 * @property {number} runs
 * @property {Estimate} capacity requests per second
 * @property {ClosedLoop} closedLoop
 * @property {number} idleMemoryBytes
 * @property {Record<string, DerivedRate>} rates by name
 */

/**
 * @param {{ runs: Record<string, RatesRun> }[]} blocks
 * @returns {{ contenders: Record<string, DerivedRates> }}
 */
export function deriveRates(blocks) {
  /** @type {Record<string, DerivedRates>} */
  const contenders = {};
  for (const id of new Set(blocks.flatMap(({ runs }) => Object.keys(runs)))) {
    const runs = blocks.flatMap((block) => block.runs[id] ?? []);
    contenders[id] = {
      runs: runs.length,
      capacity: estimate(runs.map(({ capacity }) => capacity.requestsPerSecond)),
      closedLoop: deriveClosedLoop(runs),
      idleMemoryBytes: median(runs.map(({ idleMemory }) => idleMemory.bytes)),
      rates: Object.fromEntries(
        runs[0].rates.map(({ name }) => [
          name,
          deriveRate(runs.flatMap(({ rates }) => rates.find((rate) => rate.name === name) ?? [])),
        ]),
      ),
    };
  }
  return { contenders };
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
 * @param {RateRun[]} runs
 * @returns {DerivedRate}
 */
function deriveRate(runs) {
  const of = (/** @type {(run: RateRun) => number} */ figure) => estimate(runs.map(figure));
  const memory = runs.flatMap((run) => run.memory.map(({ bytes }) => bytes));
  return {
    verdict: mostCommon(runs.map(({ verdict }) => verdict)),
    offeredPerSecond: median(runs.map(({ offeredPerSecond }) => offeredPerSecond)),
    p50: of(({ latency }) => latency.p50),
    p99: of(({ latency }) => latency.p99),
    p999: of(({ latency }) => latency.p999),
    max: of(({ latency }) => latency.max),
    cpuMicrosecondsPerRequest: of((run) => run.cpuMicrosecondsPerRequest),
    loadedMemoryBytes: memory.length > 0 ? median(memory) : 0,
  };
}
