/**
 * A cluster under a load that doesn't stop, for as long as you like:
 *
 *     node benchmarks/experiments/cluster.js kills [--minutes 10] [--every 1000]
 *     node benchmarks/experiments/cluster.js restarts [--minutes 10]
 *     node benchmarks/experiments/cluster.js sharing
 *     node benchmarks/experiments/cluster.js timeline
 *
 * `kills` kills the worker that lives longest, by SIGKILL, each second;
 * `restarts` sends SIGHUP as soon as the last restart is over; `sharing`
 * compares the ways to share a port: how evenly requests are spread, what an
 * answer costs, what a kill and a stopped worker lose; `timeline` notes each
 * connection of one restart, for the figure. Further options:
 * --workers 4, --rate 200 (requests a second), --sharing socket, --machine
 * NAME. Exits with 1 if a request failed that it couldn't explain.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { explain, notingProgram } from "../../code/contracts/cluster/ledger.js";
import { SteadyLoad } from "../../code/contracts/cluster/load.js";
import { freePort } from "../../code/contracts/port.js";
import { describeMachine } from "../lib/machine.js";

/** @import { Result } from "../../code/contracts/cluster/load.js" */

const VELOCY = new URL("../../code/ch21-cluster/", import.meta.url);
const RESULTS = new URL("../results/", import.meta.url);
const READY = /worker (\d+) \(pid (\d+)\) is ready/;
const GONE = /\(pid (\d+)\) ended/;
/** How long the ways to share a port are each looked at, in seconds. */
const LOOK = 10;

/**
 * @typedef {object} Settings
 * @property {number} workers
 * @property {number} rate requests a second
 * @property {string} sharing
 * @property {number} [answerTakes] milliseconds
 *
 * @typedef {{ at: number, text: string }} Line
 */

/** A supervisor, and what it has said, with the time. */
class Cluster {
  /** @type {Line[]} */
  lines = [];
  /** Those before the load began. @type {Line[]} */
  earlier = [];
  /** The pids of the workers that live, the oldest first. @type {string[]} */
  pids = [];
  #child;
  #startedAt = performance.now();

