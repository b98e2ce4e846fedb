/**
 * Chapter 27's servers: what a request costs each of them, in blocks in which
 * they take turns; requests a second against requests served, with the leak and
 * without; shedding; ten connections instead of a hundred; late timers; and a
 * profile of the slow one:
 *
 *     node benchmarks/experiments/keeping-fast.js [--quick] [--machine NAME]
 *
 * Takes about seven minutes, and one with --quick. Exits with 1 when the twins
 * don't tie.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { describeMachine } from "../lib/machine.js";
import { resultsFolder } from "../lib/paths.js";
import { drawOrder, estimate, seededRandom } from "../lib/statistics.js";

/** @import { Estimate } from "../lib/statistics.js" */

const MILESTONE = new URL("../../code/ch27-keeping-node-fast/", import.meta.url);
const from = (/** @type {string} */ file) => import(new URL(file, MILESTONE).href);
const { load } = await from("load.js");
const { measure } = await from("measure.js");
const { askInside, startServer } = await from("outside.js");
const { framesOf } = await from("flame.js");

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
];
const BASELINE = "mended";
const TWIN = "mended-again";
/** How far the twins' median may be from 1. */
const TIE = 0.05;

/** @typedef {{ rate: number, cost: number, statuses: string }} Run */
/** @typedef {{ order: string[], runs: Record<string, Run> }} Block */

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    machine: { type: "string", default: "local" },
    seed: { type: "string", default: "27" },
  },
});
const settings = values.quick
  ? { blocks: 2, seconds: 1, longest: 4, connections: 100 }
  : { blocks: 7, seconds: 3, longest: 16, connections: 100 };
// Each server takes a free port.
process.env.PORT = "0";

/** @param {string} text */
const say = (text) => process.stderr.write(`${text}\n`);
const pathOf = (/** @type {string} */ file) => fileURLToPath(new URL(file, MILESTONE));

/** @param {{ file: string, remembers?: boolean }} row */
function measureRow({ file, remembers }) {
  const { seconds, connections } = settings;
  return measure(pathOf(file), PATH, { seconds, connections, remembers });
}

async function measureCosts() {
  const random = seededRandom(Number(values.seed));
  /** @type {Block[]} */
  const blocks = [];
  while (blocks.length < settings.blocks) {
    const order = drawOrder(COSTS, random);
    /** @type {Record<string, Run>} */
    const runs = {};
    for (const row of order) {
      say(`block ${blocks.length + 1}: ${row.id}`);
      runs[row.id] = await measureRow(row);
    }
    blocks.push({ order: order.map(({ id }) => id), runs });
  }
  return blocks;
}

/** @param {Block[]} blocks */
function derive(blocks) {
  /** @type {Record<string, { cost: Estimate, rate: Estimate, toMended: Estimate }>} */
  const derived = {};
  for (const { id } of COSTS) {
    const runs = blocks.map((block) => block.runs[id]);
    const ratios = runs.map(({ cost }, index) => cost / blocks[index].runs[BASELINE].cost);
    derived[id] = {
      cost: estimate(runs.map(({ cost }) => cost)),
      rate: estimate(runs.map(({ rate }) => rate)),
      toMended: estimate(ratios),
    };
  }
  return derived;
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

async function profileSlow() {
  say("profile of slow.js");
  const server = await startServer(pathOf("slow.js"));
  try {
    await askInside(server.pid, "/loop/start");
    await askInside(server.pid, "/profile/start");
    await load(new URL(PATH, server.origin).href, { seconds: 4 });
    const profile = await askInside(server.pid, "/profile/stop");
    const loop = await askInside(server.pid, "/loop/stop");
    return { loop, frames: framesOf(profile, MILESTONE.href) };
  } finally {
    await server.stop();
  }
}

/** @param {Record<string, number>[]} counts @param {number} seconds */
function answered(counts, seconds) {
  const first = counts.slice(0, seconds);
  return first.reduce((sum, each) => sum + (each[200] ?? 0), 0);
}

const startedAt = new Date().toISOString();
const where = describeMachine();
const blocks = await measureCosts();
const derived = derive(blocks);
const growth = {
  slow: await bySecond("slow.js"),
  restify: await bySecond("restify.js"),
  shedding: await bySecond("shedding.js"),
  mended: await bySecond("mended.js"),
  "restify-mended": await bySecond("restify-mended.js"),
  "mended, 10 connections": await bySecond("mended.js", 10),
  "restify-mended, 10 connections": await bySecond("restify-mended.js", 10),
};
/** @type {{ seconds: number, velocy: number, restify: number }[]} */
const gains = [];
for (let seconds = 1; seconds <= settings.longest; seconds *= 2) {
  const gain = (/** @type {"" | "restify-"} */ kind) => {
    const slow = kind === "" ? growth.slow : growth.restify;
    return answered(growth[`${kind}mended`], seconds) / answered(slow, seconds);
  };
  gains.push({ seconds, velocy: gain(""), restify: gain("restify-") });
}
const timers = await lateTimers();
const profile = await profileSlow();
const twins = derived[TWIN].toMended;
const isTied = Math.abs(twins.median - 1) < TIE;
if (!isTied) process.exitCode = 1;

const number = (/** @type {number} */ value, digits = 0) => value.toFixed(digits);
const lines = [
  "what a request costs, in microseconds of processor time, and beside mended.js",
  ...COSTS.map(({ id }) => {
    const { cost, rate, toMended } = derived[id];
    const interval = `${number(toMended.low, 2)} to ${number(toMended.high, 2)}`;
    return (
      `${id.padEnd(16)} ${number(cost.median, 1).padStart(6)}` +
      ` ${number(rate.median).padStart(7)}/s  ${number(toMended.median, 2)} (${interval})`
    );
  }),
  `the twins ${isTied ? "tie" : "DON'T TIE"}`,
  "",
  "answered after so many seconds, slow and mended, and the gain",
  ...gains.map(
    ({ seconds, velocy, restify }) =>
      `${String(seconds).padStart(2)} s  velocy ${answered(growth.slow, seconds)} ` +
      `${answered(growth.mended, seconds)} ${number(velocy)}x  restify ` +
      `${answered(growth.restify, seconds)} ${answered(growth["restify-mended"], seconds)} ` +
      `${number(restify)}x`,
  ),
];
const text = `${lines.join("\n")}\n`;
process.stdout.write(text);

const folder = `${resultsFolder}/${values.machine}`;
const command = `node benchmarks/experiments/keeping-fast.js --machine ${values.machine}`;
const result = {
  suite: "keeping-fast",
  startedAt,
  command,
  node: process.version,
  where,
  isQuick: values.quick,
  settings,
  blocks,
  derived,
  isTied,
  growth,
  gains,
  timers,
  profile,
};
mkdirSync(folder, { recursive: true });
writeFileSync(`${folder}/keeping-fast.json`, `${JSON.stringify(result, null, 2)}\n`);
writeFileSync(`${folder}/keeping-fast.txt`, text);
