import { readFileSync } from "node:fs";

/** What a server may have: one core, and this much memory. */
export const MOST_MIB = 1024;

/**
 * The most that processes had in memory at any time, as the kernel has noted it.
 *
 * @param {number[]} pids
 * @returns {number} MiB, summed over the processes; 0 where the kernel doesn't tell
 */
export function peakMemory(pids) {
  let kibibytes = 0;
  for (const pid of pids) {
    try {
      const status = readFileSync(`/proc/${pid}/status`, "utf8");
      kibibytes += Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0);
    } catch {
      // It has ended, or this system has no /proc.
    }
  }
  return kibibytes / 1024;
}

/**
 * @param {{ [id: string]: number }} memory MiB of each server
 * @returns {string | undefined} which of them have used more than they may
 */
export function tooMuchMemory(memory) {
  const over = Object.entries(memory).filter(([, most]) => most > MOST_MIB);
  if (over.length === 0) return undefined;
  const words = over.map(([id, most]) => `${id} has used ${Math.round(most)} MiB`);
  return `${words.join(", ")}, and a server may have ${MOST_MIB}.`;
}
