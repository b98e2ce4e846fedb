import { fork } from "node:child_process";
import cluster from "node:cluster";
import net from "node:net";

const PRELOAD = new URL("./worker.js", import.meta.url).href;

/** Ways in which workers can share a port. */
export const SHARINGS = ["socket", "round-robin", "reuse-port"];

/** The best that this Node.js has. */
export function bestSharing() {
  return net.BoundSocket === undefined ? "round-robin" : "socket";
}

/**
 * Starts a worker. Its outputs are pipes.
 *
 * @param {{ script: string, args: string[], sharing: string }} settings
 * @param {number[]} descriptors what it inherits, from 4 on
 * @param {object} message for the worker's side
 */
export function startProcess(settings, descriptors, message) {
  const { script, args, sharing } = settings;
  const execArgv = ["--import", PRELOAD];
  const note = { VELOCY_WORKER: JSON.stringify(message) };
  /** @type {any[]} */
  const stdio = ["ignore", "pipe", "pipe", "ipc", ...descriptors];
  if (sharing === "round-robin") {
    cluster.setupPrimary({ exec: script, args, execArgv, stdio });
    const worker = cluster.fork(note);
    // It repeats its process's errors, and nobody listens here.
    worker.on("error", () => {});
    return worker.process;
  }
  const env = { ...process.env, ...note };
  return fork(script, args, { execArgv, env, stdio });
}
