import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { buildGo } from "../../code/contracts/database/go.js";
import { freePort } from "../../code/contracts/port.js";
import { lacks } from "../../tools/lib/programs.js";
import { benchError } from "../lib/errors.js";
import { layOut } from "../lib/layout.js";
import { milestonesFolder, workFolder } from "../lib/paths.js";
import { choosePlatform, cpuBetween } from "../lib/platform/index.js";
import { ServerProcess } from "../lib/processes.js";
import { prepareTool, toolPath } from "../lib/tools.js";
import { peakMemory } from "./memory.js";

/** The chapter's own programs are what is measured. */
export const milestone = path.join(milestonesFolder, "ch29-database");
const VELOCY = path.join(milestonesFolder, "ch23-hosts/bin/velocy.js");
const goProgram = path.join(workFolder, "database/users-go");

/** Of the memory that a server may have; the rest is for what isn't heap. */
const HEAP_MIB = 768;

/**
 * @typedef {"node" | "node-again" | "engine" | "go"} Id
 *
 * @typedef {object} StartOptions
 * @property {number[]} [cores]
 * @property {number} [workers]
 * @property {string[]} [flags] of Node's
 *
 * @typedef {object} Answer
 * @property {number} due
 * @property {number} late
 * @property {number} took
 * @property {number} status
 * @property {string} error
 *
 * @typedef {object} Run
 * @property {number} rate that was asked for
 * @property {number} [due] by the rate and the time; older results lack it
 * @property {number} sent of those that were due
 * @property {number} added
 * @property {number} censored without an answer, most of them given up by the client or never sent
 * @property {number} refused by a status other than 201; older results count 503 alone
 * @property {number} [end] milliseconds from the first that was due to the last answer; older
 *   results lack it, and count those never sent to there
 * @property {number} p50 milliseconds from when a request was due, of those added, given up or
 *   never sent; at least so many where the last two take part
 * @property {number} p99
 * @property {number} max
 * @property {number} late of the request that was sent latest, compared with when it was due; one
 *   that was never sent counts to the end of sending
 * @property {number} perSecond users added a second, until the last answer
 * @property {boolean} isKept
 * @property {number} serverCpu microseconds of the server for each user
 * @property {number} databaseCpu the same of Postgres
 * @property {number} [serverBusy] share of the server's core
 * @property {number} [otherBusy] share of the other cores
 */

/** @param {(line: string) => void} say */
export async function makeWorld(say) {
  const pinning = process.platform === "linux" ? ["taskset"] : [];
  const missing = lacks("initdb", "go", ...pinning);
  if (missing) throw benchError("ERR_BENCH_MISSING", missing);
  await prepareTool("vegeta", say);
  say("building the server in Go");
  mkdirSync(path.dirname(goProgram), { recursive: true });
  await buildGo(path.join(milestone, "go"), goProgram);
  process.env.VEGETA = toolPath("vegeta");
  const at = (/** @type {string} */ name) => pathToFileURL(path.join(milestone, name)).href;
  const { startPostgres } = await import(at("postgres.js"));
  const { attack, summarise } = await import(at("attack.js"));
  const { monitor } = await import(at("monitor.js"));
  const { delayed } = await import(at("delay.js"));
  const { readPauses } = await import(at("pauses.js"));
  const { Client } = createRequire(path.join(milestone, "package.json"))("pg");
  const platform = choosePlatform();
  const layout = layOut({ cores: os.cpus().length, workers: 1, canPin: platform.canPin });
  return new World({
    startPostgres,
    attack,
    summarise,
    monitor,
    delayed,
    readPauses,
    Client,
    platform,
    layout,
  });
}

/** Postgres, the servers, and what loads them. */
export class World {
  /** @type {{ url: string, pid: number, stop: () => Promise<void> } | undefined} */
  #postgres;
  #loads = 0;
  /** @type {{ [id: string]: number }} the most MiB that each server had */
  memory = {};

