/**
 * Ten thousand clients that each send one byte a second, for minutes:
 *
 *     node benchmarks/experiments/drip.js [--connections 10000] [--settle 75]
 *                                         [--seconds 60] [--machine NAME]
 *                                         [--engine]
 *
 * The server is chapter 4's, or with --engine that of chapter 22. A client that the server hangs up on comes back at once. All the while
 * somebody with an ordinary request asks for an answer. After some seconds
 * in which the heap may settle at its size, the server's memory is looked
 * at. Exits with 1 if it grew, or if a client was answered anything but 408.
 * Linux only: it reads /proc.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { startProgram } from "../../code/contracts/http/start.js";
import { describeMachine } from "../lib/machine.js";

/**
 * @typedef {object} Sample once a second
 * @property {number} second since the first connection
 * @property {number} open connections
 * @property {number} answered with 408 so far
 * @property {number} pssBytes
 * @property {number} rssBytes
 * @property {number} visitMilliseconds what an ordinary request took
 */

/** Each server: its folder, its program, and what its result is called. */
const CHAPTER_4 = {
  folder: new URL("../../code/ch04-never-trust-a-client/", import.meta.url),
  file: "server.js",
  suite: "slow-drip",
};
const CHAPTER_22 = {
  folder: new URL("./", import.meta.url),
  file: "engine-server.js",
  suite: "slow-drip-engine",
};
const RESULTS = new URL("../results/", import.meta.url);

/** Written a byte at a time, and then `a` for ever. */
const HEAD = "GET / HTTP/1.1\r\nHost: a\r\nX-Drip: ";
/** A client's bytes are sent this far apart, in milliseconds. */
const DRIP = 1000;
/** Clients take turns in so many groups, lest all send at once. */
const GROUPS = 20;
/** Seconds until all clients are there. */
const ARRIVAL = 10;
/** How much the memory may grow from the first third to the last. */
const FLAT = 1.1;
/**
 * Clients come from so many addresses of this machine: the ports of one
 * would be used up by those that wait in TIME_WAIT.
 */
const ADDRESSES = 20;

/** Clients that drip, and what they were answered. */
class Drippers {
  #port;
  #isOver = false;
  #count = 0;
  /** @type {Set<{ socket: import("node:net").Socket, sent: number }>[]} */
  #groups = Array.from({ length: GROUPS }, () => new Set());
  /** Clients that were answered 408, and then hung up on. */
  answered = 0;
  /** How long they were borne with, in milliseconds. @type {number[]} */
  borne = [];
  /** All other ends, by what happened. @type {Record<string, number>} */
  others = {};

  /** @param {number} port */
  constructor(port) {
    this.#port = port;
  }

  get open() {
    return this.#groups.reduce((sum, { size }) => sum + size, 0);
  }

