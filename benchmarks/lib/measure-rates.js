import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { bounds } from "./bounds.js";
import { atOnce, load, measureTurn, runFailed, watchLoad, withServer } from "./measure.js";
import { classifyLoad, littlesLaw } from "./verdict.js";

/** @import { ContractReport } from "./contract.js" */
/** @import { BusyShares, MeasureOptions, Once, Subject } from "./measure.js" */
/** @import { OpenGenerator } from "./open-generators.js" */
/** @import { Memory } from "./platform/index.js" */
/** @import { RateResult } from "./vegeta.js" */
/** @import { Bound } from "./verdict.js" */
/** @import { Latency } from "./wrk.js" */

/**
 * Whether a server was asked what it was meant to be asked, when it was, and
 * kept up. A run in which the generator lagged isn't kept.
 *
 * @typedef {"kept" | "generator-bound" | "lagged" | "not kept"} RateVerdict
 */

/**
 * @typedef {object} AtRate a server under one fixed rate
 * @property {string} name such as `50%`, of the server's own capacity
 * @property {number} offeredPerSecond
 * @property {number} achievedPerSecond
 * @property {number} requests
 * @property {number} [connections]
 * @property {number} cpuMicrosecondsPerRequest
 * @property {number} [userShare] of it, outside the kernel
 * @property {RateVerdict} verdict
 * @property {RateResult["latency"]} latency in milliseconds
 * @property {RateResult["sending"]} [sending] how late the generator was; the
 *   latencies then count from when each request was due
 * @property {RateResult["above"]} [above] shares that took longer, by milliseconds
 * @property {[percentile: number, milliseconds: number][]} distribution
 * @property {{ seconds: number, bytes: number }[]} memory
 * @property {number} [tries] when it was disturbed, or lagged
 *
 * @typedef {AtRate & BusyShares} RateRun
 */

/**
 * @typedef {object} Capacity what wrk drew from it just before
 * @property {number} requestsPerSecond
 * @property {Latency} latency
 * @property {ReturnType<typeof littlesLaw>} littlesLaw
 * @property {Bound} [verdict] what held it back
 * @property {number} [cpuMicrosecondsPerRequest]
 * @property {number} [userShare]
 */

/**
 * @typedef {object} RatesRun a server under all of the rates, in one process
 * @property {string} startedAt
 * @property {Capacity & Partial<BusyShares>} capacity under a closed loop
 * @property {Memory} idleMemory
 * @property {RateRun[]} rates
 * @property {ContractReport} contract
 * @property {number} [othersShare] the most at any rate, in the first results
 * @property {number} [tries] in the first results
 */

/**
 * @param {object} run
 * @param {number} run.offeredPerSecond
 * @param {number} run.achievedPerSecond
 * @param {number} run.generatorBusy
 * @param {number} [run.lateness] of the generator's requests, p99 in ms, when
 *   it says so; without it we go by how busy it was
 * @returns {RateVerdict}
 */
export function judgeRate({ offeredPerSecond, achievedPerSecond, generatorBusy, lateness }) {
  const isBusy = generatorBusy >= bounds.generatorIsBusy;
  if (lateness === undefined && isBusy) return "generator-bound";
  if (lateness !== undefined && lateness > bounds.lateness) {
    return isBusy ? "generator-bound" : "lagged";
  }
  return achievedPerSecond >= bounds.answered * offeredPerSecond ? "kept" : "not kept";
}

/**
 * How many requests may be under way at once: each that falls due while the
 * server stalls needs a connection, or a worker, of its own.
 *
 * @param {number} perSecond
 * @param {number} least
 * @returns {number}
 */
export function connectionsFor(perSecond, least) {
  return Math.max(least, Math.ceil(perSecond * bounds.longestStall));
}

/**
 * @typedef {object} RatesPlan
 * @property {OpenGenerator} openGenerator
 * @property {number[]} shares of each server's own capacity, to be asked for
 * @property {boolean} hasCommonRate that all are asked for alike
 */

/**
 * Measures a server at rates that it doesn't choose. A request that has to
 * wait for the one before it waits in the figures too.
 *
 * @param {MeasureOptions & RatesPlan} options
 * @returns {Promise<{ run: RatesRun, raw: string }>}
 */