  /** @param {any} parts */
  constructor(parts) {
    this.parts = parts;
    this.platform = /** @type {ReturnType<typeof choosePlatform>} */ (parts.platform);
    this.layout = /** @type {ReturnType<typeof layOut>} */ (parts.layout);
    if (this.layout.pinned) this.platform.pin(process.pid, this.layout.generator);
    process.once("exit", () => this.#endPostgres());
  }

  /** Where nobody waits for stop(): SIGTERM ends us, and would leave Postgres. */
  #endPostgres() {
    if (this.#postgres === undefined) return;
    try {
      process.kill(this.#postgres.pid, "SIGINT");
    } catch {
      // It has ended already.
    }
  }

  /** @param {boolean} fsync */
  async startPostgres(fsync) {
    await this.#postgres?.stop();
    const port = await freePort();
    const started = await this.parts.startPostgres({ port, fsync });
    this.#postgres = started;
    this.port = port;
    this.url = `postgres://postgres@127.0.0.1:${port}/`;
    if (this.layout.pinned) this.platform.pin(started.pid, this.layout.generator);
  }

  async stop() {
    await this.#postgres?.stop();
    this.#postgres = undefined;
  }

  /**
   * @param {string} text
   * @returns {Promise<any[]>}
   */
  async query(text) {
    const client = new this.parts.Client({ connectionString: this.url });
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  }

  /**
   * @param {Id} id
   * @param {Record<string, string>} [env]
   * @param {StartOptions} [options]
   */
  async startServer(id, env = {}, { cores = this.layout.server, workers = 1, flags = [] } = {}) {
    const { POOL = "60", query = "", DATABASE_URL = this.url, ...more } = env;
    const pinned = this.layout.pinned ? this.platform.pinned(cores) : [];
    const isGo = id === "go";
    const node = [process.execPath, `--max-old-space-size=${HEAP_MIB}`, ...flags];
    const one = [...node, "server.js"];
    const several = [...node, VELOCY, "server.js", "--workers", `${workers}`];
    const program = isGo ? [goProgram] : workers > 1 ? several : one;
    const url = isGo ? `${DATABASE_URL}?pool_max_conns=${POOL}${query}` : DATABASE_URL;
    const start = () =>
      ServerProcess.start({
        command: [...pinned, ...program],
        cwd: milestone,
        env: {
          DATABASE_URL: /** @type {string} */ (url),
          POOL,
          ...(id === "engine" ? { ENGINE: "own" } : {}),
          ...(isGo ? { GOMAXPROCS: `${workers}`, GOMEMLIMIT: `${HEAP_MIB}MiB` } : {}),
          ...more,
        },
      });
    // vegeta's connections use ports up, and one may be the port that was free.
    for (let tries = 1; ; tries++) {
      try {
        return await start();
      } catch (err) {
        if (tries === 5 || !String(err).includes("already in use")) throw err;
      }
    }
  }

  /**
   * @param {Id} id
   * @param {ServerProcess} server
   */
  async stopServer(id, server) {
    const peak = peakMemory(await this.platform.processTree(server.pid));
    this.memory[id] = Math.max(peak, this.memory[id] ?? 0);
    await server.stop();
  }

  /**
   * A load that is more than a server can do opens thousands of connections. When they are
   * closed, their ports rest for a minute (TIME_WAIT). vegeta takes a port before it says whom it
   * wants to reach, so it has to find one that nobody has used, and the next load, at whatever
   * rate, spends its core on looking. With an address of its own, each load has all ports. All of
   * 127.0.0.0/8 is this machine, on Linux.
   */
  #freshAddress() {
    if (process.platform !== "linux") return [];
    this.#loads += 1;
    return [`-laddr=127.0.${1 + Math.floor(this.#loads / 250)}.${1 + (this.#loads % 250)}`];
  }

  /**
   * @param {ServerProcess} server
   * @param {{ rate: number, seconds: number, timeout?: number, more?: string[] }} load
   * @returns {Promise<{ answers: Answer[] }>}
   */
  async attack(server, load) {
    const url = `http://127.0.0.1:${server.port}/user`;
    const before = this.layout.pinned ? this.platform.pinned(this.layout.generator) : [];
    const more = [...this.#freshAddress(), ...(load.more ?? [])];
    return { answers: await this.parts.attack({ url, before, ...load, more }) };
  }

  /**
   * One rate against one server, with what it cost.
   *
   * @param {ServerProcess} server
   * @param {{ rate: number, seconds: number, timeout?: number, more?: string[] }} load
   * @returns {Promise<{ run: Run, answers: Answer[] }>}
   */
  async measure(server, load) {
    const { platform, layout } = this;
    const sample = async () => ({
      server: await platform.cpuTime(await platform.processTree(server.pid)),
      database: await platform.cpuTime(await platform.processTree(this.#postgres?.pid ?? 0)),
      own: await platform.coreTimes(layout.server),
      other: await platform.coreTimes(layout.generator),
    });
    const before = await sample();
    const { answers } = await this.attack(server, load);
    const after = await sample();
    const summary = this.parts.summarise(answers);
    const { due, sent, added, refused, unanswered, p50, p99, max } = summary;
    const end = maximum(answers.map((each) => each.due + each.took)) - answers[0].due;
    const perSecond = (added / end) * 1000;
    const late = maximum(answers.map((each) => each.late));
    const each = (/** @type {number} */ microseconds) => microseconds / Math.max(added, 1);
    /** @type {Run} */
    const run = {
      rate: load.rate,
      due,
      sent,
      added,
      censored: unanswered,
      refused,
      end,
      p50,
      p99,
      max,
      late,
      perSecond,
      isKept: added === sent && late < 100 && p99 < 1_000,
      serverCpu: each(cpuBetween(before.server, after.server)),
      databaseCpu: each(cpuOfThoseLeft(before.database, after.database)),
      serverBusy: busyBetween(before.own, after.own),
      otherBusy: busyBetween(before.other, after.other),
    };
    return { run, answers };
  }

  /**
   * @param {ServerProcess} server
   * @param {string} file
   * @param {() => Promise<void>} act what to do meanwhile
   */
  async monitored(server, file, act) {
    const over = new AbortController();
    const watching = this.parts.monitor(server.pid, file, over.signal).catch(() => {});
    await act();
    over.abort();
    await watching;
  }

  /** Waits until nothing is under way any more. */
  async settle() {
    for (let tries = 0; tries < 100; tries++) {
      const [{ count }] = await this.query(
        "SELECT count(*)::int FROM pg_stat_activity WHERE state = 'active'",
      );
      // Our own question is one.
      if (count <= 1) return;
      await delay(100);
    }
  }
}

/** @param {number[]} values */
function maximum(values) {
  return values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
}

/**
 * A connection that was closed has taken its process with it.
 *
 * @param {import("../lib/platform/index.js").CpuSample} before
 * @param {import("../lib/platform/index.js").CpuSample} after
 */
function cpuOfThoseLeft(before, after) {
  const left = new Map([...before].filter(([pid]) => after.has(pid)));
  return cpuBetween(left, after);
}

/**
 * @param {{ busy: number, all: number } | undefined} before
 * @param {{ busy: number, all: number } | undefined} after
 */
function busyBetween(before, after) {
  if (before === undefined || after === undefined) return undefined;
  return (after.busy - before.busy) / Math.max(after.all - before.all, 1);
}
