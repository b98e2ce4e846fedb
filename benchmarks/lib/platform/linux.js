import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** @import { CpuSample, Memory, Platform } from "./index.js" */

const clockTicksPerSecond = readClockTicks();
const microsecondsPerTick = 1e6 / clockTicksPerSecond;

/** @returns {number} the unit of the times in /proc/PID/stat */
function readClockTicks() {
  try {
    return Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" })) || 100;
  } catch {
    return 100;
  }
}

/**
 * The fields of /proc/PID/stat after the command's name, which may itself
 * hold spaces and parentheses (proc(5)).
 *
 * @param {string} text
 * @returns {string[]} from field 3, the state, on
 */
export function parseStat(text) {
  return text.slice(text.lastIndexOf(")") + 2).split(" ");
}

/**
 * @param {string} path
 * @returns {string | undefined} nothing when the process has ended
 */
function readIfThere(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/**
 * @param {string} path
 * @returns {string[]}
 */
function listIfThere(path) {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

/**
 * The first line of /proc/stat's figures for some cores, in ticks.
 *
 * @param {string} text /proc/stat
 * @param {number[]} cores
 */
export function parseCoreTimes(text, cores) {
  const total = { busy: 0, all: 0, steal: 0 };
  for (const line of text.split("\n")) {
    const match = /^cpu(\d+) (.*)$/.exec(line);
    if (!match || !cores.includes(Number(match[1]))) continue;
    const [user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0] =
      match[2].trim().split(" ").map(Number);
    const busy = user + nice + system + irq + softirq;
    total.busy += busy;
    total.steal += steal;
    total.all += busy + idle + iowait + steal;
  }
  return total;
}

/**
 * CPU time to the nanosecond by thread, from /proc/PID/task/TID/schedstat,
 * and to the clock tick by process, from /proc/PID/stat, which also counts
 * threads that have ended.
 *
 * @param {number} pid
 */
function readCpu(pid) {
  /** @type {Map<number, number>} microseconds by thread */
  const threads = new Map();
  for (const name of listIfThere(`/proc/${pid}/task`)) {
    const text = readIfThere(`/proc/${pid}/task/${name}/schedstat`);
    if (text !== undefined) threads.set(Number(name), Number(text.split(" ")[0]) / 1e3);
  }
  const stat = readIfThere(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  const fields = parseStat(stat);
  const user = Number(fields[11]) * microsecondsPerTick;
  const process = user + Number(fields[12]) * microsecondsPerTick;
  return { threads, process, user };
}

/** @implements {Platform} */
export class LinuxPlatform {
  name = "linux";
  canPin = true;
  memoryKind = /** @type {const} */ ("PSS");

  /**
   * @param {number[]} cores
   * @returns {string[]}
   */
  pinned(cores) {
    return ["taskset", "--cpu-list", cores.join(",")];
  }

  /**
   * Moves a process that already runs, with all its threads.
   *
   * @param {number} pid
   * @param {number[]} cores
   */
  pin(pid, cores) {
    execFileSync("taskset", ["--all-tasks", "--pid", "--cpu-list", cores.join(","), String(pid)], {
      stdio: "ignore",
    });
  }

  /**
   * @param {number} root
   * @returns {Promise<number[]>}
   */
  async processTree(root) {
    /** @type {Map<number, number[]>} */
    const childrenOf = new Map();
    for (const name of readdirSync("/proc")) {
      if (!/^\d+$/.test(name)) continue;
      const stat = readIfThere(`/proc/${name}/stat`);
      if (stat === undefined) continue;
      const parent = Number(parseStat(stat)[1]);
      const siblings = childrenOf.get(parent);
      if (siblings) siblings.push(Number(name));
      else childrenOf.set(parent, [Number(name)]);
    }
    const tree = [root];
    for (const pid of tree) tree.push(...(childrenOf.get(pid) ?? []));
    return tree;
  }

  /**
   * @param {number[]} pids
   * @returns {Promise<CpuSample>}
   */
  async cpuTime(pids) {
    /** @type {CpuSample} */
    const sample = new Map();
    for (const pid of pids) {
      const cpu = readCpu(pid);
      if (cpu) sample.set(pid, cpu);
    }
    return sample;
  }

  /**
   * @param {number[]} pids
   * @returns {Promise<Memory>}
   */
  async memory(pids) {
    const kibibytes = { Pss: 0, Rss: 0, Private_Clean: 0, Private_Dirty: 0 };
    for (const pid of pids) {
      const text = readIfThere(`/proc/${pid}/smaps_rollup`) ?? "";
      for (const [, name, amount] of text.matchAll(/^(\w+):\s+(\d+) kB$/gm)) {
        if (name in kibibytes) {
          kibibytes[/** @type {keyof typeof kibibytes} */ (name)] += Number(amount);
        }
      }
    }
    return {
      kind: "PSS",
      bytes: kibibytes.Pss * 1024,
      rssBytes: kibibytes.Rss * 1024,
      privateBytes: (kibibytes.Private_Clean + kibibytes.Private_Dirty) * 1024,
    };
  }

  /**
   * @param {number} pid
   * @returns {Promise<number | undefined>}
   */
  async socketCount(pid) {
    let count = 0;
    for (const name of listIfThere(`/proc/${pid}/fd`)) {
      try {
        if (readlinkSync(`/proc/${pid}/fd/${name}`).startsWith("socket:")) count++;
      } catch {
        // Closed between the listing and the look.
      }
    }
    return count;
  }

  /**
   * @param {number[]} cores
   * @returns {Promise<{ busy: number, all: number, steal: number } | undefined>}
   */
  async coreTimes(cores) {
    const text = readIfThere("/proc/stat");
    return text === undefined ? undefined : parseCoreTimes(text, cores);
  }
}
