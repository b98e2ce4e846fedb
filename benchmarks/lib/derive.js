import { median } from "simple-statistics";
import { bounds } from "./bounds.js";
import { areAlike, compareToOne, estimate, noiseFloor } from "./statistics.js";

/** @import { Run, WorkerShare } from "./measure.js" */
/** @import { Setup } from "./results.js" */
/** @import { Estimate } from "./statistics.js" */
/** @import { Bound } from "./verdict.js" */

/**
 * @typedef {object} Block
 * @property {number} block from 1
 * @property {string[]} order as drawn
 * @property {Record<string, Run>} runs by contender
 * @property {Record<string, string>} failed why a contender has no run
 */

/**
 * @typedef {object} DerivedContender
 * @property {Bound} verdict of most of its runs
 * @property {number} runs
 * @property {Estimate} cpuMicrosecondsPerRequest
 * @property {Estimate} [userMicrosecondsPerRequest] outside the kernel
 * @property {Estimate} [systemMicrosecondsPerRequest] inside
 * @property {Estimate} requestsPerSecond
 * @property {Estimate} cpuToBaseline ratio within the block
 * @property {Estimate} requestsPerSecondToBaseline
 * @property {number} serverBusy median
 * @property {number} generatorBusy
 * @property {number} bytesPerResponse
 * @property {Record<string, number>} latency medians, in milliseconds
 * @property {number} littlesLawRatio
 * @property {boolean} littlesLawHolds
 * @property {number} idleMemoryBytes
 * @property {number} loadedMemoryBytes the median over each run's second half
 * @property {number} rank by CPU time; those that tie share it; 0 without one
 * @property {WorkerShare[]} [workers] who did the work, where there are
 *   several; medians, the busiest first
 */

/**
 * @typedef {"tie" | "not a tie" | "too few blocks"} NoiseVerdict
 */

/**
 * @typedef {object} Derived
 * @property {{ ratio: Estimate, floor: number, verdict: NoiseVerdict }} [noise] the
 *   twin against the baseline, in CPU time per request
 * @property {Tie[]} [ties] of those that share a rank
 * @property {Record<string, Pair>} [pairs] one server's figures over another's,
 *   by `A-to-B`
 * @property {Record<string, DerivedContender>} contenders
 */

/**
 * @typedef {object} Tie
 * @property {string} first of a rank
 * @property {string} other that shares it
 * @property {"alike" | "undecided"} verdict shown to be alike, or only not
 *   shown to differ
 */

/**
 * @typedef {object} Pair
 * @property {Estimate} cpuMicrosecondsPerRequest ratio within the block
 * @property {Estimate} requestsPerSecond
 */

/**
 * @template {string | number} T
 * @param {T[]} values
 * @returns {T}
 */
export function mostCommon(values) {
  const counts = new Map();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0][0];
}

/**
 * The estimate of one contender's figure over another's, block by block.
 *
 * @template R
 * @param {{ runs: Record<string, R> }[]} blocks
 * @param {string} a
 * @param {string} b
 * @param {(run: R) => number} figure
 * @returns {Estimate | undefined} nothing when they never ran in one block
 */
export function ratioOf(blocks, a, b, figure) {
  const ratios = ratiosOf(blocks, a, b, figure);
  return ratios.length > 0 ? estimate(ratios) : undefined;
}

/**
 * @template R
 * @param {{ runs: Record<string, R> }[]} blocks
 * @param {string} a
 * @param {string} b
 * @param {(run: R) => number} figure
 * @returns {number[]} of the blocks in which both ran
 */
function ratiosOf(blocks, a, b, figure) {
  return blocks
    .filter(({ runs }) => runs[a] && runs[b])
    .map(({ runs }) => figure(runs[a]) / figure(runs[b]));
}

const cpu = (/** @type {Run} */ run) => run.cpuMicrosecondsPerRequest;
const rate = (/** @type {Run} */ run) => run.requestsPerSecond;

/**
 * @param {Run} run
 * @returns {number} bytes, once it has settled
 */
