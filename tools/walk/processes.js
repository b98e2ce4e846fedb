import { endGroup, signalGroup, spawnGroup } from "../lib/process-groups.js";

/** How long a process has to end by itself before it is killed. */
const GRACE = 2_000;

/**
 * A command in a shell, with what it printed so far on both of its outputs, in
 * order.
 */
export class RunningCommand {
  output = "";
  /** Exit code, or a signal's name. @type {number | string | undefined} */
  ending;
  #process;
  /** @type {Set<() => void>} */
  #listeners = new Set();

  /**
   * @param {string} command
   * @param {{ cwd: string, env: NodeJS.ProcessEnv }} options
   */
  constructor(command, { cwd, env }) {
    // Ctrl-C must reach all of a pipeline, and not us.
    const child = spawnGroup("bash", ["-c", `exec 2>&1\n${command}`], {
      cwd,
      env,
      stdio: ["ignore", "pipe", "ignore"],
    });
    this.#process = child;
    child.stdout?.setEncoding("utf8").on("data", (text) => {
      this.output += text;
      this.#changed();
    });
    child.once("error", (err) => {
      this.output += `${err.message}\n`;
      this.ending = 127;
      this.#changed();
    });
    /** @type {number | string} */
    let ending = 0;
    child.once("exit", (code, signalName) => {
      ending = code ?? signalName ?? 0;
      // Something it left in the background may hold the pipe open.
      setTimeout(() => finish(ending), GRACE).unref();
    });
    child.once("close", () => finish(ending));
    const finish = (/** @type {number | string} */ how) => {
      if (this.ending !== undefined) return;
      this.ending = how;
      this.#changed();
    };
  }

  get isRunning() {
    return this.ending === undefined;
  }

  /** Whether it ended well. */
  get succeeded() {
    return this.ending === 0;
  }

  /**
   * Waits until a condition holds; looks whenever something is printed and
   * when the command ends.
   *
   * @param {() => boolean} condition
   * @param {number} limit  milliseconds
   * @returns {Promise<boolean>} whether it holds
   */
  waitUntil(condition, limit) {
    if (condition()) return Promise.resolve(true);
    return new Promise((resolve) => {
      const done = (/** @type {boolean} */ holds) => {
        clearTimeout(timer);
        this.#listeners.delete(look);
        resolve(holds);
      };
      const look = () => {
        if (condition()) done(true);
      };
      const timer = setTimeout(() => done(condition()), limit);
      this.#listeners.add(look);
    });
  }

  /**
   * Waits until nothing has been printed for a while, or the command ended.
   *
   * @param {number} quiet  milliseconds
   */
  async settle(quiet) {
    let length = -1;
    while (this.isRunning && length !== this.output.length) {
      length = this.output.length;
      await this.waitUntil(() => !this.isRunning || this.output.length !== length, quiet);
    }
  }

  /**
   * Presses Ctrl-C, and kills what doesn't listen to it.
   *
   * @param {number} [limit]  milliseconds to wait for its end
   * @returns {Promise<boolean>} whether Ctrl-C was enough
   */
  async interrupt(limit = GRACE) {
    signalGroup(this.#process, "SIGINT");
    const ended = await this.waitUntil(() => !this.isRunning, limit);
    endGroup(this.#process);
    if (!ended) await this.waitUntil(() => !this.isRunning, GRACE * 2);
    return ended;
  }

  #changed() {
    for (const listener of [...this.#listeners]) listener();
  }
}
