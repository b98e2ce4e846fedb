import { readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

const DAY = 24 * 60 * 60 * 1000;

// 2026-11-21T20-11-58-123Z-4242: a time, and the process that made it.
const ROLLED = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z-\d+$/;

/**
 * @typedef {object} Roll
 * @property {number} [bytes] how long a file gets before the next
 * @property {boolean} [daily] whether each day (in UTC) has its own
 * @property {number} [keep] how many old files stay, 10 unless set
 */

export function dayOf(time) {
  return Math.floor(time / DAY);
}

let lastTime = 0;

/** Gives the file of a log another name. */
export async function rollFile(path) {
  // Two in one millisecond would have one name.
  lastTime = Math.max(Date.now(), lastTime + 1);
  const time = new Date(lastTime).toISOString().replace(/[:.]/g, "-");
  await rename(path, `${path}.${time}-${process.pid}`);
}

export async function removeOldest(path, keep) {
  const folder = dirname(path);
  const start = `${basename(path)}.`;
  const names = await readdir(folder);
  const rolled = names.filter(
    (name) =>
      name.startsWith(start) && ROLLED.test(name.slice(start.length)),
  );
  for (const name of rolled.sort().reverse().slice(keep)) {
    // Another process may have been quicker.
    await rm(join(folder, name), { force: true });
  }
}

/** Whether a path leads to the file that is open. */
export async function leadsTo(path, { dev, ino }) {
  const there = await stat(path).catch(() => null);
  return there?.dev === dev && there?.ino === ino;
}
