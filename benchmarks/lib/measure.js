import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { checkContract } from "./contract.js";
import { benchError } from "./errors.js";
import { cpuBetween, processCpuBetween, userShareBetween } from "./platform/index.js";
import { runToEnd, ServerProcess } from "./processes.js";
import { classifyLoad, failures, littlesLaw } from "./verdict.js";

/** @import { Contract, ContractReport } from "./contract.js" */
/** @import { Generator } from "./generators.js" */
/** @import { Layout } from "./layout.js" */
/** @import { CpuSample, Memory, Platform } from "./platform/index.js" */
/** @import { Latency, LoadErrors } from "./wrk.js" */
/** @import { Bound } from "./verdict.js" */

/**
 * @typedef {object} Settings
 * @property {number} idleSeconds from listening until the idle memory is read
 * @property {number} warmUpSeconds
 * @property {number} seconds
 * @property {number} connections
 * @property {number} secondsPerRate
 * @property {number} commonRate requests per second that all are asked for
 */

/**
 * @typedef {object} Program a server that can be started
 * @property {string[]} command
 * @property {string} cwd
 * @property {NodeJS.ProcessEnv} env
 * @property {number} workers processes or threads that serve
 */

/**
 * @typedef {object} WorkerShare
 * @property {"process" | "thread"} kind
 * @property {number} share of the CPU time of all, 0 to 1
 * @property {number} [connections] sockets that it held beyond its idle ones
 */

/**
 * @typedef {object} Run one server under one load
 * @property {string} startedAt
 * @property {number} requests
 * @property {number} seconds
 * @property {number} requestsPerSecond
 * @property {number} bytesPerResponse
 * @property {number} cpuMicrosecondsPerRequest of the whole process tree
 * @property {number} [userShare] of that time, outside the kernel, 0 to 1
 * @property {number} serverBusy share of its cores, 0 to 1
 * @property {number} generatorBusy
 * @property {number} [stealShare]
 * @property {number} [othersShare]
 * @property {Latency} latency
 * @property {ReturnType<typeof littlesLaw>} littlesLaw
 * @property {LoadErrors} errors
 * @property {Bound} verdict
 * @property {Memory} idleMemory
 * @property {{ seconds: number, bytes: number }[]} memoryUnderLoad
 * @property {WorkerShare[]} shares
 * @property {ContractReport} contract
 * @property {number} [tries] when other programs disturbed it
 */

/**
 * @typedef {object} Busy
 * @property {number} time milliseconds
 * @property {CpuSample} server
 * @property {CpuSample} generator
 * @property {CoreTimes} [cores] the server's, with everything that runs there
 */

/** @typedef {{ busy: number, all: number, steal: number }} CoreTimes in ticks */

/**
 * Watches a server and the generator that loads it: twice for how busy they
 * are, once a second for memory.
 */
class Watch {
  /** @type {Busy[]} */
  busy = [];
  /** @type {{ seconds: number, bytes: number }[]} */
  memory = [];
  /** @type {(number | undefined)[]} */
  sockets = [];

  /**
   * @param {Platform} platform
   * @param {number[]} pids of the server
   * @param {Layout} layout
   */
  constructor(platform, pids, layout) {
    this.platform = platform;
    this.pids = pids;
    this.layout = layout;
  }

  /**
   * @param {number} generator its process id
   * @param {number} seconds that it runs
   * @param {AbortSignal} stop when it has ended
   */
  async follow(generator, seconds, stop) {
    const start = performance.now();
    // Connections are made and buffers filled in the first tenth.
    const marks = [0.1 * seconds, 0.9 * seconds];
    for (let tick = 1; tick < seconds; tick++) marks.push(tick);
    marks.sort((a, b) => a - b);
    for (const mark of marks) {
      const wait = start + mark * 1000 - performance.now();
      if (wait > 0) await delay(wait, undefined, { signal: stop }).catch(() => {});
      if (stop.aborted) return;
      if (Number.isInteger(mark)) await this.#readMemory(start);
      else await this.#readBusy(generator);
    }
  }

