/**
 * Starting programs and ending them. Everything here that starts one uses this
 * file, but for the set-up. Node's own modules alone, so that the contracts in
 * code/ can use it on every Node.js.
 */

import { spawn } from "node:child_process";
import { Condition } from "./condition.js";

/** @import { ChildProcess, SpawnOptions } from "node:child_process" */

/** Process groups that may still run: none outlives us. @type {Set<number>} */
const groups = new Set();

process.once("exit", endAllGroups);

/**
 * Starts a program in a process group of its own, so that all that it starts
 * can be ended with it. Ctrl-C in our terminal doesn't reach it; when we end,
 * it is killed.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {SpawnOptions} options
 * @returns {ChildProcess}
 */
export function spawnGroup(program, args, options) {
  const child = spawn(program, args, { ...options, detached: true });
  if (child.pid !== undefined) groups.add(child.pid);
  return child;
}

/**
 * Sends a signal to all of a group.
 *
 * @param {ChildProcess} child  its first process
 * @param {NodeJS.Signals} name
 * @returns {boolean} whether there was anybody to get it
 */
export function signalGroup({ pid }, name) {
  return pid !== undefined && signal(pid, name);
}

/**
 * Kills what is left of a group.
 *
 * @param {ChildProcess} child  its first process
 */
export function endGroup({ pid }) {
  if (pid === undefined) return;
  signal(pid, "SIGKILL");
  groups.delete(pid);
}

/** Kills at once whatever was started here: for an exit or an interruption. */
export function endAllGroups() {
  for (const group of groups) signal(group, "SIGKILL");
  groups.clear();
}

/**
 * @param {number} group
 * @param {NodeJS.Signals} name
 * @returns {boolean}
 */
function signal(group, name) {
  try {
    return process.kill(-group, name);
  } catch {
    // It has ended already. (macOS says EPERM when only zombies are left.)
    return false;
  }
}

/** How long others may hold a program's output open when it has ended. */
const GRACE = 2_000;

/**
 * A program that runs: what it has printed so far, on both of its outputs,
 * and how it ended.
 */
export class RunningProgram {
  output = "";
  /** Exit code, or a signal's name. @type {number | string | undefined} */
  ending;
  /** Why it couldn't be started. @type {Error | undefined} */
  failure;
  #child;
  #change = new Condition();

  /**
   * @param {ChildProcess} child  just started
   * @param {{ most?: number }} [options]  how many characters to keep, the
   *   last ones; all unless set
   */
  constructor(child, { most = Number.POSITIVE_INFINITY } = {}) {
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text) => {
        this.output = (this.output + text).slice(-most);
        this.#change.changed();
      });
    }
    const finish = (/** @type {number | string} */ how) => {
      if (this.ending !== undefined) return;
      this.ending = how;
      this.#change.changed();
    };
    child.once("error", (err) => {
      this.failure = err;
      this.output += `${err.message}\n`;
      finish(127);
    });
    child.once("exit", (code, signalName) => {
      const ending = code ?? signalName ?? 0;
      child.once("close", () => finish(ending));
      // Something it left in the background may hold its output open.
      setTimeout(() => finish(ending), GRACE).unref();
      this.#change.changed();
    });
  }

  /** Its first process, with whatever was started by it. */
  get child() {
    return this.#child;
  }

  /** Whether more may come: it hasn't ended, or its output is still open. */
  get isRunning() {
    return this.ending === undefined;
  }

  /** Whether its own process has ended; others of its group may run. */
  get hasExited() {
    const { exitCode, signalCode } = this.#child;
    return this.failure !== undefined || exitCode !== null || signalCode !== null;
  }

  /**
   * Waits until a condition holds; looks whenever something is printed and
   * when the program ends.
   *
   * @param {() => boolean} condition
   * @param {number} limit  milliseconds
   * @returns {Promise<boolean>} whether it holds
   */
  waitUntil(condition, limit) {
    return this.#change.waitUntil(condition, limit);
  }
}

/**
 * Runs a program to its end, in a group of its own, and ends what it left
 * behind.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {object} options
 * @param {string} [options.cwd]
 * @param {NodeJS.ProcessEnv} [options.env]
 * @param {boolean} [options.shell]
 * @param {number} [options.limit]  milliseconds after which it is ended
 * @param {AbortSignal} [options.signal]  ends it
 * @param {(pid: number) => void} [options.onStart]
 * @returns {Promise<{ code: number | string, stdout: string, stderr: string,
 *   output: string, failure?: Error }>} the exit code, or the signal that
 *   ended it; what it printed, apart and together; code 127 and why, when it
 *   couldn't be started
 */
export function run(program, args, options) {
  const { cwd, env = process.env, shell = false, limit, signal: abortSignal, onStart } = options;
  return new Promise((resolve) => {
    const child = spawnGroup(program, args, {
      cwd,
      env: { ...env, NO_COLOR: "1" },
      shell,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const end = () => endGroup(child);
    const timer = limit === undefined ? undefined : setTimeout(end, limit);
    abortSignal?.addEventListener("abort", end);
    const printed = { stdout: "", stderr: "", output: "" };
    for (const name of /** @type {const} */ (["stdout", "stderr"])) {
      child[name]?.setEncoding("utf8").on("data", (text) => {
        printed[name] += text;
        printed.output += text;
      });
    }
    const finish = (
      /** @type {number | string} */ code,
      /** @type {Error | undefined} */ failure,
    ) => {
      clearTimeout(timer);
      abortSignal?.removeEventListener("abort", end);
      endGroup(child);
      resolve({ code, ...printed, ...(failure ? { failure } : {}) });
    };
    child.once("error", (err) => {
      printed.output += err.message;
      finish(127, err);
    });
    child.once("close", (code, signalName) => finish(code ?? signalName ?? 1, undefined));
    if (child.pid !== undefined) onStart?.(child.pid);
  });
}
