import { endGroup, RunningProgram, signalGroup, spawnGroup } from "../lib/processes.js";

/** How long a process has to end by itself before it is killed. */
const GRACE = 2_000;

/** A command in a shell; both of its outputs are one, in order. */
export class RunningCommand extends RunningProgram {
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
    super(child);
  }

  /** Whether it ended well. */
  get succeeded() {
    return this.ending === 0;
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
    signalGroup(this.child, "SIGINT");
    const ended = await this.waitUntil(() => !this.isRunning, limit);
    endGroup(this.child);
    if (!ended) await this.waitUntil(() => !this.isRunning, GRACE * 2);
    return ended;
  }
}
