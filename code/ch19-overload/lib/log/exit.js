import { LAST_WORDS } from "./pause.js";

/** @import { Destination } from "./destination.js" */

/** @type {Set<Destination>} */
const destinations = new Set();
/** @type {Set<Destination>} */
const files = new Set();

/** Writes what waits when the process ends, as far as it can be known. */
export function flushAtExit(destination) {
  if (destinations.size === 0) {
    process.on("exit", flushAllSync);
    process.once("SIGTERM", flushAll);
    process.once("SIGINT", flushAll);
  }
  destinations.add(destination);
}

/** Opens a file anew when the process gets SIGHUP. */
export function reopenOnSignal(destination) {
  if (files.size === 0) process.on("SIGHUP", reopenAll);
  files.add(destination);
}

export function forget(destination) {
  files.delete(destination);
  if (files.size === 0) process.off("SIGHUP", reopenAll);
  destinations.delete(destination);
  if (destinations.size > 0) return;
  process.off("exit", flushAllSync);
  process.off("SIGTERM", flushAll);
  process.off("SIGINT", flushAll);
}

function flushAllSync() {
  const end = performance.now() + LAST_WORDS;
  for (const destination of destinations) destination.flushSync(end);
}

async function flushAll(signal) {
  // With a listener Node doesn't end the process: another may decide.
  const isDecided = process.listenerCount(signal) > 0;
  await Promise.all(Array.from(destinations, (each) => each.flush()));
  if (isDecided) return;
  process.kill(process.pid, signal);
}

function reopenAll() {
  for (const file of files) file.reopen();
}
