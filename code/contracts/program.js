import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** How long a program may take over anything, in milliseconds. */
const PATIENCE = 5_000;

/**
 * A server that runs as a program of its own. It says where it listens, and
 * what it prints after that is kept.
 */
export class Program {
  #child;
  #file;
  #printed = "";
  /** Called when something has been printed, or the program has ended. */
  #listeners = /** @type {Set<() => void>} */ (new Set());

  /** Where it listens; 0 as long as it has not said. */
  get port() {
    return Number(LISTENING.exec(this.#printed)?.[1] ?? 0);
  }

  /** The whole lines that it printed after that, but for empty ones. */
  get lines() {
    const [, later = ""] = this.#printed.split(LISTENING_LINE);
    const whole = later.slice(0, later.lastIndexOf("\n") + 1);
    return whole.split(/\r?\n/).filter((line) => line !== "");
  }

  /**
   * @param {import("node:child_process").ChildProcessByStdio<
   *   null, import("node:stream").Readable, import("node:stream").Readable
   * >} child
   * @param {string} file
   */
  constructor(child, file) {
    this.#child = child;
    this.#file = file;
    const wake = () => {
      for (const listener of this.#listeners) listener();
    };
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8");
      stream.on("data", (text) => {
        this.#printed += text;
        wake();
      });
    }
    child.once("close", wake);
  }

  /**
   * Runs `node FILE` on a free port.
   *
   * @param {URL} folder
   * @param {string} [file] in that folder
   * @param {Record<string, string>} [env] in addition to ours
   * @returns {Promise<Program>} once it listens
   * @throws {Error} with what it printed, when it doesn't
   */
  static async start(folder, file = "server.js", env = {}) {
    if (!existsSync(new URL(file, folder))) {
      throw new Error(`there is no ${file} in the folder`);
    }
    const child = spawn(process.execPath, [file], {
      cwd: fileURLToPath(folder),
      env: { ...process.env, PORT: "0", ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const program = new Program(child, file);
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
    if (this.#hasEnded) return;
    this.#child.kill();
    await once(this.#child, "exit");
  }

  get #hasEnded() {
    const { exitCode, signalCode } = this.#child;
    return exitCode !== null || signalCode !== null;
  }

  /**
   * @param {() => boolean} isThere
   * @param {string} complaint what it did instead
   * @returns {Promise<void>}
   */
  #until(isThere, complaint) {
    return new Promise((resolve, reject) => {
      const finish = (/** @type {() => void} */ settle) => {
        clearTimeout(timer);
        this.#listeners.delete(check);
        settle();
      };
      const fail = (/** @type {string} */ what) => {
        const story = `${what}; it printed:\n${this.#printed}`;
        finish(() => reject(new Error(`${this.#file} ${story}`)));
      };
      const check = () => {
        if (isThere()) finish(resolve);
        else if (this.#hasEnded) fail("ended");
      };
      const timer = setTimeout(() => fail(complaint), PATIENCE);
      this.#listeners.add(check);
      check();
    });
  }
}

const LISTENING = /listening on http:\/\/localhost:(\d+)/;
const LISTENING_LINE = /listening on http:\/\/localhost:\d+.*\n/;
