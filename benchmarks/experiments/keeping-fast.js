/**
 * Chapter 27's servers: what a request costs each of them, in blocks in which
 * they take turns; requests a second against requests served, with the leak and
 * without; shedding; ten connections instead of a hundred; late timers; and a
 * profile of the slow one: see `--help`. Exits with 1 when the twins don't tie.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { ensureDependencies } from "../../tools/lib/setup.js";
import { deriveKeepingFast, formatKeepingFast, SHEDDING_TEN } from "../lib/keeping-fast.js";
import { describeMachine } from "../lib/machine.js";
import { resultsFolder } from "../lib/paths.js";
import { asWritten } from "../lib/results.js";
import { drawOrder, seededRandom } from "../lib/statistics.js";
import { readProgramOptions } from "../programs.js";

/** @import { Block, Run } from "../lib/keeping-fast.js" */

const MILESTONE = new URL("../../code/ch27-keeping-node-fast/", import.meta.url);
const from = (/** @type {string} */ file) => import(new URL(file, MILESTONE).href);
const { load } = await from("load.js");
const { askInside, startServer } = await from("outside.js");
const { framesOf } = await from("flame.js");

const CONTENDERS = new URL("../contenders/", import.meta.url);
const PATH = "/seed/v1";
/** Which server each row is, and how it is asked. */
const COSTS = [
  { id: "mended", file: "mended.js" },
  { id: "mended-again", file: "mended.js" },
  { id: "restify-mended", file: "restify-mended.js" },
  { id: "by-hand", file: "by-hand.js" },
  { id: "no-hash", file: "no-hash.js" },
  { id: "conditional", file: "conditional.js" },
  { id: "conditional-304", file: "conditional.js", remembers: true },
  { id: "log-console", file: "log-console.js" },
  { id: "log-velocy", file: "log-velocy.js" },
  { id: "fastify", file: new URL("fastify/seed.js", CONTENDERS).href },
  { id: "hello", file: new URL("node-http/hello.js", CONTENDERS).href },
];
const values = readProgramOptions("keeping-fast", {
  quick: { type: "boolean", default: false },
  machine: { type: "string", default: "local" },
  blocks: { type: "string" },
  seed: { type: "string", default: "27" },
});
const settings = values.quick
  ? { blocks: 2, seconds: 1, turns: 2, longest: 4, connections: 100 }
  : { blocks: 9, seconds: 3, turns: 4, longest: 16, connections: 100 };
if (values.blocks !== undefined) settings.blocks = Number(values.blocks);
// Each server takes a free port.
process.env.PORT = "0";

/** @param {string} text */
const say = (text) => process.stderr.write(`${text}\n`);
const pathOf = (/** @type {string} */ file) => fileURLToPath(new URL(file, MILESTONE));

/**
 * One block: all servers are up, and the load goes round among them, so that
 * a slow second of the machine hits neighbours.
 *
 * @param {typeof COSTS} order
 * @returns {Promise<Record<string, Run>>}
 */
async function measureBlock(order) {
  /** @type {{ row: typeof COSTS[number], server: any, url: string, used: number, took: number, counts: Record<string, number> }[]} */
  const all = [];
  try {
    for (const row of order) {
      const server = await startServer(pathOf(row.file));
      const url = new URL(PATH, server.origin).href;
      all.push({ row, server, url, used: 0, took: 0, counts: {} });
    }
    const { connections, turns, seconds } = settings;
    for (const { row, url } of all) {
      await load(url, { connections, seconds: 1, remembers: row.remembers });
    }
    for (let turn = 0; turn < turns; turn += 1) {
      for (const one of all) {
        Object.assign(one, await measureTurn(one, { connections, seconds: seconds / turns }));
      }
    }
  } finally {
    await Promise.all(all.map(({ server }) => server.stop()));
  }
  return Object.fromEntries(
    all.map(({ row, used, took, counts }) => {
      const count = Object.values(counts).reduce((sum, one) => sum + one, 0);
      const statuses = Object.keys(counts).join(", ");
      return [row.id, { rate: count / took, cost: used / count, statuses }];
    }),
  );
}

/**
 * @param {any} one a server, and what it has done so far
 * @param {{ connections: number, seconds: number }} options
 */
async function measureTurn({ row, server, url, counts, ...sums }, options) {
  const before = await askInside(server.pid, "/usage");
  const start = performance.now();
  await load(url, {
    ...options,
    remembers: row.remembers,
    onAnswer: (/** @type {number} */ status) => {
      counts[status] = (counts[status] ?? 0) + 1;
    },
  });
  const took = performance.now() - start;
  const after = await askInside(server.pid, "/usage");
  const used = after.user + after.system - before.user - before.system;
  return { took: sums.took + took / 1000, used: sums.used + used };
}