export function loadedMemory({ memoryUnderLoad, idleMemory }) {
  const settled = memoryUnderLoad.slice(Math.floor(memoryUnderLoad.length / 2));
  return settled.length > 0 ? median(settled.map(({ bytes }) => bytes)) : idleMemory.bytes;
}

/**
 * @typedef {object} Design what the runs were made to tell
 * @property {string} baseline
 * @property {string} [twin] the baseline under another name
 * @property {number} [workers] processes or threads that served
 * @property {[a: string, b: string][]} [pairs] contenders to compare with
 *   each other
 * @property {{ alike: number, alikeError: number }} [bounds] by which servers
 *   are judged alike; without them, as in the first results, none is
 */

/**
 * @param {Setup} setup of a result
 * @returns {Design}
 */
export function designOf({ baseline, twin, pairs, bounds: judgedBy, settings: { workers } }) {
  return { baseline, twin, pairs, workers, bounds: judgedBy };
}

/**
 * All that follows from the raw runs. Made anew from them whenever it is
 * needed, so that anybody can check it.
 *
 * @param {Block[]} blocks
 * @param {Design} design
 * @returns {Derived}
 */
export function derive(blocks, { baseline, twin, workers = 1, pairs = [], bounds: judgedBy }) {
  /** @type {Record<string, DerivedContender>} */
  const contenders = {};
  for (const id of new Set(blocks.flatMap(({ runs }) => Object.keys(runs)))) {
    const runs = blocks.flatMap((block) => block.runs[id] ?? []);
    const cpuToBaseline = ratioOf(blocks, id, baseline, cpu);
    const rateToBaseline = ratioOf(blocks, id, baseline, rate);
    if (!cpuToBaseline || !rateToBaseline) continue;
    const middle = (/** @type {(run: Run) => number} */ figure) => median(runs.map(figure));
    const percentiles = Object.keys(runs[0].latency);
    contenders[id] = {
      verdict: mostCommon(runs.map(({ verdict }) => verdict)),
      runs: runs.length,
      cpuMicrosecondsPerRequest: estimate(runs.map(cpu)),
      ...deriveModes(runs),
      requestsPerSecond: estimate(runs.map(rate)),
      cpuToBaseline,
      requestsPerSecondToBaseline: rateToBaseline,
      serverBusy: middle((run) => run.serverBusy),
      generatorBusy: middle((run) => run.generatorBusy),
      bytesPerResponse: middle((run) => run.contract.bytesPerResponse),
      latency: Object.fromEntries(
        percentiles.map((name) => [
          name,
          middle((run) => run.latency[/** @type {keyof Run["latency"]} */ (name)] ?? Number.NaN),
        ]),
      ),
      littlesLawRatio: middle((run) => run.littlesLaw.ratio),
      littlesLawHolds: runs.every((run) => run.littlesLaw.holds),
      idleMemoryBytes: middle((run) => run.idleMemory.bytes),
      loadedMemoryBytes: middle(loadedMemory),
      rank: 0,
      ...(workers > 1 ? { workers: deriveWorkers(runs, workers) } : {}),
    };
  }
  const noise = twin === undefined ? undefined : deriveNoise(blocks, twin, baseline, cpu);
  // The first results have ranks in them whether their twins tie or not.
  const ranked = judgedBy === undefined || mayRank({ noise });
  const shared = ranked ? rank(contenders, blocks, noise?.floor ?? 0, twin) : [];
  return {
    ...(noise ? { noise } : {}),
    ...(judgedBy ? { ties: shared.map((two) => judgeTie(blocks, two, judgedBy)) } : {}),
    ...(pairs.length > 0 ? { pairs: derivePairs(blocks, pairs) } : {}),
    contenders,
  };
}

/**
 * The time outside the kernel and inside, apart, where all runs have it.
 *
 * @param {Run[]} runs
 */
function deriveModes(runs) {
  if (runs.some(({ userShare }) => userShare === undefined)) return {};
  const user = (/** @type {Run} */ run) => cpu(run) * /** @type {number} */ (run.userShare);
  return {
    userMicrosecondsPerRequest: estimate(runs.map(user)),
    systemMicrosecondsPerRequest: estimate(runs.map((run) => cpu(run) - user(run))),
  };
}