  /** Lets one more client come. */
  add() {
    const number = this.#count++;
    const group = this.#groups[number % GROUPS];
    const socket = connect({
      host: "127.0.0.1",
      port: this.#port,
      localAddress: `127.0.0.${2 + (number % ADDRESSES)}`,
    });
    const client = { socket, sent: 0 };
    let startedAt = 0;
    let received = "";
    let problem = "";
    group.add(client);
    socket.once("connect", () => {
      startedAt = performance.now();
    });
    socket.setEncoding("latin1");
    socket.on("data", (text) => {
      received += text;
    });
    socket.on("error", ({ message }) => {
      problem = message;
    });
    socket.once("close", () => {
      group.delete(client);
      if (received.startsWith("HTTP/1.1 408 ")) {
        this.answered++;
        this.borne.push(performance.now() - startedAt);
      } else {
        const what = received.slice(0, 12) || problem || "closed in silence";
        this.others[what] = (this.others[what] ?? 0) + 1;
      }
      if (!this.#isOver) this.add();
    });
  }

  /** @param {number} turn which of the groups sends */
  drip(turn) {
    for (const client of this.#groups[turn % GROUPS]) {
      client.socket.write(HEAD[client.sent++] ?? "a");
    }
  }

  /** From now on who is hung up on stays away. */
  finish() {
    this.#isOver = true;
  }
}

/** @param {number} pid */
function memoryOf(pid) {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  const bytes = (/** @type {string} */ name) =>
    1024 * Number(new RegExp(`^${name}: +(\\d+) kB`, "m").exec(text)?.[1]);
  return { pssBytes: bytes("Pss"), rssBytes: bytes("Rss") };
}

/**
 * An ordinary request, in the midst of all the others.
 *
 * @param {number} port
 * @returns {Promise<number>} milliseconds
 */
async function visit(port) {
  const before = performance.now();
  const response = await fetch(`http://127.0.0.1:${port}/visit`, {
    headers: { connection: "close" },
  });
  if (response.status !== 200) throw new Error(`a visit: ${response.status}`);
  await response.text();
  return performance.now() - before;
}

/**
 * @param {{ port: number, pid: number }} server
 * @param {{ connections: number, settle: number, seconds: number }} options
 */
async function besiege({ port, pid }, { connections, settle, seconds }) {
  const drippers = new Drippers(port);
  /** @type {Sample[]} */
  const samples = [];
  const before = memoryOf(pid);
  const startedAt = performance.now();
  let turn = 0;
  const dripTimer = setInterval(() => drippers.drip(turn++), DRIP / GROUPS);

  const sample = async () => {
    const second = Math.round((performance.now() - startedAt) / 1000);
    const visitMilliseconds = await visit(port);
    const { open, answered } = drippers;
    const row = {
      second,
      open,
      answered,
      ...memoryOf(pid),
      visitMilliseconds,
    };
    samples.push(row);
    if (second % 5 === 0) {
      const mebibytes = (row.pssBytes / 1024 ** 2).toFixed(1);
      console.error(
        `${second} s: ${open} open, ${answered} answered 408, ` +
          `${mebibytes} MiB, a visit takes ${visitMilliseconds.toFixed(1)} ms`,
      );
    }
  };

  let arrived = 0;
  for (let second = 1; second <= ARRIVAL + settle + seconds; second++) {
    const due = Math.ceil((connections * Math.min(second, ARRIVAL)) / ARRIVAL);
    while (arrived < due) {
      drippers.add();
      if (++arrived % 100 === 0) await delay(5);
    }
    await delay(startedAt + second * 1000 - performance.now());
    await sample();
  }
  drippers.finish();
  while (drippers.open > 0) {
    await delay(1000);
    await sample();
  }
  clearInterval(dripTimer);
  await delay(1000);
  await sample();
  return { drippers, samples, before };
}

/** @param {number[]} values */
function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/**
 * Whether memory stayed flat while all clients were there.
 *
 * @param {Sample[]} samples
 * @param {{ settle: number, seconds: number }} options
 */
function summarizeDrip(samples, { settle, seconds }) {
  const from = ARRIVAL + settle;
  const steady = samples.filter(({ second }) => second > from && second <= from + seconds);
  const third = Math.floor(steady.length / 3);
  const medianOf = (/** @type {Sample[]} */ some) => median(some.map(({ pssBytes }) => pssBytes));
  const atFirst = medianOf(steady.slice(0, third));
  const atLast = medianOf(steady.slice(-third));
  return {
    steadySeconds: steady.length,
    medianPssBytesOfFirstThird: atFirst,
    medianPssBytesOfLastThird: atLast,
    growth: Number((atLast / atFirst).toFixed(4)),
    isFlat: third > 0 && atLast / atFirst <= FLAT,
    medianVisitMilliseconds: median(steady.map(({ visitMilliseconds }) => visitMilliseconds)),
  };
}

/** @returns {number} how many files this process may have open */
function fileLimit() {
  const limits = readFileSync("/proc/self/limits", "utf8");
  return Number(/^Max open files +(\d+)/m.exec(limits)?.[1]);
}

async function main() {
  const { values } = parseArgs({
    options: {
      connections: { type: "string", default: "10000" },
      settle: { type: "string", default: "75" },
      seconds: { type: "string", default: "60" },
      machine: { type: "string", default: "local" },
      engine: { type: "boolean", default: false },
    },
  });
  const connections = Number(values.connections);
  const settle = Number(values.settle);
  const seconds = Number(values.seconds);
  if (process.platform !== "linux") {
    throw new Error("drip.js reads the server's memory from Linux's /proc");
  }
  if (fileLimit() < connections + 100) {
    throw new Error(
      `${connections} connections need as many open files, and the limit ` +
        `is ${fileLimit()}: try \`ulimit -n ${2 * connections}\` before`,
    );
  }

  const startedAt = new Date().toISOString();
  const machine = describeMachine();
  const { folder: cwd, file: program, suite } = values.engine ? CHAPTER_22 : CHAPTER_4;
  const server = await startProgram(cwd, program)({ limits: {} });
  const pid = Number(server.pid);
  try {
    const { drippers, samples, before } = await besiege(
      { port: server.port, pid },
      { connections, settle, seconds },
    );
    const verdict = summarizeDrip(samples, { settle, seconds });
    const areAllAnswered = Object.keys(drippers.others).length === 0;
    const openFilesAfter = readdirSync(`/proc/${pid}/fd`).length;
    const result = {
      suite,
      startedAt,
      command: `node benchmarks/experiments/drip.js ${process.argv.slice(2).join(" ")}`,
      commit: execFileSync("git", ["rev-parse", "--short=12", "HEAD"], {
        cwd: fileURLToPath(cwd),
        encoding: "utf8",
      }).trim(),
      node: process.version,
      where: machine,
      settings: {
        connections,
        settleSeconds: settle,
        seconds,
        bytesPerSecondAndConnection: 1000 / DRIP,
        limits: "the server's defaults",
      },
      verdict: {
        ...verdict,
        areAllAnswered,
        answered408: drippers.answered,
        others: drippers.others,
        medianMillisecondsBorne: median(drippers.borne),
        maxMillisecondsBorne: drippers.borne.reduce((a, b) => Math.max(a, b)),
        pssBytesBefore: before.pssBytes,
        pssBytesPerConnection: Math.round(
          (verdict.medianPssBytesOfLastThird - before.pssBytes) / connections,
        ),
        openFilesAfter,
      },
      samples,
    };
    const folder = new URL(`${values.machine}/`, RESULTS);
    mkdirSync(folder, { recursive: true });
    const file = new URL(`${suite}.json`, folder);
    writeFileSync(file, `${JSON.stringify(result, roundFractions, 2)}\n`);
    console.error(fileURLToPath(file));
    console.log(JSON.stringify(result.verdict, roundFractions, 2));
    if (!verdict.isFlat || !areAllAnswered) process.exitCode = 1;
  } finally {
    await server.close();
  }
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