async function measureCosts() {
  const random = seededRandom(Number(values.seed));
  /** @type {Block[]} */
  const blocks = [];
  while (blocks.length < settings.blocks) {
    const order = drawOrder(COSTS, random);
    say(`block ${blocks.length + 1} of ${settings.blocks}`);
    const runs = await measureBlock(order);
    blocks.push({ order: order.map(({ id }) => id), runs });
  }
  return blocks;
}

/**
 * How many requests were answered in each second, by status.
 *
 * @param {string} file
 * @param {number} connections
 */
async function bySecond(file, connections = settings.connections) {
  say(`${file}, ${settings.longest} s, ${connections} connections`);
  const server = await startServer(pathOf(file));
  try {
    const start = performance.now();
    /** @type {Record<string, number>[]} */
    const counts = Array.from({ length: settings.longest }, () => ({}));
    await load(new URL(PATH, server.origin).href, {
      connections,
      seconds: settings.longest,
      onAnswer: (/** @type {number} */ status) => {
        const second = Math.floor((performance.now() - start) / 1000);
        if (second < counts.length) counts[second][status] = (counts[second][status] ?? 0) + 1;
      },
    });
    return counts;
  } finally {
    await server.stop();
  }
}

/** When a timer of 100 ms fires, if the loop is kept busy from the start. */
async function lateTimers() {
  const rows = [];
  for (const busy of [60, 100, 170]) {
    const program =
      "const start = performance.now();" +
      "setTimeout(() => console.log(performance.now() - start), 100);" +
      `while (performance.now() - start < ${busy});`;
    const fired = Number(execFileSync(process.execPath, ["-e", program], { encoding: "utf8" }));
    rows.push({ busy, fired });
  }
  return rows;
}

/** What JSON costs on this Node.js and on Node.js 20, in microseconds. */
async function stringifyCosts() {
  const folder = fileURLToPath(new URL("../runtimes/node-20/", import.meta.url));
  await ensureDependencies(folder, "Installing Node.js 20");
  const old = `${folder}node_modules/.bin/node`;
  const program = fileURLToPath(new URL("stringify.js", import.meta.url));
  const of = (/** @type {string} */ node) => {
    const text = execFileSync(node, [program], { encoding: "utf8" });
    const [stringify, byHand] = [...text.matchAll(/: ([\d.]+) µs/g)].map(([, cost]) =>
      Number(cost),
    );
    return { stringify, byHand };
  };
  return { own: of(process.execPath), node20: of(old) };
}

async function profileSlow() {
  say("profile of slow.js");
  const server = await startServer(pathOf("slow.js"));
  try {
    await askInside(server.pid, "/profile/start");
    await askInside(server.pid, "/loop/start");
    await load(new URL(PATH, server.origin).href, { seconds: 4 });
    // Making the profile takes time, too.
    const { busy, longest } = await askInside(server.pid, "/loop/stop");
    const profile = await askInside(server.pid, "/profile/stop");
    return { loop: { busy, longest }, frames: framesOf(profile, MILESTONE.href) };
  } finally {
    await server.stop();
  }
}

await ensureDependencies(fileURLToPath(new URL("fastify/", CONTENDERS)), "Installing Fastify");
const startedAt = new Date().toISOString();
const where = describeMachine();
const blocks = await measureCosts();
/** As `CONCURRENT=10 node shedding.js`. */
async function shedAtTen() {
  process.env.CONCURRENT = "10";
  try {
    return await bySecond("shedding.js");
  } finally {
    delete process.env.CONCURRENT;
  }
}

const growth = {
  slow: await bySecond("slow.js"),
  restify: await bySecond("restify.js"),
  shedding: await bySecond("shedding.js"),
  [SHEDDING_TEN]: await shedAtTen(),
  mended: await bySecond("mended.js"),
  "restify-mended": await bySecond("restify-mended.js"),
  "mended, 10 connections": await bySecond("mended.js", 10),
  "restify-mended, 10 connections": await bySecond("restify-mended.js", 10),
};
const timers = await lateTimers();
const stringify = await stringifyCosts();
const profile = await profileSlow();
const { machine } = values;
const command = `node benchmarks/experiments/keeping-fast.js --machine ${machine}`;
const facts = { suite: "keeping-fast", startedAt, command, node: process.version, where };
const runs = asWritten({
  isQuick: values.quick,
  settings,
  blocks,
  growth,
  timers,
  stringify,
  profile,
});
const figures = asWritten(deriveKeepingFast(runs));
if (!figures.isTied) process.exitCode = 1;
const text = formatKeepingFast(runs);
process.stdout.write(text);
mkdirSync(`${resultsFolder}/${machine}`, { recursive: true });
const result = `${JSON.stringify({ ...facts, ...runs, ...figures }, null, 2)}\n`;
writeFileSync(`${resultsFolder}/${machine}/keeping-fast.json`, result);
writeFileSync(`${resultsFolder}/${machine}/keeping-fast.txt`, text);
