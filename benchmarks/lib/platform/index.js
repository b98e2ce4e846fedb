import { benchError } from "../errors.js";
import { LinuxPlatform } from "./linux.js";
import { PortablePlatform } from "./portable.js";

/**
 * CPU time used so far, by process: to the nanosecond for each thread where
 * the system tells, and for the process as a whole.
 *
 * @typedef {Map<number, { threads: Map<number, number>, process: number, user?: number }>} CpuSample
 *   all times in microseconds; user: the part of `process` outside the kernel
 */

/**
 * @typedef {object} Memory
 * @property {"PSS" | "RSS"} kind PSS counts a page that n processes share as
 *   1/n in each; RSS counts it in full in each of them
 * @property {number} bytes by that kind, summed over the processes
 * @property {number} rssBytes
 * @property {number} [privateBytes] what no other process shares
 */

/**
 * What differs from system to system. The figures of two kinds of memory
 * must never stand in one table.
 *
 * @typedef {object} Platform
 * @property {string} name
 * @property {boolean} canPin
 * @property {"PSS" | "RSS"} memoryKind
 * @property {(cores: number[]) => string[]} pinned the words to put before a
 *   command so that it runs on these cores only
 * @property {(pid: number, cores: number[]) => void} pin
 * @property {(root: number) => Promise<number[]>} processTree the process and
 *   all that descend from it, the root first
 * @property {(pids: number[]) => Promise<CpuSample>} cpuTime
 * @property {(pids: number[]) => Promise<Memory>} memory
 * @property {(pid: number) => Promise<number | undefined>} socketCount
 * @property {(cores: number[]) =>
 *   Promise<{ busy: number, all: number, steal: number } | undefined>} coreTimes
 *   of everything that runs on these cores, in ticks
 */

/**
 * @param {string} [system] as in process.platform
 * @returns {Platform}
 * @throws {UserError} ERR_BENCH_PLATFORM on a system we can't measure on
 */
export function choosePlatform(system = process.platform) {
  if (system === "linux") return new LinuxPlatform();
  if (system === "darwin") return new PortablePlatform();
  throw benchError(
    "ERR_BENCH_PLATFORM",
    `The benchmark measures CPU time and memory on Linux and macOS; this is ${system}. ` +
      "On Windows run it inside WSL 2.",
  );
}

/**
 * The CPU time that one process used between two samples. The sum over
 * threads is exact but loses threads that ended in between; the process's own
 * figure counts those but moves in clock ticks. So the second is taken only
 * when a thread is gone.
 *
 * @param {CpuSample} before
 * @param {CpuSample} after
 * @param {number} pid
 * @returns {number} microseconds
 */
export function processCpuBetween(before, after, pid) {
  const end = after.get(pid);
  if (!end) {
    throw benchError(
      "ERR_BENCH_PROCESS_ENDED",
      `Process ${pid} ended while it was measured, so its CPU time can't be told.`,
    );
  }
  const start = before.get(pid) ?? { threads: new Map(), process: 0 };
  const byProcess = end.process - start.process;
  if (end.threads.size === 0) return byProcess;
  for (const thread of start.threads.keys()) if (!end.threads.has(thread)) return byProcess;
  let byThreads = 0;
  for (const [thread, used] of end.threads) byThreads += used - (start.threads.get(thread) ?? 0);
  return byThreads;
}

/**
 * @param {CpuSample} before
 * @param {CpuSample} after
 * @returns {number} microseconds, over all processes of either sample
 * @throws {UserError} ERR_BENCH_PROCESS_ENDED when one of them is gone
 */
export function cpuBetween(before, after) {
  let total = 0;
  for (const pid of new Set([...before.keys(), ...after.keys()])) {
    total += processCpuBetween(before, after, pid);
  }
  return total;
}

/**
 * The share of the CPU time that was spent outside the kernel.
 *
 * @param {CpuSample} before
 * @param {CpuSample} after
 * @returns {number | undefined} 0 to 1; nothing where the system doesn't tell
 */
export function userShareBetween(before, after) {
  let user = 0;
  let all = 0;
  for (const [pid, end] of after) {
    const start = before.get(pid);
    if (end.user === undefined) return undefined;
    user += end.user - (start?.user ?? 0);
    all += end.process - (start?.process ?? 0);
  }
  return all > 0 ? user / all : undefined;
}