  /** @param {number} start */
  async #readMemory(start) {
    const { bytes } = await this.platform.memory(this.pids);
    this.memory.push({ seconds: (performance.now() - start) / 1000, bytes });
  }

  /** @param {number} generator */
  async #readBusy(generator) {
    if (this.busy.length === 0) {
      this.sockets = await Promise.all(this.pids.map((pid) => this.platform.socketCount(pid)));
    }
    this.busy.push({
      time: performance.now(),
      server: await this.platform.cpuTime(this.pids),
      generator: await this.platform.cpuTime(await this.platform.processTree(generator)),
      cores: await this.platform.coreTimes(this.layout.server),
    });
  }

  /**
   * @param {number} workers
   * @returns {BusyShares}
   */
  shares(workers) {
    if (this.busy.length < 2) {
      throw benchError(
        "ERR_BENCH_TOO_SHORT",
        "The generator ended before we could see how busy it was.",
      );
    }
    const [first, last] = [this.busy[0], this.busy[this.busy.length - 1]];
    const wall = (last.time - first.time) * 1000;
    const server = cpuBetween(first.server, last.server) / wall;
    const generator = cpuBetween(first.generator, last.generator) / wall;
    const result = {
      serverBusy: server / workers,
      generatorBusy: generator / this.layout.threads,
    };
    const cores = coresBetween(first.cores, last.cores);
    if (!cores) return result;
    const ours = this.layout.shared ? server + generator : server;
    const others = cores.busy - ours / this.layout.server.length;
    return { ...result, stealShare: cores.steal, othersShare: Math.max(0, others) };
  }
}

/**
 * @typedef {object} BusyShares each from 0 to 1
 * @property {number} serverBusy of the cores that it could use
 * @property {number} generatorBusy
 * @property {number} [stealShare] of the server's cores, taken by other
 *   virtual machines
 * @property {number} [othersShare] of the server's cores, taken by programs
 *   that are not part of the run
 */

/**
 * @param {CoreTimes | undefined} first
 * @param {CoreTimes | undefined} last
 * @returns {{ busy: number, steal: number } | undefined} shares of the time between
 */
function coresBetween(first, last) {
  if (!first || !last || last.all === first.all) return undefined;
  const all = last.all - first.all;
  return { busy: (last.busy - first.busy) / all, steal: (last.steal - first.steal) / all };
}

/**
 * Who did the work: the processes of a cluster, or the threads of a process.
 *
 * @param {CpuSample} before
 * @param {CpuSample} after
 * @param {Map<number, number>} connections by process
 * @returns {WorkerShare[]} the busiest first, without those under 1 %
 */
export function workerShares(before, after, connections) {
  const isCluster = after.size > 1;
  /** @type {{ used: number, connections?: number }[]} */
  const parts = [];
  for (const [pid, sample] of after) {
    if (isCluster) {
      parts.push({
        used: processCpuBetween(before, after, pid),
        connections: connections.get(pid),
      });
    } else {
      const threadsBefore = before.get(pid)?.threads;
      for (const [thread, used] of sample.threads) {
        parts.push({ used: used - (threadsBefore?.get(thread) ?? 0) });
      }
    }
  }
  const total = parts.reduce((sum, { used }) => sum + used, 0);
  return parts
    .map(({ used, connections }) => ({
      kind: isCluster ? /** @type {const} */ ("process") : /** @type {const} */ ("thread"),
      share: used / total,
      ...(connections === undefined ? {} : { connections }),
    }))
    .filter(({ share }) => share >= 0.01)
    .sort((a, b) => b.share - a.share);
}

/**
 * @typedef {object} MeasureOptions
 * @property {Program} program
 * @property {Contract} contract
 * @property {Generator} generator
 * @property {Settings} settings
 * @property {Layout} layout
 * @property {Platform} platform
 * @property {AbortSignal} [signal]
 */

/**
 * @typedef {object} Subject a server that runs and has just been looked at
 * @property {ServerProcess} server
 * @property {number[]} pids
 * @property {Memory} idleMemory
 * @property {(number | undefined)[]} idleSockets
 * @property {ContractReport} contract
 */

/**
 * Starts a server in a fresh process, looks at it at rest, lets it be
 * measured, and looks again: what it answers must not have changed.
 *
 * @template T
 * @param {MeasureOptions} options
 * @param {(subject: Subject) => Promise<T>} measureIt
 * @returns {Promise<T>}
 * @throws {UserError} ERR_BENCH_RUN_FAILED
 */
export async function withServer(options, measureIt) {
  const { program, contract, settings, layout, platform, signal } = options;
  const server = await ServerProcess.start({
    command: [...pinTo(layout.server, options), ...program.command],
    cwd: program.cwd,
    env: program.env,
  });
  const onAbort = () => server.stop();
  signal?.addEventListener("abort", onAbort);
  try {
    await delay(settings.idleSeconds * 1000, undefined, { signal });
    const pids = await platform.processTree(server.pid);
    const idleMemory = await platform.memory(pids);
    const idleSockets = await Promise.all(pids.map((pid) => platform.socketCount(pid)));
    const before = await checkContract(contract, server.port);
    const result = await measureIt({ server, pids, idleMemory, idleSockets, contract: before });
    if (!server.isRunning) throw runFailed(["the server ended"], server);
    const after = await checkContract(contract, server.port);
    if (JSON.stringify(after) === JSON.stringify(before)) return result;
    const changed = `it answered otherwise after the load: ${after.differences.join("; ")}`;
    throw runFailed([changed], server);
  } finally {
    signal?.removeEventListener("abort", onAbort);
    await server.stop();
  }
}

