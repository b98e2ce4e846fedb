import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** @import { CpuSample, Memory, Platform } from "./index.js" */

const run = promisify(execFile);

/**
 * A duration as ps prints it: `[[days-]hours:]minutes:seconds[.hundredths]`.
 * macOS gives hundredths, Linux whole seconds.
 *
 * @param {string} text
 * @returns {number} microseconds
 */
export function parsePsTime(text) {
  const match = /^(?:(?:(\d+)-)?(\d+):)?(\d+):(\d+(?:\.\d+)?)$/.exec(text);
  if (!match) throw new TypeError(`ps printed a time that we can't read: ${text}`);
  const [days, hours, minutes, seconds] = match.slice(1).map((part) => Number(part ?? 0));
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1e6;
}

/**
 * The output of `ps -o pid=,ppid=,rss=,time=`.
 *
 * @param {string} text
 * @returns {Map<number, { parent: number, rssBytes: number, cpuMicroseconds: number }>}
 */
export function parsePs(text) {
  const processes = new Map();
  for (const line of text.split("\n")) {
    const fields = line.trim().split(/\s+/);
    if (fields.length !== 4) continue;
    const [pid, parent, rss, time] = fields;
    processes.set(Number(pid), {
      parent: Number(parent),
      rssBytes: Number(rss) * 1024,
      cpuMicroseconds: parsePsTime(time),
    });
  }
  return processes;
}

async function readProcesses() {
  const { stdout } = await run("ps", ["-A", "-o", "pid=,ppid=,rss=,time="], {
    maxBuffer: 16 * 1024 * 1024,
    env: { ...process.env, LC_ALL: "C" },
  });
  return parsePs(stdout);
}

/**
 * What `ps` can tell, on macOS and anywhere else. No pinning, no PSS, CPU
 * time by process only.
 *
 * @implements {Platform}
 */
export class PortablePlatform {
  name = "portable";
  canPin = false;
  memoryKind = /** @type {const} */ ("RSS");

  /** @returns {string[]} */
  pinned() {
    return [];
  }

  pin() {}

  /**
   * @param {number} root
   * @returns {Promise<number[]>}
   */
  async processTree(root) {
    const processes = await readProcesses();
    const tree = [root];
    for (const pid of tree) {
      for (const [child, { parent }] of processes) if (parent === pid) tree.push(child);
    }
    return tree;
  }

  /**
   * @param {number[]} pids
   * @returns {Promise<CpuSample>}
   */
  async cpuTime(pids) {
    const processes = await readProcesses();
    /** @type {CpuSample} */
    const sample = new Map();
    for (const pid of pids) {
      const found = processes.get(pid);
      if (found) sample.set(pid, { threads: new Map(), process: found.cpuMicroseconds });
    }
    return sample;
  }

  /**
   * @param {number[]} pids
   * @returns {Promise<Memory>}
   */
  async memory(pids) {
    const processes = await readProcesses();
    let rssBytes = 0;
    for (const pid of pids) rssBytes += processes.get(pid)?.rssBytes ?? 0;
    return { kind: "RSS", bytes: rssBytes, rssBytes };
  }

  async socketCount() {
    return undefined;
  }

  async coreTimes() {
    return undefined;
  }
}
