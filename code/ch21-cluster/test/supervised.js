import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "../../contracts/port.js";

const BIN = fileURLToPath(new URL("../bin/velocy.js", import.meta.url));
const INDEX = new URL("../index.js", import.meta.url).href;
export const CLUSTER = new URL("../lib/cluster/index.js", import.meta.url)
  .href;
const LIMIT = 60_000;

/** Ways to share a port that this Node.js has. */
const [major, minor] = process.versions.node.split(".").map(Number);
export const SHARINGS = [
  "round-robin",
  ...(major > 24 || (major === 24 && minor >= 19) ? ["socket"] : []),
];

/** A supervisor in a process of its own, and what it prints. */
export class Supervised {
  output = "";
  #folder = mkdtempSync(path.join(tmpdir(), "velocy-cluster-"));
  #waiting = new Set();

  /**
   * @param {import("node:test").TestContext} t
   * @param {string} program what the workers run; `createServer`, `Router`,
   *   `sleep` and `port` are there
   * @param {string[]} [words] more arguments of the command
   */
  static async start(t, program, words = []) {
    const port = await freePort();
    return new Supervised(t, program, port, (script) => [
      BIN,
      script,
      ...words,
    ]);
  }

  /**
   * The same by `supervise()`, with options that the command doesn't have.
   *
   * @param {import("node:test").TestContext} t
   * @param {string} program
   * @param {object} options
   */
  static async startWith(t, program, options) {
    const port = await freePort();
    return new Supervised(t, program, port, (script) => {
      const all = JSON.stringify({ script, ...options });
      const code = `import { supervise } from ${JSON.stringify(CLUSTER)};
supervise(${all});`;
      return ["--input-type=module", "-e", code];
    });
  }

  /**
   * The supervisor's own program, in a process with few descriptors.
   *
   * @param {import("node:test").TestContext} t
   * @param {string} program
   * @param {(script: string) => string} codeOf
   */
  static async startPoor(t, program, codeOf) {
    const port = await freePort();
    const commandOf = (script) => {
      const words = ["--input-type=module", "-e", codeOf(script)];
      const limited = 'ulimit -n 128; exec "$0" "$@"';
      return ["-c", limited, process.execPath, ...words];
    };
    return new Supervised(t, program, port, commandOf, "sh");
  }

  constructor(t, program, port, commandOf, command = process.execPath) {
    this.port = port;
    this.write(program);
    this.child = spawn(command, commandOf(this.script), {
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.ended = once(this.child, "exit");
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => {
        this.output += text;
        for (const look of this.#waiting) look();
      });
    }
    t.after(() => this.#clean());
  }

  get script() {
    return path.join(this.#folder, "server.mjs");
  }

  /** Puts another program in place. */
  write(program) {
    const text = `
import { createServer, Router } from ${JSON.stringify(INDEX)};
import { setTimeout as sleep } from "node:timers/promises";
const port = ${this.port};
${program}`;
    writeFileSync(this.script, text);
  }

  /** Waits until it has printed something so many times. */
  async says(pattern, count = 1) {
    const all = new RegExp(pattern, "g");
    const isThere = () => [...this.output.matchAll(all)].length >= count;
    if (!isThere()) {
      await new Promise((resolve, reject) => {
        const fail = () =>
          reject(new Error(`no ${pattern} in:\n${this.output}`));
        const timer = setTimeout(fail, LIMIT);
        const look = () => {
          if (!isThere()) return;
          clearTimeout(timer);
          this.#waiting.delete(look);
          resolve(undefined);
        };
        // What it hasn't said by then it won't say.
        this.child.once("close", fail);
        this.#waiting.add(look);
      });
    }
    return [...this.output.matchAll(all)].at(count - 1)?.slice(1);
  }

  /** Asks on a connection of its own. */
  async ask(target) {
    const signal = AbortSignal.timeout(LIMIT);
    const headers = { connection: "close" };
    const address = `http://127.0.0.1:${this.port}${target}`;
    const response = await fetch(address, { headers, signal });
    return response.text();
  }

  signal(name) {
    process.kill(/** @type {number} */ (this.child.pid), name);
  }

  /** @returns {Promise<number | string>} the exit code, or the signal */
  async end() {
    const [code, signal] = await this.ended;
    return code ?? signal;
  }

  #clean() {
    const pids = [...this.output.matchAll(/pid (\d+)/g)].map(
      ([, pid]) => pid,
    );
    for (const pid of [this.child.pid, ...pids]) kill(pid);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function kill(pid) {
  try {
    process.kill(Number(pid), "SIGKILL");
  } catch (err) {
    if (err.code !== "ESRCH") throw err;
  }
}

export function isAlive(pid) {
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch {
    return false;
  }
}

/** Waits until a process is gone. */
export async function untilGone(pid) {
  const end = Date.now() + LIMIT;
  while (isAlive(pid)) {
    if (Date.now() > end) throw new Error(`${pid} is still there`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
