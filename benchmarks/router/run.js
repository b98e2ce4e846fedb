#!/usr/bin/env node
/**
 * Measures every router on every set: see `--help`.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { runMain } from "../../tools/lib/main.js";
import { readOptions } from "../../tools/lib/options.js";
import { run } from "../../tools/lib/processes.js";
import { benchError } from "../lib/errors.js";
import { describeMachine } from "../lib/machine.js";
import { resultsFolder, root } from "../lib/paths.js";
import { Progress } from "../lib/progress.js";
import { asWritten } from "../lib/results.js";
import { drawOrder, estimate, seededRandom } from "../lib/statistics.js";
import { programs } from "../programs.js";
import { contenders } from "./routers.js";
import { buildSet, setNames } from "./sets.js";

/** @import { Estimate } from "../lib/statistics.js" */

const { help } = programs.router;

const options = /** @type {const} */ ({
  machine: { type: "string", default: "local" },
  blocks: { type: "string", default: "5" },
  quick: { type: "boolean", default: false },
  "stop-after": { type: "string", default: "1000" },
  resume: { type: "boolean", default: false },
  seed: { type: "string", default: "1" },
  help: { type: "boolean", short: "h", default: false },
});

const scaleNames = [10, 100, 1_000, 10_000].map((count) => `scale-${count}`);
const scaled = ["memoirist", "find-my-way", "rou3"];

/**
 * @typedef {object} Run
 * @property {string} router
 * @property {string} set
 * @property {number} [hits] nanoseconds a lookup
 * @property {number} [misses]
 * @property {string} [refused] why the router can't be measured on the set
 *
 * @typedef {object} Figures
 * @property {Record<string, Estimate>} [hits]
 * @property {Record<string, Estimate>} [misses]
 */

/** @type {ReturnType<typeof readOptions<typeof options>>} */
let values;

await runMain(async () => {
  values = readOptions(options, help);
  if (values.help) console.log(help);
  else await measureAll();
  return 0;
});

