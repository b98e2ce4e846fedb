/**
 * What a second worker is worth for a server that computes, in turns:
 *
 *     node benchmarks/experiments/cluster-workers.js [--machine NAME]
 *
 * Each round asks a cluster of one worker and one of two, for a few seconds
 * each, and runs the same work without a server: in one process, and in two at
 * the same time. Those tell what the two cores are worth. The order changes
 * from round to round.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { freePort } from "../../code/contracts/port.js";
import { describeMachine } from "../lib/machine.js";

const VELOCY = new URL("../../code/ch21-cluster/", import.meta.url);
const RESULTS = new URL("../results/", import.meta.url);
const ROUNDS = 8;
const SECONDS = 4;
/** Requests under way. */
const CLIENTS = 16;

const WORK = `pbkdf2Sync("password", "salt", 20_000, 32, "sha512")`;
const SERVER = `import { pbkdf2Sync } from "node:crypto";
import { createServer, Router } from ${JSON.stringify(new URL("index.js", VELOCY).href)};
const router = new Router();
router.get("/", () => ${WORK}.toString("hex"));
createServer(router).listen(Number(process.env.PORT));
`;
const ALONE = `import { pbkdf2Sync } from "node:crypto";
const end = performance.now() + ${SECONDS * 1000};
let count = 0;
for (; performance.now() < end; count++) ${WORK};
console.log(count / ${SECONDS});
`;

/** @typedef {{ port: number, close: () => Promise<void> }} Cluster */

/**
 * @param {string} script
 * @param {number} workers
 * @returns {Promise<Cluster>} when all of its workers are ready
 */
async function startCluster(script, workers) {
  const port = await freePort();
  const program = fileURLToPath(new URL("bin/velocy.js", VELOCY));
  const child = spawn(process.execPath, [program, script, "--workers", String(workers)], {
    env: { ...process.env, PORT: String(port) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let told = "";
  await /** @type {Promise<void>} */ (
    new Promise((resolve, reject) => {
      child.stderr.setEncoding("utf8").on("data", (/** @type {string} */ chunk) => {
        told += chunk;
        if (told.split("is ready").length > workers) resolve();
      });
      child.once("exit", () => reject(new Error(`the cluster ended: ${told}`)));
    })
  );
  return {
    port,
    async close() {
      child.kill("SIGTERM");
      if (child.exitCode === null) await once(child, "exit");
    },
  };
}

/**
 * Answers a second of a cluster, each request on a connection of its own.
 *
 * @param {Cluster} cluster
 */
async function load({ port }) {
  const end = performance.now() + SECONDS * 1000;
  let answers = 0;
  const ask = async () => {
    while (performance.now() < end) {
      const request = http.get({ agent: false, port, host: "127.0.0.1" });
      const [response] = await once(request, "response");
      await once(response.resume(), "end");
      if (response.statusCode !== 200) throw new Error(`a ${response.statusCode}`);
      answers++;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, ask));
  return answers / SECONDS;
}

/** @param {number} processes each of which does the work for some seconds */
async function compute(processes) {
  const rates = Array.from({ length: processes }, async () => {
    const words = ["--input-type=module", "--eval", ALONE];
    const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
    return Number(await text(child.stdout));
  });
  return (await Promise.all(rates)).reduce((sum, rate) => sum + rate, 0);
}

/** @param {number[]} values */
function summarize(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const median = (sorted[Math.ceil(middle) - 1] + sorted[Math.floor(middle)]) / 2;
  return { median, low: sorted[0], high: sorted.at(-1) };
}

/** @param {string} machine */
async function main(machine) {
  const where = describeMachine();
  const startedAt = new Date().toISOString();
  const folder = mkdtempSync(path.join(tmpdir(), "velocy-workers-"));
  const script = path.join(folder, "server.mjs");
  writeFileSync(script, SERVER);
  /** @type {Cluster[]} */
  const clusters = [];
  /** @type {{ one: number, two: number, alone: number, beside: number }[]} */
  const rounds = [];
  try {
    const one = await startCluster(script, 1);
    clusters.push(one);
    const two = await startCluster(script, 2);
    clusters.push(two);
    const turns = {
      one: () => load(one),
      two: () => load(two),
      alone: () => compute(1),
      beside: () => compute(2),
    };
    for (let round = 0; round < ROUNDS; round++) {
      const row = { one: 0, two: 0, alone: 0, beside: 0 };
      const names = /** @type {(keyof typeof row)[]} */ (Object.keys(turns));
      // Each begins as often as any other, and follows each of them.
      const order = names.map((_, place) => names[(place + round) % names.length]);
      if (round % 2 === 1) order.reverse();
      for (const name of order) row[name] = await turns[name]();
      rounds.push(row);
      console.error(JSON.stringify(row));
    }
  } finally {
    for (const cluster of clusters) await cluster.close();
    rmSync(folder, { recursive: true, force: true });
  }
  save(machine, {
    suite: "cluster-workers",
    startedAt,
    command: `node benchmarks/experiments/cluster-workers.js ${process.argv.slice(2).join(" ")}`,
    commit: execFileSync("git", ["rev-parse", "--short=12", "HEAD"], {
      cwd: fileURLToPath(VELOCY),
      encoding: "utf8",
    }).trim(),
    node: process.version,
    velocy: JSON.parse(readFileSync(new URL("package.json", VELOCY), "utf8")).version,
    where,
    settings: { rounds: ROUNDS, seconds: SECONDS, clients: CLIENTS },
    rounds,
    secondWorker: summarize(rounds.map(({ one, two }) => two / one)),
    secondCore: summarize(rounds.map(({ alone, beside }) => beside / alone)),
  });
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

const { values } = parseArgs({ options: { machine: { type: "string", default: "local" } } });
try {
  await main(values.machine);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
