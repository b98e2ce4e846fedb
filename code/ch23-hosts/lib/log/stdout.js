import { constants, fstatSync, openSync } from "node:fs";
import { isatty } from "node:tty";
import { Descriptor } from "./descriptor.js";

const { O_NOCTTY, O_NONBLOCK, O_WRONLY } = constants;

/** @param {typeof process.stdout} stream stdout or stderr */
export function openStandard(stream) {
  // For a pipe or a socket, asking for the stream makes it non-blocking.
  const { fd } = stream;
  if (isatty(fd)) return openTerminal(fd);
  const stats = fstatSync(fd);
  return new Descriptor(fd, stats.isFIFO() || stats.isSocket());
}

// What is opened once more can be non-blocking here, and blocking for all
// others. Where that isn't possible a terminal may hold us up.
function openTerminal(fd) {
  const flags = O_WRONLY | O_NONBLOCK | O_NOCTTY;
  try {
    return new Descriptor(openSync(`/dev/fd/${fd}`, flags), true);
  } catch {
    return new Descriptor(fd);
  }
}
