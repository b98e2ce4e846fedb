import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { checkContract } from "./contract.js";
import { benchError } from "./errors.js";
import { cpuBetween, processCpuBetween, userShareBetween } from "./platform/index.js";
import { runToEnd, ServerProcess } from "./processes.js";
import { together } from "./turns.js";
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
 * @property {number} [turns] into which the load of a block is cut: in each
 *   turn every server is loaded for so many seconds; one unless set
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
 * @property {number} [generatorStealShare]
 * @property {number} [generatorOthersShare]
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
 * @property {number} harness microseconds that we used ourselves
 * @property {CoreTimes} [cores] the server's, with everything that runs there
 * @property {CoreTimes} [generatorCores]
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
   * @param {{ seconds: number, lead?: number }} time that it loads for, and that
   *   it takes before, in seconds
   * @param {AbortSignal} stop when it has ended
   */
  async follow(generator, { seconds, lead = 0 }, stop) {
    const start = performance.now() + lead * 1000;
    // Connections are made and buffers filled in the first tenth.
    const marks = [
      { at: 0.1 * seconds, isMemory: false },
      { at: 0.9 * seconds, isMemory: false },
    ];
    for (let tick = 1; tick < seconds; tick++) marks.push({ at: tick, isMemory: true });
    if (seconds === 1) marks.push({ at: 0.5, isMemory: true });
    marks.sort((a, b) => a.at - b.at);
    for (const { at, isMemory } of marks) {
      const wait = start + at * 1000 - performance.now();
      if (wait > 0) await delay(wait, undefined, { signal: stop }).catch(() => {});
      if (stop.aborted) return;
      if (isMemory) await this.#readMemory(start);
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
    const { user, system } = process.cpuUsage();
    this.busy.push({
      time: performance.now(),
      server: await this.platform.cpuTime(this.pids),
      generator: await this.platform.cpuTime(await this.platform.processTree(generator)),
      harness: user + system,
      cores: await this.platform.coreTimes(this.layout.server),
      generatorCores: await this.platform.coreTimes(this.layout.generator),
    });
  }

  /** The two looks at how busy they are. */
  get #ends() {
    if (this.busy.length < 2) {
      throw benchError(
        "ERR_BENCH_TOO_SHORT",
        "The generator ended before we could see how busy it was.",
      );
    }
    return { first: this.busy[0], last: this.busy[this.busy.length - 1] };
  }

  /**
   * What the server used while it was loaded, without what it took to open
   * connections before.
   *
   * @returns {{ microseconds: number, seconds: number, userShare: number | undefined }}
   */
  get serverCpu() {
    const { first, last } = this.#ends;
    return {
      microseconds: cpuBetween(first.server, last.server),
      seconds: (last.time - first.time) / 1000,
      userShare: userShareBetween(first.server, last.server),
    };
  }

  /**
   * @param {number} workers
   * @returns {BusyShares}
   */
  shares(workers) {
    const { first, last } = this.#ends;
    const wall = (last.time - first.time) * 1000;
    const used = {
      server: cpuBetween(first.server, last.server) / wall,
      generator: cpuBetween(first.generator, last.generator) / wall,
      harness: (last.harness - first.harness) / wall,
    };
    return {
      serverBusy: used.server / workers,
      generatorBusy: used.generator / this.layout.threads,
      ...disturbances(this.layout, used, {
        server: coresBetween(first.cores, last.cores),
        generator: coresBetween(first.generatorCores, last.generatorCores),
      }),
    };
  }
}

/**
 * What others took of the cores of a run: what was busy there and wasn't ours.
 *
 * Where a kernel counts stolen time as the process's own, `others` comes out
 * too small, by no more than the steal. So the two are told together.
 *
 * @param {Pick<Layout, "server" | "generator" | "shared" | "pinned">} layout
 * @param {{ server: number, generator: number, harness: number }} used cores
 * @param {{ server?: CoreShares, generator?: CoreShares }} cores what the
 *   system tells of them
 * @returns {Omit<BusyShares, "serverBusy" | "generatorBusy">}
 */
export function disturbances(layout, used, cores) {
  const { server, generator } = cores;
  if (layout.shared) {
    if (!server) return {};
    // Where they are held on some of the cores, we are on another.
    const ours = used.server + used.generator + (layout.pinned ? 0 : used.harness);
    return {
      stealShare: server.steal,
      othersShare: Math.max(0, server.busy - ours / layout.server.length),
    };
  }
  if (!server || !generator) return {};
  const loading = used.generator + used.harness;
  return {
    stealShare: server.steal,
    othersShare: Math.max(0, server.busy - used.server / layout.server.length),
    generatorStealShare: generator.steal,
    generatorOthersShare: Math.max(0, generator.busy - loading / layout.generator.length),
  };
}

/**
 * @typedef {object} BusyShares each from 0 to 1
 * @property {number} serverBusy of the cores that it could use
 * @property {number} generatorBusy
 * @property {number} [stealShare] of the server's cores, taken by other
 *   virtual machines
 * @property {number} [othersShare] of the server's cores, taken by programs
 *   that are not part of the run
 * @property {number} [generatorStealShare] of the generator's cores
 * @property {number} [generatorOthersShare] of the generator's cores; not told
 *   where the two sides share theirs
 */

/** @typedef {{ busy: number, steal: number }} CoreShares of the time, 0 to 1 */

/**
 * @param {CoreTimes | undefined} first
 * @param {CoreTimes | undefined} last
 * @returns {CoreShares | undefined} of the time between
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
 * @property {<T>(step: () => Promise<T>) => Promise<T>} [inTurn] runs a step
 *   when no other server is at work, where several are measured in turns
 * @property {<T extends Once>(once: () => Promise<T>) => Promise<T>} [settle]
 *   runs again what was disturbed
 *
 * @typedef {object} Once one stretch of load
 * @property {BusyShares} busy
 * @property {boolean} [isLate] the generator lagged
 * @property {number} [tries] when it was disturbed or late
 */

