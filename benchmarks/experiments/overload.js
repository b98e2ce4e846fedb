/**
 * Goodput by load: chapter 19's server, with the gate and without, loaded by
 * the chapter's open.js, and the same by its simulation:
 *
 *     node benchmarks/experiments/overload.js [--seconds 6] [--machine NAME]
 *
 * Exits with 1 if the gate's goodput at two or three times the capacity is
 * less than nine tenths of its most.
 */
import { execFile, fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { describeMachine } from "../lib/machine.js";

const testing = new URL("../../code/ch19-overload/testing.js", import.meta.url);
const { simulate } = await import(testing.href);
const SERVER = fileURLToPath(new URL("overload-server.js", import.meta.url));
const CLIENT = fileURLToPath(new URL("../../code/ch19-overload/open.js", import.meta.url));
const RESULTS = new URL("../results/", import.meta.url);
const RATES = [100, 150, 180, 200, 300, 400, 600];
const OVERLOADS = [400, 600];
const TARGET = 0.9;
/** A server that has just started compiles its code. */
const WARM_UP = { rate: 300, seconds: 1 };

/** What both handlers are to the simulation. */
const MODELS = {
  "/page": { service: 5, servers: 1, refusal: 0.2 },
  "/data": { service: 40, servers: 8 },
};

/** @typedef {keyof typeof MODELS} Path */

/**
 * @typedef {object} Row
 * @property {Path} path
 * @property {"kept" | "new"} connections
 * @property {"bare" | "shed" | "simulated"} guard
 * @property {number[]} goodput a second, for each rate
 */

/**
 * @param {{ path: Path, connections: "kept" | "new", guard: string, rate: number,
 *   seconds: number }} run
 */
async function measure({ path, connections, guard, rate, seconds }) {
  const server = fork(SERVER, [guard]);
  try {
    const [port] = await once(server, "message");
    const args = [CLIENT, `http://127.0.0.1:${port}${path}`];
    if (connections === "new") args.push("--close");
    const load = async (/** @type {number} */ most, /** @type {number} */ time) => {
      const all = [...args, "--rate", `${most}`, "--seconds", `${time}`];
      return (await promisify(execFile)(process.execPath, all)).stdout;
    };
    await load(WARM_UP.rate, WARM_UP.seconds);
    const stdout = await load(rate, seconds);
    const good = [...stdout.matchAll(/^\d+: good (\d+),/gm)].map(([, count]) => Number(count));
    if (good.length !== seconds) throw new Error(`open.js said:\n${stdout}`);
    return good.reduce((sum, count) => sum + count, 0) / seconds;
  } finally {
    server.kill();
    await once(server, "exit");
  }
}

/** @param {Path} path @param {number} rate @param {number} seconds */
function play(path, rate, seconds) {
  const gaps = (/** @type {number} */ mean) => mean;
  const line = { age: 100, waiting: 1000 };
  const model = { ...MODELS[path], gaps, line, deadline: 200, patience: 1000 };
  return simulate({ ...model, rate, seconds }).good / seconds;
}

/** @param {Row} row @returns {number} the least share of the most */
function shareOf({ goodput }) {
  const most = Math.max(...goodput);
  return Math.min(...OVERLOADS.map((rate) => goodput[RATES.indexOf(rate)])) / most;
}

/** @param {Row[]} rows */
function tableOf(rows) {
  const head = ["", "", "", ...RATES.map(String), "share"];
  const lines = rows.map((row) => [
    ...[row.path, row.connections, row.guard, ...row.goodput.map((each) => each.toFixed(0))],
    `${(shareOf(row) * 100).toFixed(0)} %`,
  ]);
  const widths = [6, 5, 10, ...RATES.map(() => 4), 6];
  return [head, ...lines]
    .map((cells) =>
      cells
        .map((cell, index) =>
          index < 3 ? cell.padEnd(widths[index]) : cell.padStart(widths[index]),
        )
        .join(" ")
        .trimEnd(),
    )
    .join("\n");
}

const { values } = parseArgs({
  options: { seconds: { type: "string", default: "6" }, machine: { type: "string" } },
});
const seconds = Number(values.seconds);
const startedAt = new Date().toISOString();
const where = describeMachine();
/** @type {Row[]} */
const rows = [];
for (const path of /** @type {Path[]} */ (Object.keys(MODELS))) {
  for (const connections of /** @type {const} */ (["kept", "new"])) {
    for (const guard of /** @type {const} */ (["bare", "shed"])) {
      const goodput = [];
      for (const rate of RATES) {
        process.stderr.write(`${path} ${connections} ${guard} ${rate}\n`);
        goodput.push(await measure({ path, connections, guard, rate, seconds }));
      }
      rows.push({ path, connections, guard, goodput });
    }
  }
  const goodput = RATES.map((rate) => play(path, rate, seconds));
  rows.push({ path, connections: "kept", guard: "simulated", goodput });
}
const guarded = rows.filter(({ guard }) => guard === "shed");
const isReached = guarded.every((row) => shareOf(row) >= TARGET);
if (!isReached) process.exitCode = 1;
console.log(tableOf(rows));
if (values.machine !== undefined) {
  const folder = new URL(`${values.machine}/`, RESULTS);
  mkdirSync(folder, { recursive: true });
  const command = `node benchmarks/experiments/overload.js --machine ${values.machine}`;
  const node = process.version;
  const facts = { suite: "overload", startedAt, command, node, where, seconds };
  const all = rows.map((row) => ({ ...row, share: shareOf(row) }));
  const result = { ...facts, rates: RATES, isReached, rows: all };
  writeFileSync(new URL("overload.json", folder), `${JSON.stringify(result, null, 2)}\n`);
}
