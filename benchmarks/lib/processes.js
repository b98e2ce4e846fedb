import { setTimeout as delay } from "node:timers/promises";
import { findFreePort } from "../../tools/lib/ports.js";
import {
  endGroup,
  RunningProgram,
  run,
  signalGroup,
  spawnGroup,
} from "../../tools/lib/processes.js";
import { benchError } from "./errors.js";

/** How long a server has to end by itself before it is made to, in milliseconds. */
const grace = 1_000;

/**
 * @param {string[]} command
 * @param {Error} failure
 */
function startFailure(command, failure) {
  return benchError("ERR_BENCH_START", `Can't start ${command.join(" ")}: ${failure.message}`, {
    cause: failure,
  });
}

/**
 * A server under test: a program that prints `listening on http://...` when
 * all of it is ready.
 */
export class ServerProcess {
  #program;

  /**
   * @param {RunningProgram} program
   * @param {number} port
   */
  constructor(program, port) {
    this.#program = program;
    this.port = port;
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
    const [file, ...args] = command;
    const child = spawnGroup(file, args, {
      cwd,
      env: { ...process.env, ...env, PORT: String(port) },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const program = new RunningProgram(child, { most: 10_000 });
    const server = new ServerProcess(program, port);
    const isListening = () => program.output.includes("listening on http://");
    await program.waitUntil(() => isListening() || !program.isRunning, timeout);
    if (isListening()) return server;
    const { failure, ending } = program;
    await server.stop();
    if (failure) throw startFailure(command, failure);
    const why =
      ending === undefined
        ? `did not listen within ${timeout} ms`
        : `ended (${ending}) before it listened`;
    throw benchError("ERR_BENCH_START", `${command.join(" ")} ${why}\n${server.output}`.trim());
  }

  get pid() {
    return /** @type {number} */ (this.#program.child.pid);
  }

  /** What the server has printed, the last ten thousand characters. */
  get output() {
    return this.#program.output;
  }

  get isRunning() {
    return !this.#program.hasExited;
  }

  /** Asks it to end, and after a second makes it. */
  async stop() {
    const { child } = this.#program;
    signalGroup(child, "SIGTERM");
    await this.#program.waitUntil(() => !this.isRunning, grace);
    // Workers of a primary that went first aren't our children, so no event
    // tells when they are gone.
    while (signalGroup(child, "SIGKILL")) await delay(5);
    endGroup(child);
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
export async function runToEnd(command, { env, ...options } = {}) {
  options.signal?.throwIfAborted();
  const [file, ...args] = command;
  const { code, stdout, stderr, failure } = await run(file, args, {
    ...options,
    env: { ...process.env, ...env },
  });
  options.signal?.throwIfAborted();
  if (failure) throw startFailure(command, failure);
  if (code === 0) return { stdout, stderr };
  throw benchError(
    "ERR_BENCH_COMMAND",
    `${command.join(" ")} ended with ${code}:\n${stderr || stdout}`.trim(),
  );
}