export function measureRates(options) {
  const { settings, layout, shares, hasCommonRate, settle = atOnce } = options;
  const startedAt = new Date().toISOString();
  const folder = mkdtempSync(path.join(os.tmpdir(), "bench-"));
  return withServer(options, async (subject) => {
    if (settings.warmUpSeconds > 0) await load(subject, settings.warmUpSeconds, options);
    const drawn = await settle(() => measureTurn(subject, options));
    const { requestsPerSecond, latency, requests } = drawn.result;
    const plan = [
      ...(hasCommonRate ? [{ name: "common", offeredPerSecond: settings.commonRate }] : []),
      ...shares.map((share) => ({
        name: `${Math.round(share * 100)}%`,
        offeredPerSecond: Math.round(share * requestsPerSecond),
      })),
    ];
    /** @type {RateRun[]} */
    const rates = [];
    let raw = `# as fast as it goes\n${drawn.stdout}\n`;
    for (const { name, offeredPerSecond } of plan) {
      const at = { name, offeredPerSecond, file: path.join(folder, "results") };
      const { output, run, tries } = await settle(() => atRate(subject, at, options));
      rates.push({ ...run, ...(tries ? { tries } : {}) });
      raw += `# ${name}: ${offeredPerSecond} requests/s\n${output}\n`;
    }
    const { idleMemory, contract } = subject;
    /** @type {RatesRun["capacity"]} */
    const capacity = {
      requestsPerSecond,
      latency,
      littlesLaw: littlesLaw({
        connections: settings.connections,
        requestsPerSecond,
        meanLatency: latency.mean,
      }),
      verdict: classifyLoad({ ...drawn.busy, coresShared: layout.shared }),
      cpuMicrosecondsPerRequest: drawn.cpu / requests,
      userShare: drawn.userShare,
      ...drawn.busy,
    };
    return { run: { startedAt, capacity, idleMemory, rates, contract }, raw };
  }).finally(() => rmSync(folder, { recursive: true, force: true }));
}

/**
 * @param {Subject} subject
 * @param {{ name: string, offeredPerSecond: number, file: string }} plan
 * @param {MeasureOptions & RatesPlan} options
 * @returns {Promise<Once & { run: RateRun, output: string }>}
 */
async function atRate(subject, { name, offeredPerSecond, file }, options) {
  const { contract, settings, layout, program, openGenerator } = options;
  const { secondsPerRate } = settings;
  const connections = connectionsFor(offeredPerSecond, settings.connections);
  const command = openGenerator.command({
    url: `http://127.0.0.1:${subject.server.port}${contract.path}`,
    perSecond: offeredPerSecond,
    seconds: secondsPerRate,
    connections,
    file,
  });
  const lead = openGenerator.lead(connections, offeredPerSecond);
  const env = openGenerator.env(layout.generator.length);
  const { stdout, watch } = await watchLoad(
    subject,
    command,
    { seconds: secondsPerRate, lead, env },
    options,
  );
  const { failures, requests, achievedPerSecond, ...result } = openGenerator.parse(stdout);
  if (failures.length > 0) throw runFailed(failures, subject.server);
  const cpu = watch.serverCpu;
  const seen = watch.shares(program.workers);
  const busy = { ...seen, generatorBusy: result.generatorBusy ?? seen.generatorBusy };
  const verdict = judgeRate({
    offeredPerSecond,
    achievedPerSecond,
    generatorBusy: busy.generatorBusy,
    lateness: result.sending?.p99,
  });
  return {
    output: stdout,
    busy,
    isLate: verdict === "lagged",
    run: {
      name,
      offeredPerSecond,
      achievedPerSecond,
      requests,
      connections,
      ...busy,
      // At a constant rate so many requests fall into the time between two looks.
      cpuMicrosecondsPerRequest: cpu.microseconds / (achievedPerSecond * cpu.seconds),
      userShare: cpu.userShare,
      verdict,
      latency: result.latency,
      sending: result.sending,
      above: result.above,
      distribution: dropFlatPoints(result.distribution),
      memory: watch.memory,
    },
  };
}

/**
 * Leaves out points that no chart would show apart.
 *
 * @param {[percentile: number, milliseconds: number][]} distribution
 */
function dropFlatPoints(distribution) {
  return distribution.filter(
    ([, value], index) =>
      index === 0 || value > distribution[index - 1][1] || index === distribution.length - 1,
  );
}
