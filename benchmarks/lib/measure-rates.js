import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { load, runFailed, watchLoad, withServer } from "./measure.js";
import { cpuBetween } from "./platform/index.js";
import { parseVegeta, vegetaCommand } from "./vegeta.js";
import { failures, generatorIsBusy, littlesLaw } from "./verdict.js";

/** @import { ContractReport } from "./contract.js" */
/** @import { MeasureOptions, Subject } from "./measure.js" */
/** @import { Memory } from "./platform/index.js" */
/** @import { RateResult } from "./vegeta.js" */
/** @import { Latency } from "./wrk.js" */

/**
 * Whether a server was asked what it was meant to be asked, and kept up.
 *
 * @typedef {"kept" | "generator-bound" | "not kept"} RateVerdict
 */

/**
 * @typedef {object} RateRun a server under one fixed rate
 * @property {string} name such as `50%`, of the server's own capacity
 * @property {number} offeredPerSecond
 * @property {number} achievedPerSecond
 * @property {number} requests
 * @property {number} serverBusy share of its cores, 0 to 1
 * @property {number} generatorBusy
 * @property {number} [stealShare]
 * @property {number} [othersShare]
 * @property {number} cpuMicrosecondsPerRequest
 * @property {RateVerdict} verdict
 * @property {RateResult["latency"]} latency in milliseconds
 * @property {[percentile: number, milliseconds: number][]} distribution
 * @property {{ seconds: number, bytes: number }[]} memory
 */

/**
 * @typedef {object} RatesRun a server under all of the rates, in one process
 * @property {string} startedAt
 * @property {{ requestsPerSecond: number, latency: Latency,
 *   littlesLaw: ReturnType<typeof littlesLaw> }} capacity under a closed loop
 * @property {Memory} idleMemory
 * @property {RateRun[]} rates
 * @property {ContractReport} contract
 * @property {number} [othersShare] the most at any rate
 * @property {number} [tries]
 */

const fractions = [0.25, 0.5, 0.75, 0.9];

/**
 * @param {object} run
 * @param {number} run.offeredPerSecond
 * @param {number} run.achievedPerSecond
 * @param {number} run.generatorBusy
 * @returns {RateVerdict}
 */
export function judgeRate({ offeredPerSecond, achievedPerSecond, generatorBusy }) {
  if (generatorBusy >= generatorIsBusy) return "generator-bound";
  return achievedPerSecond >= 0.99 * offeredPerSecond ? "kept" : "not kept";
}

/**
 * Measures latency where it means something: at rates that the server doesn't
 * choose. A request that has to wait for the one before it waits in the
 * figures too.
 *
 * @param {MeasureOptions} options
 * @returns {Promise<{ run: RatesRun, raw: string }>}
 */
export function measureRates(options) {
  const { settings, generator } = options;
  const startedAt = new Date().toISOString();
  const folder = mkdtempSync(path.join(os.tmpdir(), "bench-"));
  return withServer(options, async (subject) => {
    await load(subject, settings.warmUpSeconds, options);
    const drawn = await load(subject, settings.seconds, options);
    const { requestsPerSecond, latency, errors } = generator.parse(drawn);
    const failed = failures(errors);
    if (failed.length > 0) throw runFailed(failed, subject.server);
    const plan = [
      { name: "common", offeredPerSecond: settings.commonRate },
      ...fractions.map((fraction) => ({
        name: `${fraction * 100}%`,
        offeredPerSecond: Math.round(fraction * requestsPerSecond),
      })),
    ];
    /** @type {RateRun[]} */
    const rates = [];
    let raw = `# as fast as it goes\n${drawn}\n`;
    for (const { name, offeredPerSecond } of plan) {
      const { rate, output } = await atRate(
        subject,
        { name, offeredPerSecond, file: path.join(folder, "results") },
        options,
      );
      rates.push(rate);
      raw += `# ${name}: ${offeredPerSecond} requests/s\n${output}\n`;
    }
    const { idleMemory, contract } = subject;
    const othersShare = Math.max(...rates.map((rate) => rate.othersShare ?? 0));
    const capacity = {
      requestsPerSecond,
      latency,
      littlesLaw: littlesLaw({
        connections: settings.connections,
        requestsPerSecond,
        meanLatency: latency.mean,
      }),
    };
    return { run: { startedAt, capacity, idleMemory, rates, contract, othersShare }, raw };
  }).finally(() => rmSync(folder, { recursive: true, force: true }));
}

/**
 * @param {Subject} subject
 * @param {{ name: string, offeredPerSecond: number, file: string }} plan
 * @param {MeasureOptions} options
 * @returns {Promise<{ rate: RateRun, output: string }>}
 */
async function atRate(subject, { name, offeredPerSecond, file }, options) {
  const { contract, settings, layout, program } = options;
  const { secondsPerRate } = settings;
  const command = vegetaCommand({
    url: `http://127.0.0.1:${subject.server.port}${contract.path}`,
    perSecond: offeredPerSecond,
    seconds: secondsPerRate,
    connections: settings.connections,
    file,
  });
  const { stdout, watch, before, after } = await watchLoad(
    subject,
    command,
    // Less of it is collected, so more of the core is left to ask with.
    { seconds: secondsPerRate, env: { GOGC: "400", GOMAXPROCS: String(layout.generator.length) } },
    options,
  );
  const result = parseVegeta(stdout);
  const busy = watch.shares(program.workers);
  const verdict = judgeRate({
    offeredPerSecond,
    achievedPerSecond: result.achievedPerSecond,
    generatorBusy: busy.generatorBusy,
  });
  if (result.failures.length > 0) throw runFailed(result.failures, subject.server);
  return {
    output: stdout,
    rate: {
      name,
      offeredPerSecond,
      achievedPerSecond: result.achievedPerSecond,
      requests: result.requests,
      ...busy,
      cpuMicrosecondsPerRequest: cpuBetween(before, after) / result.requests,
      verdict,
      latency: result.latency,
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
