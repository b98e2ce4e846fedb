import fs from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const HEAD = "Timestamp,RAM (KB),CPU (%),Threads_Count,FD_Count\n";
const TICK = 10;

/** @param {number} pid */
export function look(pid) {
  const read = (name) => fs.readFileSync(`/proc/${pid}/${name}`, "utf8");
  const stat = read("stat");
  // The second field is the program's name, and may hold spaces.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const status = read("status");
  return {
    at: performance.now(),
    cpu: (Number(fields[11]) + Number(fields[12])) * TICK,
    ram: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]),
    threads: Number(/Threads:\s+(\d+)/.exec(status)?.[1]),
    descriptors: fs.readdirSync(`/proc/${pid}/fd`).length,
  };
}

// A zombie has ended, and its parent hasn't asked how. It has no memory,
// and only root may list its descriptors.
const GONE = ["ENOENT", "ESRCH", "EACCES"];

function lookIfThere(pid) {
  try {
    const now = look(pid);
    return Number.isNaN(now.ram) ? undefined : now;
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