export const atOnce = (/** @type {() => Promise<any>} */ step) => step();

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
  const { program, contract, layout, signal, inTurn = atOnce } = options;
  const server = await inTurn(() =>
    ServerProcess.start({
      command: [...pinTo(layout.server, options), ...program.command],
      cwd: program.cwd,
      env: program.env,
    }),
  );
  const onAbort = () => server.stop();
  signal?.addEventListener("abort", onAbort);
  try {
    const subject = await inTurn(() => lookAt(server, options));
    const result = await measureIt(subject);
    if (!server.isRunning) throw runFailed(["the server ended"], server);
    const { contract: before } = subject;
    const after = await inTurn(() => checkContract(contract, server.port));
    if (JSON.stringify(after) === JSON.stringify(before)) return result;
    const changed = `it answered otherwise after the load: ${after.differences.join("; ")}`;
    throw runFailed([changed], server);
  } finally {
    signal?.removeEventListener("abort", onAbort);
    await server.stop();
  }
}

/**
 * Looks at a server at rest.
 *
 * @param {ServerProcess} server
 * @param {MeasureOptions} options
 * @returns {Promise<Subject>}
 */
async function lookAt(server, { contract, settings, platform, signal }) {
  await delay(settings.idleSeconds * 1000, undefined, { signal });
  const pids = await platform.processTree(server.pid);
  const idleMemory = await platform.memory(pids);
  const idleSockets = await Promise.all(pids.map((pid) => platform.socketCount(pid)));
  const report = await checkContract(contract, server.port);
  return { server, pids, idleMemory, idleSockets, contract: report };
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
 * @param {{ seconds: number, lead?: number, env?: NodeJS.ProcessEnv }} how
 * @param {MeasureOptions} options
 */
export async function watchLoad({ server, pids }, command, { env, ...time }, options) {
  const { layout, platform, signal } = options;
  const watch = new Watch(platform, pids, layout);
  const ended = new AbortController();
  let following = Promise.resolve();
  const before = await platform.cpuTime(pids);
  const { stdout } = await runToEnd([...pinTo(layout.generator, options), ...command], {
    env,
    signal,
    onStart: (pid) => {
      following = watch.follow(pid, time, ended.signal);
      following.catch(() => {});
    },
  }).finally(() => ended.abort());
  const after = await platform.cpuTime(await platform.processTree(server.pid));
  await following;
  return { stdout, watch, before, after };
}

/**
 * Loads a server once, and adds up what it took.
 *
 * @param {Subject} subject
 * @param {MeasureOptions} options
 * @throws {UserError} ERR_BENCH_RUN_FAILED
 */
export async function measureTurn(subject, options) {
  const { seconds } = options.settings;
  const command = loadCommand(subject, seconds, options);
  const { stdout, ...watched } = await watchLoad(subject, command, { seconds }, options);
  const { watch, before, after } = watched;
  const result = options.generator.parse(stdout);
  const failed = failures(result.errors);
  if (result.requests === 0) failed.push("no request was answered");
  if (failed.length > 0) throw runFailed(failed, subject.server);
  const busy = watch.shares(options.program.workers);
  return {
    ...{ stdout, watch, before, after, result, busy },
    ...{ cpu: cpuBetween(before, after), userShare: userShareBetween(before, after) },
    tries: /** @type {number | undefined} */ (undefined),
  };
}

/**
 * Measures one server once: a fresh process, the contract, memory at rest, a
 * warm-up, the load in one turn or several, the contract again.
 *
 * @param {MeasureOptions} options
 * @returns {Promise<{ run: Run, raw: string }>} raw is what the generator printed
 * @throws {UserError} ERR_BENCH_RUN_FAILED when there were errors, so that
 *   the run doesn't count
 */
export function measure(options) {
  const { generator, settings, layout, inTurn = atOnce, settle = atOnce } = options;
  const startedAt = new Date().toISOString();
  return withServer(options, async (subject) => {
    const { pids, idleMemory, idleSockets } = subject;
    const { warmUpSeconds, connections, turns: count = 1 } = settings;
    if (warmUpSeconds > 0) await inTurn(() => load(subject, warmUpSeconds, options));

    /** @type {Awaited<ReturnType<typeof measureTurn>>[]} */
    const turns = [];
    for (let turn = 0; turn < count; turn++) {
      turns.push(await inTurn(() => settle(() => measureTurn(subject, options))));
    }
    const { busy, ...sums } = together(turns);
    const last = turns[turns.length - 1];
    /** @type {Map<number, number>} */
    const connectionsOf = new Map();
    for (const [index, pid] of pids.entries()) {
      const sockets = last.watch.sockets[index];
      if (sockets !== undefined) connectionsOf.set(pid, sockets - (idleSockets[index] ?? 0));
    }
    return {
      raw: turns.map(({ stdout }) => stdout).join("\n"),
      run: {
        startedAt,
        ...sums,
        ...busy,
        littlesLaw: littlesLaw({
          connections: connections * (generator.depth ?? 1),
          requestsPerSecond: sums.requestsPerSecond,
          meanLatency: sums.latency.mean,
        }),
        verdict: classifyLoad({ ...busy, coresShared: layout.shared }),
        idleMemory,
        memoryUnderLoad: turns.flatMap(({ watch }, turn) =>
          watch.memory.map(({ seconds, bytes }) => ({
            seconds: turn * settings.seconds + seconds,
            bytes,
          })),
        ),
        shares: workerShares(turns[0].before, last.after, connectionsOf),
        contract: subject.contract,
      },
    };
  });
}
