import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { freePort } from "../../code/contracts/port.js";
import { resultsFolder } from "../lib/paths.js";
import { drawOrder, seededRandom } from "../lib/statistics.js";
import { median } from "./derive.js";
import { milestone } from "./world.js";

/** @import { Answer, Id, Run, StartOptions, World } from "./world.js" */

/**
 * @typedef {object} Settings
 * @property {string} machine
 * @property {boolean} quick
 * @property {number} blocks
 * @property {number} seconds of each run
 * @property {number} seed
 * @property {(line: string) => void} say
 */

/** Requests under way when we ask what a server can do at most. */
const AT_MOST = ["-max-workers=64"];
const FASTER_THAN_ANY = 40_000;
/** Statements a second by one connection, 5 ms away each way. */
const ONE_AT_5_MS = 100;
/** Of what Go can do at most: close together where the knees may lie. */
const SHARES = [0.25, 0.4, 0.5, 0.55, 0.65, 0.75, 1];
/** Workers for the rate times a second, the longest stall that we expect. */
const open = (/** @type {number} */ rate) => [`-workers=${Math.ceil(rate / 4)}`];
/** @type {Id[]} */
const SERVERS = ["node", "engine", "go", "node-again"];
/** @type {Id[]} */
const TWO = ["node", "go"];

/**
 * @param {World} world
 * @param {Id} id
 * @param {(server: import("../lib/processes.js").ServerProcess) => Promise<T>} act
 * @param {Record<string, string>} [env]
 * @param {StartOptions} [options]
 * @template T
 */
async function withServer(world, id, act, env, options) {
  await world.query("TRUNCATE users");
  const server = await world.startServer(id, env, options);
  try {
    return await act(server);
  } finally {
    await world.stopServer(id, server);
    await world.settle();
  }
}

/**
 * What a server can do at most: 64 requests under way, always.
 *
 * @param {World} world
 * @param {import("../lib/processes.js").ServerProcess} server
 * @param {number} seconds
 */
async function capacityOf(world, server, seconds) {
  const load = { rate: FASTER_THAN_ANY, more: AT_MOST };
  await world.attack(server, { ...load, seconds: 2 });
  return (await world.measure(server, { ...load, seconds })).run;
}

/**
 * The same rates for all, and what each can do at most.
 *
 * @param {World} world
 * @param {Settings} settings
 */
export async function ladder(world, { blocks, seconds, seed, say }) {
  const first = await withServer(world, "go", (server) => capacityOf(world, server, seconds));
  const rates = SHARES.map((share) => Math.round((share * first.perSecond) / 50) * 50);
  /** @type {{ [id: string]: { capacity: Run, runs: Run[] } }[]} */
  const measured = [];
  for (let block = 0; block < blocks; block++) {
    /** @type {{ [id: string]: { capacity: Run, runs: Run[] } }} */
    const of = {};
    for (const id of drawOrder(SERVERS, seededRandom(seed + block))) {
      of[id] = await withServer(world, id, async (server) => {
        say(`block ${block + 1}: ${id}`);
        const capacity = await capacityOf(world, server, seconds);
        const runs = [];
        for (const rate of rates) {
          runs.push((await world.measure(server, { rate, seconds, more: open(rate) })).run);
          await world.settle();
        }
        return { capacity, runs };
      });
    }
    measured.push(of);
  }
  return { rates, blocks: measured };
}

/**
 * One side prepares its statement, and the other does, or not.
 *
 * @param {World} world
 * @param {Settings} settings
 * @param {number} rate
 */
export async function statements(world, { seconds, say }, rate) {
  /** @type {{ id: Id, way: string, env: Record<string, string> }[]} */
  const ways = [
    { id: "node", way: "prepared", env: {} },
    { id: "node", way: "parsed each time", env: { PREPARED: "no" } },
    { id: "go", way: "prepared", env: {} },
    { id: "go", way: "parsed each time", env: { query: "&default_query_exec_mode=exec" } },
  ];
  const rows = [];
  for (const { id, way, env } of ways) {
    say(`statements: ${id}, ${way}`);
    const act = async (/** @type {any} */ server) => {
      await world.attack(server, { rate, seconds: 2 });
      const fixed = (await world.measure(server, { rate, seconds, more: open(rate) })).run;
      return { id, way, fixed, capacity: await capacityOf(world, server, seconds) };
    };
    rows.push(await withServer(world, id, act, env));
  }
  return rows;
}

/**
 * @param {World} world
 * @param {Settings} settings
 * @param {number} rate
 */
