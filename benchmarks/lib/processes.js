import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { benchError } from "./errors.js";

/** @import { ChildProcess } from "node:child_process" */

/**
 * Every process group that we started and that may still run. Whatever way
 * the benchmark ends, nothing of it stays behind.
 *
 * @type {Set<number>}
 */
const started = new Set();

/**
 * @param {number} group
 * @param {NodeJS.Signals} signal
 * @returns {boolean} whether there was anybody to get it
 */
function signalGroup(group, signal) {
  try {
    return process.kill(-group, signal);
  } catch (err) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (err);
    // macOS answers EPERM when only zombies are left.
    if (code === "ESRCH" || code === "EPERM") return false;
    throw err;
  }
}

/** Ends at once whatever we started: for a signal handler or an exit. */
export function killStarted() {
  for (const group of started) signalGroup(group, "SIGKILL");
  started.clear();
}

process.on("exit", killStarted);

/**
 * Starts a program in a process group of its own, so that Ctrl-C reaches us
 * and not it, and so that it can be ended with all its children.
 *
 * @param {string[]} command
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 * @returns {ChildProcess & { pid: number }}
 */
function start(command, { cwd, env } = {}) {
  const [file, ...args] = command;
  const child = spawn(file, args, {
    cwd,
    env: { ...process.env, ...env },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stdout?.setEncoding("utf8");
  child.stderr?.setEncoding("utf8");
  if (child.pid !== undefined) started.add(child.pid);
  return /** @type {ChildProcess & { pid: number }} */ (child);
}

/**
 * @param {ChildProcess} child
 * @param {string} command
 * @returns {Promise<never>} rejects when the program can't be started
 */
async function startFailure(child, command) {
  const [err] = await once(child, "error");
  throw benchError("ERR_BENCH_START", `Can't start ${command}: ${err.message}`, { cause: err });
}

/**
 * @returns {Promise<number>} a port that was free a moment ago
 */
export async function findFreePort() {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  server.close();
  await once(server, "close");
  return port;
}

/**
 * A server under test: a program that prints `listening on http://...` when
 * all of it is ready.
 */
export class ServerProcess {
  #child;
  #output = "";

  /**
   * @param {ChildProcess & { pid: number }} child
   * @param {number} port
   */
  constructor(child, port) {
    this.#child = child;
    this.port = port;
    this.pid = child.pid;
    const keep = (/** @type {string} */ chunk) => {
      this.#output = (this.#output + chunk).slice(-10_000);
    };
    child.stdout?.on("data", keep);
    child.stderr?.on("data", keep);
  }

  /**
   * @param {object} options
   * @param {string[]} options.command
   * @param {string} [options.cwd]
   * @param {NodeJS.ProcessEnv} [options.env]
   * @param {number} [options.timeout] milliseconds until it must listen
   * @returns {Promise<ServerProcess>}
   * @throws {UserError} ERR_BENCH_START when it ends or says nothing in time
   */
  static async start({ command, cwd, env, timeout = 15_000 }) {
    const port = await findFreePort();
    const child = start(command, { cwd, env: { ...env, PORT: String(port) } });
    const server = new ServerProcess(child, port);
    try {
      await Promise.race([
        server.#listening(timeout, command.join(" ")),
        startFailure(child, command.join(" ")),
      ]);
    } catch (err) {
      await server.stop();
      throw err;
    }
    return server;
  }

  /**
   * @param {number} timeout milliseconds
   * @param {string} command
   */
  #listening(timeout, command) {
    return new Promise((resolve, reject) => {
      const fail = (/** @type {string} */ why) => {
        clearTimeout(timer);
        reject(benchError("ERR_BENCH_START", `${command} ${why}\n${this.#output}`.trim()));
      };
      const timer = setTimeout(() => fail(`did not listen within ${timeout} ms`), timeout);
      this.#child.once("exit", (code, signal) =>
        fail(`ended (${signal ?? code}) before it listened`),
      );
      this.#child.stdout?.on("data", () => {
        if (!/listening on http:\/\//.test(this.#output)) return;
        clearTimeout(timer);
        resolve(undefined);
      });
    });
  }

  /** What the server has printed, the last ten thousand characters. */
  get output() {
    return this.#output;
  }

  get isRunning() {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Asks it to end, and after a second makes it. */
  async stop() {
    if (this.isRunning && this.pid !== undefined) {
      const ended = once(this.#child, "exit");
      signalGroup(this.pid, "SIGTERM");
      const timer = setTimeout(() => signalGroup(this.pid, "SIGKILL"), 1_000);
      await ended;
      clearTimeout(timer);
    }
    if (this.pid === undefined) return;
    // Workers of a primary that went first. They aren't our children, so no
    // event tells when they are gone.
    while (signalGroup(this.pid, "SIGKILL")) await delay(5);
    started.delete(this.pid);
  }
}

/**
 * Runs a program to its end.
 *
 * @param {string[]} command
 * @param {object} [options]
 * @param {string} [options.cwd]
 * @param {NodeJS.ProcessEnv} [options.env]
 * @param {(pid: number) => void} [options.onStart]
 * @param {AbortSignal} [options.signal] ends it
 * @returns {Promise<{ stdout: string, stderr: string }>}
 * @throws {UserError} ERR_BENCH_COMMAND when it fails
 */
export async function runToEnd(command, { cwd, env, onStart, signal } = {}) {
  signal?.throwIfAborted();
  const child = start(command, { cwd, env });
  let stdout = "";
  let stderr = "";
  child.stdout?.on("data", (chunk) => {
    stdout += chunk;
  });
  child.stderr?.on("data", (chunk) => {
    stderr += chunk;
  });
  const abort = () => signalGroup(child.pid, "SIGKILL");
  signal?.addEventListener("abort", abort);
  try {
    if (child.pid !== undefined) onStart?.(child.pid);
    const [code, killedBy] = await Promise.race([
      startFailure(child, command.join(" ")),
      once(child, "close"),
    ]);
    signal?.throwIfAborted();
    if (code === 0) return { stdout, stderr };
    throw benchError(
      "ERR_BENCH_COMMAND",
      `${command.join(" ")} ended with ${killedBy ?? code}:\n${stderr || stdout}`.trim(),
    );
  } finally {
    signal?.removeEventListener("abort", abort);
    if (child.pid !== undefined) started.delete(child.pid);
  }
}
