/**
 * Chapter 20's server, replaced under load in five ways, and what fails of its
 * visitors' requests:
 *
 *     node benchmarks/experiments/deploys.js [--count 20]
 *
 * Linux only. Who isn't root gets no line for `tcp_migrate_req`, which is set
 * in a network of the experiment's own.
 */
import { spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { writeFileSync } from "node:fs";
import process from "node:process";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { ensurePinnedNode } from "../../tools/lib/setup.js";

const MILESTONE = new URL("../../code/ch20-dying-well/", import.meta.url);
const SERVER = fileURLToPath(new URL("deploys-server.js", import.meta.url));
const PORT = 4207;
const VISITORS = 40;

const WAYS = [
  { name: "killed, then a new one", mode: "kill" },
  { name: "closeGracefully, then a new one", mode: "graceful" },
  { name: "a new one by reusePort, then closeGracefully", mode: "reusePort" },
  { name: "the same with tcp_migrate_req", mode: "reusePort", migrates: true },
  { name: "a new one gets the socket, then closeGracefully", mode: "handed" },
];

const { values } = parseArgs({
  options: { count: { type: "string", default: "20" }, mode: { type: "string" } },
});
const count = Number(values.count);

/** A server that is replaced, and whoever asks it meanwhile. */
class Deploys {
  #started = new EventEmitter();
  /** @type {number[]} */
  #pids = [];
  #mode;

  /** @param {string} mode */
  constructor(mode) {
    this.#mode = mode;
  }

  async start() {
    const env = { ...process.env, PORT: String(PORT), MODE: this.#mode };
    const child = spawn(process.execPath, [SERVER], { env, stdio: ["ignore", "pipe", "inherit"] });
    child.once("exit", () => this.#started.emit(`exit ${child.pid}`));
    createInterface(child.stdout).on("line", (line) => {
      const found = /\(pid (\d+)\)$/.exec(line);
      if (found) this.#started.emit("pid", Number(found[1]));
    });
    await this.#untilStarted();
  }

  async #untilStarted() {
    const [pid] = await once(this.#started, "pid");
    this.#pids.unshift(pid);
  }

  async replace() {
    const [old] = this.#pids;
    if (this.#mode === "handed") {
      const started = this.#untilStarted();
      process.kill(old, "SIGUSR2");
      await started;
    } else if (this.#mode === "reusePort") {
      await this.start();
      process.kill(old);
    } else {
      const exit = once(this.#started, `exit ${old}`);
      process.kill(old);
      await exit;
      await this.start();
    }
  }

  end() {
    process.kill(this.#pids[0]);
  }
}

/** @param {string} mode */
async function measure(mode) {
  const { Visitors } = await import(new URL("visitors.js", MILESTONE).href);
  const deploys = new Deploys(mode);
  await deploys.start();
  const visitors = new Visitors(PORT, VISITORS);
  for (let i = 0; i < count; i += 1) {
    await sleep(400);
    await deploys.replace();
  }
  await sleep(400);
  await visitors.leave();
  deploys.end();
  const failed = Object.fromEntries(visitors.failures);
  return { answered: visitors.answered, failed };
}

/**
 * Measures in a process of its own, with the book's Node.
 *
 * @param {(typeof WAYS)[number]} way
 */
async function measureApart({ mode, migrates = false }) {
  const node = await ensurePinnedNode();
  const file = fileURLToPath(import.meta.url);
  const command = `${node} ${file} --count ${count} --mode ${mode}`;
  const prepared = `ip link set lo up; sysctl -qw net.ipv4.tcp_migrate_req=1; ${command}`;
  const child = migrates
    ? spawn("unshare", ["--net", "sh", "-c", prepared], { stdio: ["ignore", "pipe", "inherit"] })
    : spawn("sh", ["-c", command], { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  for await (const chunk of child.stdout) output += chunk;
  return JSON.parse(output);
}

if (values.mode !== undefined) {
  writeFileSync(1, JSON.stringify(await measure(values.mode)));
  process.exit();
}
console.log("reset  refused");
for (const way of WAYS) {
  if (way.migrates && process.getuid?.() !== 0) continue;
  const { failed } = await measureApart(way);
  const { ECONNRESET: reset = 0, ECONNREFUSED: refused = 0, ...others } = failed;
  const more = Object.keys(others).length > 0 ? ` ${JSON.stringify(others)}` : "";
  console.log(`${String(reset).padStart(5)}${String(refused).padStart(9)}  ${way.name}${more}`);
}
