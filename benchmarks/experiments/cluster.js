/**
 * A cluster under a load that doesn't stop, for as long as you like:
 *
 *     node benchmarks/experiments/cluster.js kills [--minutes 10] [--every 1000]
 *     node benchmarks/experiments/cluster.js restarts [--minutes 10]
 *     node benchmarks/experiments/cluster.js sharing
 *     node benchmarks/experiments/cluster.js costs [--rounds 40]
 *     node benchmarks/experiments/cluster.js timeline
 *
 * `kills` kills the worker that lives longest, by SIGKILL, each second;
 * `restarts` sends SIGHUP as soon as the last restart is over; `sharing`
 * compares the ways to share a port: how evenly requests are spread, what a
 * kill and a stopped worker lose; `costs` counts the processor time of an
 * answer in each way, of supervisor and workers together, on kept connections
 * and on new ones (Linux alone can count it); `timeline` notes each connection
 * of one restart, for the figure. Further options: --workers 4, --rate 200
 * (requests a second), --sharing socket, --machine NAME. Exits with 1 if a request failed that it couldn't explain.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { explain, notingProgram } from "../../code/contracts/cluster/ledger.js";
import { SteadyLoad } from "../../code/contracts/cluster/load.js";
import { freePort } from "../../code/contracts/port.js";
import { describeMachine } from "../lib/machine.js";
import { drawOrder, estimate, seededRandom } from "../lib/statistics.js";
import { ask, connectTo, leave, printCosts, usedMicroseconds } from "./asking.js";

/** @import { Result } from "../../code/contracts/cluster/load.js" */
/** @import { Asked } from "./asking.js" */

const VELOCY = new URL("../../code/ch21-cluster/", import.meta.url);
const RESULTS = new URL("../results/", import.meta.url);
const READY = /worker (\d+) \(pid (\d+)\) is ready/;
const GONE = /\(pid (\d+)\) ended/;
/** How long the ways to share a port are each looked at, in seconds. */
const LOOK = 10;
const SHARINGS = ["socket", "round-robin", "reuse-port"];
/** How `costs` asks: so many clients, and so many requests in one turn. */
const CLIENTS = 16;
const TURN = 1_000;
/** Until V8 has compiled what it will. */
const WARM_UP_ROUNDS = 20;
const HEAD = "GET / HTTP/1.1\r\nHost: localhost\r\n";

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
  // As SteadyLoad has it.
  const kept = results.filter(({ id }) => id % 2 === 0);
  const anew = results.filter(({ id }) => id % 2 === 1);
  const [busiest, busiestKept, busiestAnew] = [results, kept, anew].map((all) =>
    busiestOf(all, settings.workers),
  );
  return { sent: verdict.sent, busiest, busiestKept, busiestAnew };
}

/**
 * How many times its even part the worker got that got most.
 *
 * @param {Result[]} results
 * @param {number} workers
 */
function busiestOf(results, workers) {
  const counts = new Map();
  for (const { pid } of results) counts.set(pid, (counts.get(pid) ?? 0) + 1);
  return Math.max(...counts.values()) / (results.length / workers);
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
  for (const sharing of SHARINGS) {
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

/** @typedef {{ sharing: string, port: number, cluster: Cluster, kept: Asked }} Way */

/**
 * @param {string} folder
 * @param {string} sharing
 * @param {number} workers
 * @returns {Promise<Way>} a cluster that answers hello
 */
async function startWay(folder, sharing, workers) {
  const port = await freePort();
  const script = path.join(folder, `${sharing}.mjs`);
  writeFileSync(
    script,
    `import { createServer, Router } from ${JSON.stringify(new URL("index.js", VELOCY).href)};
const router = new Router();
router.get("/", () => "hello");
// The others wait while one has its turn.
createServer(router, { keepAliveTimeout: 60_000 }).listen(${port});
`,
  );
  const cluster = new Cluster(script, { workers, sharing, rate: 0 });
  await cluster.says(READY, workers);
  const server = { name: sharing, pid: cluster.pid, port };
  return { sharing, port, cluster, kept: await connectTo(server, `${HEAD}\r\n`, CLIENTS) };
}

/**
 * Asks so often, each time on a connection of its own.
 *
 * @param {number} port
 * @param {number} requests
 */
async function askAnew(port, requests) {
  let left = requests;
  const visit = async () => {
    while (left > 0) {
      left -= 1;
      const client = net.connect(port, "127.0.0.1");
      client.write(`${HEAD}Connection: close\r\n\r\n`);
      const answer = await text(client);
      if (!answer.startsWith("HTTP/1.1 200")) throw new Error(`it answered ${answer}`);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, visit));
}

/**
 * @param {Cluster} cluster
 * @param {() => Promise<void>} turn
 * @returns {Promise<number>} microseconds a request
 */
async function costOfTurn({ pid, pids }, turn) {
  const all = [pid, ...pids.map(Number)];
  const used = () => all.reduce((sum, each) => sum + usedMicroseconds(each), 0);
  const before = used();
  await turn();
  return (used() - before) / TURN;
}

/** @param {number} workers @param {number} rounds */
async function compareCosts(workers, rounds) {
  const folder = mkdtempSync(path.join(tmpdir(), "velocy-cluster-"));
  /** @type {Way[]} */
  const ways = [];
  /** @type {Record<string, { kept: number[], anew: number[] }>} */
  const costs = {};
  const random = seededRandom(1);
  try {
    for (const sharing of SHARINGS) ways.push(await startWay(folder, sharing, workers));
    for (let round = -WARM_UP_ROUNDS; round < rounds; round += 1) {
      for (const { sharing, port, cluster, kept } of drawOrder(ways, random)) {
        const onKept = await costOfTurn(cluster, () => ask(kept, TURN));
        const onNew = await costOfTurn(cluster, () => askAnew(port, TURN));
        if (round < 0) continue;
        costs[sharing] ??= { kept: [], anew: [] };
        costs[sharing].kept.push(onKept);
        costs[sharing].anew.push(onNew);
      }
    }
  } finally {
    for (const { kept, cluster } of ways) {
      leave(kept);
      await cluster.close();
    }
    rmSync(folder, { recursive: true, force: true });
  }
  const table = SHARINGS.map((sharing) => {
    const kinds = /** @type {const} */ (["kept", "anew"]).map((kind) => {
      const all = costs[sharing][kind];
      const ratios = all.map((cost, round) => cost / costs[SHARINGS[0]][kind][round]);
      return [kind, { microseconds: estimate(all), ratio: estimate(ratios) }];
    });
    return [sharing, Object.fromEntries(kinds)];
  });
  return Object.fromEntries(table);
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
      rounds: { type: "string", default: "40" },
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
  if (what === "costs") {
    const rounds = Number(values.rounds);
    // On two cores, more workers would get in each other's way.
    const own = { workers: 2, rounds, clients: CLIENTS, requests: TURN };
    const ways = await compareCosts(own.workers, rounds);
    for (const [sharing, { kept, anew }] of Object.entries(ways)) {
      printCosts({ [`${sharing}, kept`]: kept, [`${sharing}, new`]: anew });
    }
    save(machine, { ...head, settings: own, ways });
    return;
  }
  if (what === "sharing") {
    save(machine, { ...head, ways: await compareSharings(settings) });
    return;
  }
  if (what !== "kills" && what !== "restarts")
    throw new Error("say kills, restarts, sharing, costs or timeline");
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
