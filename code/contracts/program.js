import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { RunningProgram } from "../../tools/lib/processes.js";

/** How long a program may take over anything, in milliseconds. */
const PATIENCE = 10_000;

const LISTENING = /listening on http:\/\/localhost:(\d+)/;
const LISTENING_LINE = /listening on http:\/\/localhost:\d+.*\n/;

/**
 * A server that runs as a program of its own. It says where it listens, and
 * what it prints after that is kept.
 */
export class Program {
  #program;
  #file;

  /**
   * @param {RunningProgram} program
   * @param {string} file
   */
  constructor(program, file) {
    this.#program = program;
    this.#file = file;
  }

  /**
   * Runs `node FILE` on a free port.
   *
   * @param {string | URL} folder
   * @param {string} [file] in that folder
   * @param {Record<string, string>} [env] in addition to ours
   * @returns {Promise<Program>} once it listens
   * @throws {Error} with what it printed, when it doesn't
   */
  static async start(folder, file = "server.js", env = {}) {
    const cwd = folder instanceof URL ? fileURLToPath(folder) : folder;
    if (!existsSync(join(cwd, file))) {
      throw new Error(`there is no ${file} in the folder`);
    }
    // In our own process group: who ends the tests ends it too.
    const child = spawn(process.execPath, [file], {
      cwd,
      env: { ...process.env, PORT: "0", ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const program = new Program(new RunningProgram(child), file);
    try {
      await program.#until(
        () => program.port !== 0,
        "did not print `listening on http://localhost:<port>`",
      );
    } catch (error) {
      await program.close();
      throw error;
    }
    return program;
  }

  /** Where it listens; 0 as long as it has not said. */
  get port() {
    return Number(LISTENING.exec(this.#program.output)?.[1] ?? 0);
  }

  get pid() {
    return this.#program.child.pid;
  }

  /** The whole lines that it printed after that, but for empty ones. */
  get lines() {
    const [, later = ""] = this.#program.output.split(LISTENING_LINE);
    const whole = later.slice(0, later.lastIndexOf("\n") + 1);
    return whole.split(/\r?\n/).filter((line) => line !== "");
  }

  /**
   * Waits until it has printed enough.
   *
   * @param {(lines: string[]) => boolean} isEnough
   * @returns {Promise<string[]>} all lines so far
   * @throws {Error} with what it printed, when that isn't enough
   */
  async linesUntil(isEnough) {
    await this.#until(() => isEnough(this.lines), "did not print enough");
    return this.lines;
  }

  async close() {
    const { child, hasExited } = this.#program;
    if (hasExited) return;
    child.kill();
    await once(child, "exit");
  }

  /**
   * @param {() => boolean} isThere
   * @param {string} complaint what it did instead
   * @throws {Error}
   */
  async #until(isThere, complaint) {
    const program = this.#program;
    const isOver = () => isThere() || !program.isRunning;
    await program.waitUntil(isOver, PATIENCE);
    if (isThere()) return;
    const { ending, output } = program;
    const how =
      typeof ending === "number" ? `code ${ending}` : String(ending);
    const what = ending === undefined ? complaint : `ended with ${how}`;
    throw new Error(`${this.#file} ${what}; it printed:\n${output}`);
  }
}