  /**
   * @param {string} script
   * @param {Settings} settings
   */
  constructor(script, { workers, sharing }) {
    const words = ["--workers", String(workers), "--sharing", sharing];
    const command = [fileURLToPath(new URL("bin/velocy.js", VELOCY)), script, ...words];
    this.#child = spawn(process.execPath, command, { stdio: ["ignore", "inherit", "pipe"] });
    let rest = "";
    this.#child.stderr.setEncoding("utf8").on("data", (text) => {
      const all = (rest + text).split("\n");
      rest = all.pop() ?? "";
      for (const line of all) this.#note(line);
    });
  }

  /** From now on times count from here. */
  setStart() {
    const now = performance.now();
    const passed = now - this.#startedAt;
    this.earlier = this.lines.map(({ at, text }) => ({ at: at - passed, text }));
    this.#startedAt = now;
    this.lines = [];
  }

  /** @param {string} text */
  #note(text) {
    this.lines.push({ at: performance.now() - this.#startedAt, text });
    const ready = READY.exec(text);
    if (ready !== null) this.pids.push(ready[2]);
    const gone = GONE.exec(text);
    if (gone !== null) this.pids = this.pids.filter((pid) => pid !== gone[1]);
  }

  get pid() {
    return Number(this.#child.pid);
  }

  /** @param {RegExp} pattern @param {number} count */
  async says(pattern, count) {
    const end = performance.now() + 180_000;
    while (this.lines.filter(({ text }) => pattern.test(text)).length < count) {
      if (performance.now() > end) throw new Error(`no ${count} of ${pattern}`);
      await delay(10);
    }
  }

  /** @param {string} name */
  signal(name) {
    process.kill(this.pid, name);
  }

  async close() {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.signal("SIGTERM");
    await once(this.#child, "exit");
  }
}

/**
 * Starts a cluster and a load, does something, and looks at what failed.
 *
 * @param {Settings} settings
 * @param {(cluster: Cluster, load: SteadyLoad) => Promise<Map<string, number>>} act gives
 *   the pids that were killed, and when
 */
async function under(settings, act) {
  const folder = mkdtempSync(path.join(tmpdir(), "velocy-cluster-"));
  const ledgers = path.join(folder, "ledgers");
  mkdirSync(ledgers);
  const port = await freePort();
  const script = path.join(folder, "server.mjs");
  const index = new URL("index.js", VELOCY).href;
  writeFileSync(
    script,
    `import { createServer, Router } from ${JSON.stringify(index)};
import { setTimeout as sleep } from "node:timers/promises";
const port = ${port};
const router = new Router();
${notingProgram(ledgers, settings.answerTakes)}`,
  );
  const cluster = new Cluster(script, settings);
  try {
    await cluster.says(READY, settings.workers);
    cluster.setStart();
    const load = new SteadyLoad(port, settings.rate, 32);
    const killed = await act(cluster, load);
    await load.finish();
    const { unexplained, ...explained } = explain(ledgers, load.failed, killed);
    return {
      verdict: {
        sent: load.results.length,
        failed: load.failed.length,
        killed: killed.size,
        ...explained,
        unexplained: unexplained.length,
        inNoNotes: explained.unseen + unexplained.length,
      },
      unexplained,
      results: load.results,
      connections: load.connections,
      lines: [...cluster.earlier, ...cluster.lines],
    };
  } finally {
    await cluster.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {Settings} settings @param {number} milliseconds @param {number} every */
function kills(settings, milliseconds, every) {
  return under(settings, async (cluster, load) => {
    /** @type {Map<string, number>} */
    const killed = new Map();
    while (load.now < milliseconds) {
      await delay(every - (load.now % every));
      const [oldest] = cluster.pids;
      if (oldest === undefined || killed.has(oldest)) continue;
      killed.set(oldest, load.now);
      process.kill(Number(oldest), "SIGKILL");
    }
    return killed;
  });
}

/** @param {Settings} settings @param {number} milliseconds */
function restarts(settings, milliseconds) {
  return under(settings, async (cluster, load) => {
    for (let count = 1; load.now < milliseconds; count++) {
      cluster.signal("SIGHUP");
      await cluster.says(/^restarted/, count);
    }
    return new Map();
  });
}

/** @param {string} machine @param {object} head */
async function timeline(machine, head) {
  const settings = { workers: 2, rate: 60, sharing: "socket", answerTakes: 150 };
  let signalledAt = 0;
  const { verdict, connections, lines } = await under(settings, async (cluster, load) => {
    await delay(600);
    signalledAt = load.now;
    cluster.signal("SIGHUP");
    await cluster.says(/^restarted/, 1);
    await delay(600);
    return new Map();
  });
  const told = lines.map(({ at, text }) => ({ at, text }));
  save(machine, {
    suite: "cluster-timeline",
    ...head,
    settings,
    verdict,
    signalledAt,
    lines: told,
    connections,
  });
}

/** @param {Settings} settings */
async function spread(settings) {
  const { verdict, results } = await under(settings, async () => {
    await delay(LOOK * 1000);
    return new Map();
  });
  const counts = new Map();
  for (const { pid } of results) counts.set(pid, (counts.get(pid) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return { sent: verdict.sent, busiest: most / (verdict.sent / settings.workers) };
}

/** @param {Settings} settings */
async function stopOne(settings) {
  const { verdict } = await under(settings, async (cluster) => {
    await delay(1000);
    const [pid] = cluster.pids;
    process.kill(Number(pid), "SIGSTOP");
    // As long as the supervisor takes to find out, and to kill it.
    await cluster.says(/is hung/, 1);
    const { at = 0 } = cluster.lines.find(({ text }) => text.includes("is hung")) ?? {};
    await delay(2000);
    return new Map([[pid, at]]);
  });
  return verdict;
}

/** @param {Settings} settings */
async function compareSharings(settings) {
  /** @type {Record<string, unknown>} */
  const table = {};
  for (const sharing of ["socket", "round-robin", "reuse-port"]) {
    const own = { ...settings, sharing };
    const { verdict } = await kills(own, LOOK * 1000, 1000);
    table[sharing] = {
      spread: await spread(own),
      kills: verdict,
      restarts: (await restarts(own, LOOK * 1000)).verdict,
      stopped: await stopOne(own),
    };
    console.error(sharing, JSON.stringify(table[sharing]));
  }
  return table;
}

/**
 * What happened in each second.
 *
 * @param {Result[]} results
 * @param {Line[]} lines
 */
function bySecond(results, lines) {
  const end = Math.max(...results.map(({ at }) => at));
  const seconds = Array.from({ length: Math.ceil(end / 1000) }, (_, second) => ({
    second,
    sent: 0,
    failed: 0,
    slowest: 0,
    ready: 0,
  }));
  for (const { at, took, error } of results) {
    const row = seconds[Math.min(Math.floor(at / 1000), seconds.length - 1)];
    row.sent++;
    if (error !== "") row.failed++;
    else row.slowest = Math.max(row.slowest, Math.round(took));
  }
  for (const { at, text } of lines) {
    const row = seconds[Math.floor(at / 1000)];
    if (row && READY.test(text)) row.ready++;
  }
  return seconds;
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      minutes: { type: "string", default: "10" },
      every: { type: "string", default: "1000" },
      workers: { type: "string", default: "4" },
      rate: { type: "string", default: "200" },
      sharing: { type: "string", default: "socket" },
      machine: { type: "string", default: "local" },
    },
  });
  const [what] = positionals;
  const { sharing, machine } = values;
  const settings = { workers: Number(values.workers), rate: Number(values.rate), sharing };
  const milliseconds = Number(values.minutes) * 60_000;
  const head = {
    suite: `cluster-${what}`,
    startedAt: new Date().toISOString(),
    command: `node benchmarks/experiments/cluster.js ${process.argv.slice(2).join(" ")}`,
    commit: execFileSync("git", ["rev-parse", "--short=12", "HEAD"], {
      cwd: fileURLToPath(VELOCY),
      encoding: "utf8",
    }).trim(),
    node: process.version,
    velocy: JSON.parse(readFileSync(new URL("package.json", VELOCY), "utf8")).version,
    where: describeMachine(),
    settings: { ...settings, minutes: Number(values.minutes) },
  };
  if (what === "timeline") {
    await timeline(machine, head);
    return;
  }
  if (what === "sharing") {
    save(machine, { ...head, ways: await compareSharings(settings) });
    return;
  }
  if (what !== "kills" && what !== "restarts")
    throw new Error("say kills, restarts, sharing or timeline");
  const run =
    what === "kills"
      ? await kills(settings, milliseconds, Number(values.every))
      : await restarts(settings, milliseconds);
  const restarted = run.lines.filter(({ text }) => text.startsWith("restarted")).length;
  const verdict = { ...run.verdict, ...(what === "restarts" ? { restarts: restarted } : {}) };
  save(machine, {
    ...head,
    verdict,
    unexplained: run.unexplained,
    seconds: bySecond(run.results, run.lines),
  });
  console.log(JSON.stringify(verdict, null, 2));
  if (verdict.unexplained > 0) process.exitCode = 1;
}

/** @param {string} machine @param {{ suite: string, [key: string]: unknown }} result */
function save(machine, result) {
  const folder = new URL(`${machine}/`, RESULTS);
  mkdirSync(folder, { recursive: true });
  const file = new URL(`${result.suite}.json`, folder);
  writeFileSync(file, `${JSON.stringify(result, roundFractions, 2)}\n`);
  console.error(fileURLToPath(file));
}

/** @param {string} _key @param {unknown} value */
function roundFractions(_key, value) {
  return typeof value === "number" ? Number(value.toFixed(4)) : value;
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