/**
 * @param {Block[]} blocks
 * @param {[a: string, b: string][]} pairs
 * @returns {Record<string, Pair>}
 */
function derivePairs(blocks, pairs) {
  /** @type {Record<string, Pair>} */
  const derived = {};
  for (const [a, b] of pairs) {
    const cpuTime = ratioOf(blocks, a, b, cpu);
    const requests = ratioOf(blocks, a, b, rate);
    if (cpuTime && requests) {
      derived[`${a}-to-${b}`] = {
        cpuMicrosecondsPerRequest: cpuTime,
        requestsPerSecond: requests,
      };
    }
  }
  return derived;
}

/**
 * @param {Run[]} runs
 * @param {number} workers of which there are so many; a primary that deals out
 *   connections is busy too, and isn't one
 * @returns {WorkerShare[]}
 */
function deriveWorkers(runs, workers) {
  const most = Math.max(...runs.map(({ shares }) => shares.length));
  return Array.from({ length: Math.min(most, workers) }, (_, index) => {
    const places = runs.flatMap(({ shares }) => shares[index] ?? []);
    const connections = places.flatMap((place) => place.connections ?? []);
    return {
      kind: places[0].kind,
      share: median(places.map(({ share }) => share)),
      ...(connections.length > 0 ? { connections: Math.round(median(connections)) } : {}),
    };
  });
}

/**
 * @template R
 * @param {{ runs: Record<string, R> }[]} blocks
 * @param {string} twin
 * @param {string} baseline
 * @param {(run: R) => number} figure
 */
export function deriveNoise(blocks, twin, baseline, figure) {
  const ratio = ratioOf(blocks, twin, baseline, figure);
  if (!ratio) return undefined;
  return { ratio, floor: noiseFloor(ratio), verdict: judgeNoise(ratio) };
}

/**
 * Whether a result may rank its servers: its twins tie, in blocks enough to
 * know it.
 *
 * @param {Pick<Derived, "noise">} derived
 * @returns {boolean}
 */
export function mayRank({ noise }) {
  return noise === undefined || noise.verdict === "tie";
}

/**
 * @param {Block[]} blocks
 * @param {{ first: string, other: string }} two that share a rank
 * @param {{ alike: number, alikeError: number }} judgedBy
 * @returns {Tie}
 */
function judgeTie(blocks, { first, other }, judgedBy) {
  const alike = areAlike(ratiosOf(blocks, other, first, cpu), judgedBy);
  return { first, other, verdict: alike ? "alike" : "undecided" };
}

/**
 * A server can't differ from itself: if the interval leaves 1 out, and the
 * median is further from it than ratios usually move, there is more noise in
 * this run than its blocks show.
 *
 * @param {Estimate} ratio
 * @returns {NoiseVerdict}
 */
export function judgeNoise(ratio) {
  if (ratio.n < bounds.enoughBlocks) return "too few blocks";
  return compareToOne(ratio, bounds.usualNoise) === "tie" ? "tie" : "not a tie";
}

/**
 * Gives those that can't be told apart the same rank: a contender joins the
 * one before it when it ties with the first of that rank.
 *
 * @param {Record<string, DerivedContender>} contenders
 * @param {Block[]} blocks
 * @param {number} floor
 * @param {string | undefined} twin which gets no rank of its own
 * @returns {{ first: string, other: string }[]} who shares a rank with whom
 */
function rank(contenders, blocks, floor, twin) {
  const ordered = Object.keys(contenders)
    .filter((id) => id !== twin)
    .sort((a, b) => contenders[a].cpuToBaseline.median - contenders[b].cpuToBaseline.median);
  let leader = "";
  const shared = [];
  for (const [index, id] of ordered.entries()) {
    const toLeader = leader === "" ? undefined : ratioOf(blocks, id, leader, cpu);
    if (toLeader && compareToOne(toLeader, floor) === "tie") {
      contenders[id].rank = contenders[leader].rank;
      shared.push({ first: leader, other: id });
    } else {
      leader = id;
      contenders[id].rank = index + 1;
    }
  }
  return shared;
}
