import fs from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const HEAD = "Timestamp,RAM (KB),CPU (%),Threads_Count,FD_Count\n";
const TICK = 10;

// A process that has ended meanwhile counts as nothing.
function readOf(pid, name) {
  try {
    return fs.readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return "";
  }
}

function list(pid, name) {
  try {
    return fs.readdirSync(`/proc/${pid}/${name}`);
  } catch {
    return [];
  }
}

function childrenOf(pid) {
  return list(pid, "task").flatMap((thread) =>
    readOf(pid, `task/${thread}/children`).split(" ").filter(Boolean),
  );
}

function lookAtOne(pid) {
  const stat = readOf(pid, "stat");
  // The second field is the program's name, and may hold spaces.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const status = readOf(pid, "status");
  // Its own time, and that of children which have ended.
  const ticks = fields
    .slice(11, 15)
    .reduce((all, each) => all + Number(each), 0);
  return {
    cpu: ticks * TICK,
    ram: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0),
    threads: Number(/Threads:\s+(\d+)/.exec(status)?.[1] ?? 0),
    descriptors: list(pid, "fd").length,
  };
}

/** @param {number} pid of a process, whose descendants count too */
export function look(pid) {
  // Throws where the process has ended.
  fs.readFileSync(`/proc/${pid}/stat`);
  const pids = [String(pid)];
  for (const each of pids) pids.push(...childrenOf(each));
  const sum = { cpu: 0, ram: 0, threads: 0, descriptors: 0 };
  for (const each of pids) {
    for (const [key, value] of Object.entries(lookAtOne(each))) {
      sum[key] += value;
    }
  }
  return { at: performance.now(), ...sum };
}

// A zombie has ended, and its parent hasn't asked how. It has no memory,
// and only root may list its descriptors.
const GONE = ["ENOENT", "ESRCH", "EACCES"];

function lookIfThere(pid) {
  try {
    const now = look(pid);
    return now.ram === 0 ? undefined : now;
  } catch (err) {
    if (GONE.includes(err.code)) return undefined;
    throw err;
  }
}

/**
 * Writes a line a second until the process ends.
 *
 * @param {number} pid
 * @param {string} file
 * @param {AbortSignal} [signal] ends it sooner, with an AbortError
 */
export async function monitor(pid, file, signal) {
  let before = look(pid);
  fs.writeFileSync(file, HEAD);
  for (;;) {
    await sleep(1000, undefined, { signal });
    const now = lookIfThere(pid);
    if (now === undefined) return;
    const cpu = ((now.cpu - before.cpu) / (now.at - before.at)) * 100;
    const { ram, threads, descriptors } = now;
    const time = new Date().toISOString();
    const line = [time, ram, cpu.toFixed(1), threads, descriptors].join();
    fs.appendFileSync(file, `${line}\n`);
    before = now;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [pid, label] = process.argv.slice(2);
  await monitor(Number(pid), `process_stats_${label}.csv`);
}