export async function pools(world, { quick, say }, rate) {
  const sizes = quick ? [1, 60] : [1, 4, 16, 60];
  const rows = [];
  for (const pool of sizes) {
    for (const id of TWO) {
      say(`pools: ${id}, ${pool}`);
      const act = async (/** @type {any} */ server) => {
        const capacity = await capacityOf(world, server, 2);
        const { run } = await world.measure(server, { rate, seconds: 2, more: open(rate) });
        return { id, pool, capacity: capacity.perSecond, p50: run.p50, p99: run.p99 };
      };
      rows.push(await withServer(world, id, act, { POOL: `${pool}` }));
    }
  }
  return rows;
}

/** pg closes idle connections after 10 s, by its default; 0 is never. */
const KEEPS = { POOL_IDLE_MS: "0" };
/** By pgx's defaults it is half an hour, and it looks once a minute. */
const CLOSES = { query: "&pool_max_conn_idle_time=10s&pool_health_check_period=1s" };

/**
 * What stops a server for a while, one suspect after the other. The run is long enough for an
 * idle connection to be closed in it.
 *
 * @param {World} world
 * @param {Settings} settings
 * @param {number} rate
 */
export async function pauses(world, { quick, blocks: count, seconds: short, seed, say }, rate) {
  const seconds = quick ? 3 : 12;
  /** @type {{ id: Id, way: string, env?: Record<string, string> }[]} */
  const ways = [
    { id: "node", way: "as it is" },
    { id: "node", way: "keeps its connections", env: KEEPS },
    { id: "node-again", way: "keeps its connections", env: KEEPS },
    { id: "engine", way: "keeps its connections", env: KEEPS },
    { id: "go", way: "as it is" },
    { id: "go", way: "closes idle ones after 10 s", env: CLOSES },
  ];
  const folder = mkdtempSync(path.join(tmpdir(), "pauses-"));
  const blocks = [];
  try {
    for (let block = 0; block < count; block++) {
      const rows = [];
      for (const each of drawOrder(ways, seededRandom(seed + block))) {
        const { id, way, env = {} } = each;
        say(`pauses, block ${block + 1}: ${id}, ${way}`);
        const file = path.join(folder, "pauses.csv");
        const flags = id === "go" ? [] : ["--import", "./pauses.js"];
        const act = async (/** @type {any} */ server) => {
          // As before the ladder, and then what the rate itself is new to.
          await capacityOf(world, server, short);
          await world.attack(server, { rate, more: open(rate), seconds: short });
          const start = Date.now();
          const { run } = await world.measure(server, { rate, more: open(rate), seconds });
          if (id === "go") return { id, way, run };
          const all = world.parts.readPauses(file);
          return { id, way, run, collector: summarisePauses(all, start, start + seconds * 1000) };
        };
        rows.push(await withServer(world, id, act, { ...env, PAUSES: file }, { flags }));
      }
      blocks.push(rows);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return { rate, seconds, blocks };
}

/**
 * @param {{ at: number, ms: number, isShort: boolean }[]} all
 * @param {number} start by Date.now()
 * @param {number} end
 */
export function summarisePauses(all, start, end) {
  const during = all.filter(({ at }) => at >= start && at < end);
  const of = (/** @type {boolean} */ short) => {
    const ms = during.filter(({ isShort }) => isShort === short).map((pause) => pause.ms);
    return { count: ms.length, half: ms.length > 0 ? median(ms) : 0, most: Math.max(0, ...ms) };
  };
  return { scavenges: of(true), others: of(false) };
}

/**
 * A delay between the server and the database, by the chapter's proxy. The smaller pool can do
 * less than the rate, which both servers could keep without the delay.
 *
 * @param {World} world
 * @param {Settings} settings
 * @param {number} rate
 */
export async function distance(world, settings, rate) {
  const { quick, say } = settings;
  const seconds = quick ? 2 : 3;
  const small = Math.max(1, Math.floor(rate / 2 / ONE_AT_5_MS));
  const rows = [];
  for (const milliseconds of quick ? [5] : [0, 5]) {
    const port = await freePort();
    const proxy = world.parts.delayed(world.port, milliseconds).listen(port, "127.0.0.1");
    const DATABASE_URL = `postgres://postgres@127.0.0.1:${port}/`;
    for (const pool of [small, 60]) {
      for (const id of TWO) {
        say(`distance: ${id}, ${milliseconds} ms each way, pool ${pool}`);
        const act = async (/** @type {any} */ server) => {
          await world.attack(server, { rate, seconds: 1 });
          await delay(500);
          const file = statsFile(settings, "distance");
          /** @type {Run | undefined} */
          let run;
          await world.monitored(server, file, async () => {
            ({ run } = await world.measure(server, { rate, seconds, more: open(rate) }));
          });
          const descriptors = Math.max(...readColumns(file).map((each) => each.descriptors));
          return { id, milliseconds, pool, run, descriptors };
        };
        rows.push(await withServer(world, id, act, { POOL: `${pool}`, DATABASE_URL }));
      }
    }
    proxy.close();
  }
  return { rate, rows };
}

/**
 * Both cores for the server, in two processes or with two of Go's.
 *
 * @param {World} world
 * @param {Settings} settings
 */
export async function cluster(world, { seconds, say }) {
  const cores = [...world.layout.generator, ...world.layout.server];
  const rows = [];
  for (const id of /** @type {Id[]} */ (["node", "engine", "go"])) {
    for (const workers of [1, 2]) {
      say(`cluster: ${id}, ${workers}`);
      const act = (/** @type {any} */ server) => capacityOf(world, server, seconds);
      const env = { POOL: `${60 / (id === "go" ? 1 : workers)}` };
      const run = await withServer(world, id, act, env, { cores, workers });
      rows.push({ id, workers, run });
    }
  }
  return rows;
}

/**
 * What is left of a server at more than it can do, and what each of the
 * suspects has to do with it.
 *
 * @param {World} world
 * @param {Settings} settings
 * @param {{ capacity: Record<string, number>, tooMuch: number }} derived
 */
export async function collapse(world, { quick, say }, { capacity, tooMuch }) {
  const rate = tooMuch;
  const tooMuchForGo = Math.round((1.5 * capacity.go) / 100) * 100;
  const seconds = quick ? 4 : 10;
  const timeout = 2;
  /** @type {{ id: Id, way: string, env?: Record<string, string>, more?: string[],
   *   own?: number }[]} */
  const ways = [
    { id: "node", way: "as it is" },
    { id: "node", way: "a client with 256 connections at most", more: ["-max-workers=256"] },
    { id: "node", way: "a gate that lets 60 in", env: { SHED: "60" } },
    { id: "engine", way: "as it is" },
    { id: "go", way: "as it is" },
    { id: "go", way: `at ${tooMuchForGo} a second`, own: tooMuchForGo },
  ];
  const rows = [];
  for (const { id, way, env, own = rate, more = open(own) } of ways) {
    say(`collapse: ${id}, ${way}`);
    const act = async (/** @type {any} */ server) => {
      await world.attack(server, { rate: 500, seconds: 1 });
      await world.query("TRUNCATE users");
      const load = { rate: own, seconds, timeout, more };
      const { run, answers } = await world.measure(server, load);
      await world.settle();
      const [{ count }] = await world.query("SELECT count(*)::int FROM users");
      return { id, way, run, written: count, bySecond: bySecond(answers) };
    };
    rows.push(await withServer(world, id, act, env));
  }
  return { rate, seconds, timeout, rows };
}

/**
 * Good answers by the second in which they came, and latency by the second
 * in which a request was due.
 *
 * @param {Answer[]} answers
 */
function bySecond(answers) {
  const last = answers[answers.length - 1].due;
  const count = Math.floor(last / 1000) + 1;
  const seconds = Array.from({ length: count }, (_, second) => ({
    second,
    added: 0,
    /** @type {number[]} */ took: [],
  }));
  for (const { due, took, status } of answers) {
    seconds[Math.floor(due / 1000)]?.took.push(took);
    if (status === 201) {
      const row = seconds[Math.floor((due + took) / 1000)];
      if (row) row.added += 1;
    }
  }
  return seconds.map(({ second, added, took }) => {
    took.sort((a, b) => a - b);
    const at = (/** @type {number} */ share) => took[Math.ceil(share * took.length) - 1];
    return { second, added, p50: at(0.5), p99: at(0.99) };
  });
}

/** @param {string} file */
function readColumns(file) {
  const [, ...lines] = readFileSync(file, "utf8").trim().split("\n");
  return lines.map((line) => {
    const [, ram, cpu, threads, descriptors] = line.split(",").map(Number);
    return { ram, cpu, threads, descriptors };
  });
}

/**
 * @param {ReturnType<typeof readColumns>} columns
 * @returns {{ ramMiB: number, cpu: number, threads: number, descriptors: number }}
 */
export function mostOf(columns) {
  const most = (/** @type {"ram" | "cpu" | "threads" | "descriptors"} */ name) =>
    Math.max(...columns.map((each) => each[name]));
  return {
    ramMiB: most("ram") / 1024,
    cpu: most("cpu"),
    threads: most("threads"),
    descriptors: most("descriptors"),
  };
}

/**
 * @param {Settings} settings
 * @param {string} label
 */
function statsFile({ machine }, label) {
  const folder = path.join(resultsFolder, machine, "raw/database");
  mkdirSync(folder, { recursive: true });
  return path.join(folder, `process_stats_${label}.csv`);
}

/**
 * The article's pictures: one rate, each server, its columns and its latency.
 *
 * @param {World} world
 * @param {Settings} settings
 * @param {{ rate: number, seconds: number, name: string }} load name: in the raw files
 */
export async function pictures(world, settings, { rate, seconds, name }) {
  const rows = [];
  for (const id of TWO) {
    settings.say(`pictures ${name}: ${id}`);
    const act = async (/** @type {any} */ server) => {
      const file = statsFile(settings, `${id}-${name}`);
      /** @type {Answer[]} */
      let answers = [];
      await world.monitored(server, file, async () => {
        await delay(1_500);
        ({ answers } = await world.attack(server, { rate, seconds }));
        await delay(7_500);
      });
      const columns = readColumns(file);
      return { id, columns, most: mostOf(columns), bySecond: bySecond(answers) };
    };
    rows.push(await withServer(world, id, act));
  }
  return { rate, seconds, rows };
}

/** How many threads Node has before and after a look-up, for each suspect. */
export async function threads() {
  /** @type {{ way: string, flags?: string[], host?: string, env?: Record<string, string> }[]} */
  const ways = [
    { way: "as it is" },
    { way: "looks up 127.0.0.1", host: "127.0.0.1" },
    { way: "UV_THREADPOOL_SIZE=8", env: { UV_THREADPOOL_SIZE: "8" } },
    { way: "UV_USE_IO_URING=1", env: { UV_USE_IO_URING: "1" } },
    { way: "--v8-pool-size=1", flags: ["--v8-pool-size=1"] },
  ];
  const rows = [];
  for (const { way, flags = [], host = "localhost", env } of ways) {
    const words = [...flags, path.join(milestone, "threads.cjs"), host];
    const options = { env: { ...process.env, ...env } };
    const { stdout } = await promisify(execFile)(process.execPath, words, options);
    const [before, after] = [...stdout.matchAll(/^\d+/gm)].map(Number);
    rows.push({ id: "node", way, before, after });
  }
  return rows;
}

/**
 * Connections that are left open after a load, by who closes them.
 *
 * @param {World} world
 * @param {Settings} settings
 */
export async function descriptors(world, settings) {
  /** @type {{ id: Id, way: string, env: Record<string, string> }[]} */
  const ways = [
    { id: "node", way: "5 s, its default", env: {} },
    { id: "node", way: "60 s", env: { IDLE_MS: "60000" } },
    { id: "go", way: "none, its default", env: {} },
    { id: "go", way: "5 s", env: { IDLE_MS: "5000" } },
  ];
  settings.say("descriptors: all at once");
  const rows = await Promise.all(
    ways.map(async ({ id, way, env }, index) => {
      const server = await world.startServer(id, { ...env, POOL: "10" });
      const file = statsFile(settings, `descriptors-${index}`);
      try {
        await world.monitored(server, file, async () => {
          await delay(2_200);
          // vegeta closes what it has opened when it ends, so it isn't vegeta.
          const release = await hold(server.port, 100);
          await delay(8_000);
          release();
          await delay(2_200);
        });
        return { id, way, columns: readColumns(file).map((each) => each.descriptors) };
      } finally {
        await world.stopServer(id, server);
      }
    }),
  );
  await world.settle();
  return rows;
}

/**
 * Sends one user by each of many connections, and keeps these open.
 *
 * @param {number} port
 * @param {number} count
 */
async function hold(port, count) {
  const body = JSON.stringify({ email: "ada@example.org", password: "correct horse" });
  const head = `POST /user HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;
  const request = `${head}Content-Length: ${body.length}\r\n\r\n${body}`;
  const sockets = await Promise.all(
    Array.from({ length: count }, async () => {
      const socket = net.connect(port, "127.0.0.1");
      socket.on("error", () => {});
      socket.write(request);
      await once(socket, "data");
      socket.resume();
      return socket;
    }),
  );
  return () => {
    for (const socket of sockets) socket.destroy();
  };
}

/**
 * With commits that wait for the disk, at a rate that's no trouble without.
 *
 * @param {World} world
 * @param {Settings} settings
 */
export async function disk(world, { seconds, say }) {
  const rate = 500;
  const rows = [];
  for (const id of TWO) {
    say(`disk: ${id}`);
    const act = async (/** @type {any} */ server) => {
      const capacity = await capacityOf(world, server, seconds);
      const { run } = await world.measure(server, { rate, seconds, more: open(rate) });
      return { id, run, capacity: capacity.perSecond };
    };
    rows.push(await withServer(world, id, act));
  }
  return { rate, rows };
}