async function measureAll() {
  const file = path.join(resultsFolder, values.machine, "router.json");
  const seed = Number(values.seed);
  const wanted = values.quick ? 1 : Number(values.blocks);
  const result = values.resume ? JSON.parse(readFileSync(file, "utf8")) : begin(seed, wanted);
  const left = Math.min(wanted - result.blocks.length, Number(values["stop-after"]));
  const progress = new Progress(left * pairs().length);
  for (let i = 0; i < left; i += 1) {
    const random = seededRandom(seed + result.blocks.length);
    /** @type {Run[]} */
    const block = [];
    for (const [router, set] of drawOrder(pairs(), random)) {
      progress.begin(`${router} on ${set}`, 1500);
      block.push({ router, set, ...(await measure(router, set)) });
      progress.end();
    }
    result.blocks.push(block);
    // After each block, so that an interruption loses no more than one.
    result.finished = result.blocks.length >= wanted;
    result.finishedAt = new Date().toISOString();
    result.derived = derive(result.blocks);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify(asWritten(result), undefined, 2)}\n`);
  }
  print(result.derived);
}

/**
 * @param {number} seed
 * @param {number} blocks
 */
function begin(seed, blocks) {
  return {
    schema: 1,
    suite: "router",
    machine: values.machine,
    finished: false,
    startedAt: new Date().toISOString(),
    finishedAt: "",
    what: {
      title: "Nanoseconds to find a handler and its parameters",
      node: process.version,
      commit: execFileSync("git", ["rev-parse", "HEAD"], { cwd: root, encoding: "utf8" }).trim(),
      command: "node benchmarks/router/measure.js ROUTER SET",
      settings: { blocks, seed, lookupsPerPass: 12_000, warmUpPasses: 60, passes: 60 },
    },
    where: describeMachine(),
    routers: Object.fromEntries(
      contenders.map(({ id, title, version, isAside }) => [id, { title, version, isAside }]),
    ),
    sets: Object.fromEntries(
      [...setNames, ...scaleNames].map((name) => {
        const { routes, hits, misses } = buildSet(name);
        return [name, { routes: routes.length, hits: hits.length, misses: misses.length }];
      }),
    ),
    /** @type {Run[][]} */
    blocks: [],
    derived: {},
  };
}

/** @returns {[router: string, set: string][]} everything that is measured */
function pairs() {
  return contenders.flatMap(({ id }) => {
    const growsToo = id.startsWith("velocy") || scaled.includes(id);
    const sets = growsToo ? [...setNames, ...scaleNames] : setNames;
    return sets.map((set) => /** @type {[string, string]} */ ([id, set]));
  });
}

/**
 * @param {string} router
 * @param {string} set
 */
async function measure(router, set) {
  const script = path.join(import.meta.dirname, "measure.js");
  const { code, stdout, output } = await run(process.execPath, [script, router, set], {});
  if (code !== 0) throw benchError("ERR_BENCH_RUN_FAILED", `${router} on ${set}:\n${output}`);
  return JSON.parse(stdout);
}

/**
 * @param {Run[][]} blocks
 * @returns {Record<string, Figures & { fastest?: string, refused: Record<string, string>,
 *   ratios: Record<string, Estimate> }>}
 */
function derive(blocks) {
  return Object.fromEntries(
    [...setNames, ...scaleNames].map((set) => [set, deriveSet(blocks, set)]),
  );
}

/**
 * @param {Run[][]} blocks
 * @param {string} set
 */
function deriveSet(blocks, set) {
  /** @type {Record<string, Estimate>} */
  const hits = {};
  /** @type {Record<string, Estimate>} */
  const misses = {};
  /** @type {Record<string, string>} */
  const refused = {};
  for (const { id } of contenders) {
    const runs = runsOf(blocks, id, set);
    if (runs.length === 0) continue;
    const refusal = runs.find((run) => run.refused !== undefined);
    if (refusal?.refused !== undefined) {
      refused[id] = refusal.refused;
      continue;
    }
    hits[id] = estimate(runs.map((run) => run.hits ?? 0));
    misses[id] = estimate(runs.map((run) => run.misses ?? 0));
  }
  const others = Object.keys(hits).filter((id) => !id.startsWith("velocy"));
  const fastest = others.sort((a, b) => hits[a].median - hits[b].median)[0];
  const asides = contenders.filter(({ isAside }) => isAside).map(({ id }) => id);
  const ours = Object.keys(hits).filter((id) => id.startsWith("velocy") && !asides.includes(id));
  const ratios = Object.fromEntries(ours.map((id) => [id, ratio(blocks, set, id, fastest)]));
  return { hits, misses, refused, fastest, ratios };
}

/**
 * Block by block, because a machine's mood lasts longer than a run.
 *
 * @param {Run[][]} blocks
 * @param {string} set
 * @param {string} a
 * @param {string} b
 */
function ratio(blocks, set, a, b) {
  const above = runsOf(blocks, a, set);
  const below = runsOf(blocks, b, set);
  return estimate(above.map(({ hits = 0 }, i) => hits / (below[i].hits ?? 0)));
}

/**
 * @param {Run[][]} blocks
 * @param {string} router
 * @param {string} set
 */
function runsOf(blocks, router, set) {
  return blocks.flatMap((block) => block.filter((run) => run.router === router && run.set === set));
}

/** @param {ReturnType<typeof derive>} derived */
function print(derived) {
  for (const [set, { hits = {}, misses = {}, refused, ratios, fastest }] of Object.entries(
    derived,
  )) {
    console.log(`\n${set}, nanoseconds a lookup`);
    for (const id of Object.keys(hits).sort((a, b) => hits[a].median - hits[b].median)) {
      const { median, low, high } = hits[id];
      const found = `${median.toFixed(0)} (${low.toFixed(0)} to ${high.toFixed(0)})`;
      console.log(`  ${id.padEnd(16)} ${found.padEnd(20)} misses ${misses[id].median.toFixed(0)}`);
    }
    for (const [id, why] of Object.entries(refused)) console.log(`  ${id.padEnd(16)} ${why}`);
    for (const [id, { median, low, high }] of Object.entries(ratios)) {
      const interval = `${low.toFixed(3)} to ${high.toFixed(3)}`;
      console.log(`  ${id} / ${fastest}: ${median.toFixed(3)} (${interval})`);
    }
  }
}