/**
 * @param {number[]} cores
 * @param {MeasureOptions} options
 * @returns {string[]} the words before a command
 */
export function pinTo(cores, { layout, platform }) {
  return layout.pinned ? platform.pinned(cores) : [];
}

/**
 * @param {string[]} reasons
 * @param {ServerProcess} server
 */
export function runFailed(reasons, server) {
  return benchError("ERR_BENCH_RUN_FAILED", `${reasons.join(", ")}\n${server.output}`.trim());
}

/**
 * @param {Subject} subject
 * @param {number} seconds
 * @param {MeasureOptions} options
 * @returns {string[]} the generator's command against this server
 */
function loadCommand({ server }, seconds, { generator, contract, settings, layout }) {
  const url = `http://127.0.0.1:${server.port}${contract.path}`;
  const { connections } = settings;
  return generator.command({ url, connections, threads: layout.threads, seconds });
}

/**
 * Loads a server without watching it.
 *
 * @param {Subject} subject
 * @param {number} seconds
 * @param {MeasureOptions} options
 * @returns {Promise<string>} what the generator printed
 */
export async function load(subject, seconds, options) {
  const command = loadCommand(subject, seconds, options);
  const { signal, layout } = options;
  const { stdout } = await runToEnd([...pinTo(layout.generator, options), ...command], { signal });
  return stdout;
}

/**
 * Runs a command that loads a server and watches both.
 *
 * @param {Subject} subject
 * @param {string[]} command
 * @param {{ seconds: number, env?: NodeJS.ProcessEnv }} how
 * @param {MeasureOptions} options
 */
export async function watchLoad({ server, pids }, command, { seconds, env }, options) {
  const { layout, platform, signal } = options;
  const watch = new Watch(platform, pids, layout);
  const ended = new AbortController();
  let following = Promise.resolve();
  const before = await platform.cpuTime(pids);
  const { stdout } = await runToEnd([...pinTo(layout.generator, options), ...command], {
    env,
    signal,
    onStart: (pid) => {
      following = watch.follow(pid, seconds, ended.signal);
      following.catch(() => {});
    },
  }).finally(() => ended.abort());
  const after = await platform.cpuTime(await platform.processTree(server.pid));
  await following;
  return { stdout, watch, before, after };
}

/**
 * Measures one server once: a fresh process, the contract, memory at rest, a
 * warm-up, the load, the contract again.
 *
 * @param {MeasureOptions} options
 * @returns {Promise<{ run: Run, raw: string }>} raw is what the generator printed
 * @throws {UserError} ERR_BENCH_RUN_FAILED when there were errors, so that
 *   the run doesn't count
 */
export function measure(options) {
  const { program, generator, settings, layout } = options;
  const startedAt = new Date().toISOString();
  return withServer(options, async (subject) => {
    const { server, pids, idleMemory, idleSockets } = subject;
    if (settings.warmUpSeconds > 0) await load(subject, settings.warmUpSeconds, options);

    const { seconds, connections } = settings;
    const command = loadCommand(subject, seconds, options);
    const { stdout, watch, before, after } = await watchLoad(
      subject,
      command,
      { seconds },
      options,
    );
    const result = generator.parse(stdout);
    const failed = failures(result.errors);
    if (failed.length > 0) throw runFailed(failed, server);

    const busy = watch.shares(program.workers);
    /** @type {Map<number, number>} */
    const connectionsOf = new Map();
    for (const [index, pid] of pids.entries()) {
      const count = watch.sockets[index];
      if (count !== undefined) connectionsOf.set(pid, count - (idleSockets[index] ?? 0));
    }
    const userShare = userShareBetween(before, after);
    return {
      raw: stdout,
      run: {
        startedAt,
        requests: result.requests,
        seconds: result.seconds,
        requestsPerSecond: result.requestsPerSecond,
        bytesPerResponse: result.bytesRead / result.requests,
        cpuMicrosecondsPerRequest: cpuBetween(before, after) / result.requests,
        ...(userShare === undefined ? {} : { userShare }),
        ...busy,
        latency: result.latency,
        littlesLaw: littlesLaw({
          connections: connections * (generator.depth ?? 1),
          requestsPerSecond: result.requestsPerSecond,
          meanLatency: result.latency.mean,
        }),
        errors: result.errors,
        verdict: classifyLoad({ ...busy, coresShared: layout.shared }),
        idleMemory,
        memoryUnderLoad: watch.memory,
        shares: workerShares(before, after, connectionsOf),
        contract: subject.contract,
      },
    };
  });
}
