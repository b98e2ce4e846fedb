#!/usr/bin/env node
/**
 * Chapter 29's experiments, on a Postgres of their own: see `--help`.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { Ajv } from "ajv";
import { runMain } from "../../tools/lib/main.js";
import { readOptions } from "../../tools/lib/options.js";
import { benchError } from "../lib/errors.js";
import { describeMachine, outputOf } from "../lib/machine.js";
import { resultsFolder, root } from "../lib/paths.js";
import { Progress } from "../lib/progress.js";
import { asWritten, resultFile } from "../lib/results.js";
import { toNumber } from "../options.js";
import { programs } from "../programs.js";
import { derive, derivePauses } from "./derive.js";
import * as experiments from "./experiments.js";
import { tooMuchMemory } from "./memory.js";
import { formatDatabase } from "./table.js";
import { makeWorld, milestone } from "./world.js";

const { help } = programs.database;

const options = /** @type {const} */ ({
  machine: { type: "string", default: "local" },
  quick: { type: "boolean", default: false },
  blocks: { type: "string" },
  pauses: { type: "boolean", default: false },
  pictures: { type: "boolean", default: false },
  seed: { type: "string", default: "1" },
  help: { type: "boolean", short: "h", default: false },
});

/** An odd number, so that most of them is clear. */
const BLOCKS = 5;

const schema = JSON.parse(readFileSync(new URL("result.schema.json", import.meta.url), "utf8"));

await runMain(async () => {
  const values = readOptions(options, help);
  if (values.help) console.log(help);
  else if (values.pauses) await runAgain(values, "pausesAt", pausesOf);
  else if (values.pictures) await runAgain(values, "picturesAt", bothPictures);
  else await run(values);
  return 0;
});

/** @param {ReturnType<typeof readOptions<typeof options>>} values */
async function run({ machine, quick, blocks, seed }) {
  const progress = new Progress(0);
  const say = (/** @type {string} */ line) => progress.say(line);
  const settings = {
    machine,
    quick,
    blocks: toNumber(blocks, quick ? 1 : BLOCKS, "blocks"),
    seconds: quick ? 2 : 4,
    seed: Number(seed),
    say,
  };
  const startedAt = new Date().toISOString();
  const where = describeMachine();
  const world = await makeWorld(say);
  try {
    await world.startPostgres(false);
    // Rounded first, so that the figures follow from what is written down.
    const ladder = asWritten(await experiments.ladder(world, settings));
    const derived = derive(ladder);
    // Below every server's knee, so that latency and cost are the work's.
    const low = derived.rates[0].rate;
    const parts = {
      ladder,
      statements: await experiments.statements(world, settings, low),
      pools: await experiments.pools(world, settings, low),
      ...(await pausesOf(world, settings, derived)),
      distance: await experiments.distance(world, settings, low),
      cluster: await experiments.cluster(world, settings),
      threads: await experiments.threads(),
      descriptors: await experiments.descriptors(world, settings),
      ...(await bothPictures(world, settings, derived)),
      collapse: await experiments.collapse(world, settings, derived),
    };
    await world.startPostgres(true);
    const disk = await experiments.disk(world, settings);
    const versionOf = (/** @type {string} */ name) =>
      JSON.parse(readFileSync(path.join(root, "node_modules", name, "package.json"), "utf8"))
        .version;
    const result = asWritten({
      schema: 1,
      suite: "database",
      machine,
      publishable: !quick,
      startedAt,
      finishedAt: new Date().toISOString(),
      what: {
        title: "POST /user on Node and Go, with a Postgres",
        commit: outputOf("git", ["-C", root, "rev-parse", "HEAD"]) ?? "not known",
        command:
          `npm run bench -- database --machine ${machine}` +
          (settings.blocks === BLOCKS ? "" : ` --blocks ${settings.blocks}`),
        versions: {
          node: process.version,
          velocy: versionOf("velocy"),
          pg: versionOf("pg"),
          go: execFileSync("go", ["env", "GOVERSION"], { encoding: "utf8" }).trim(),
          pgx: /pgx\/v5 v(\S+)/.exec(readFileSync(path.join(milestone, "go/go.mod"), "utf8"))?.[1],
          postgres: outputOf("psql", ["--version"]),
        },
        settings: { blocks: settings.blocks, seconds: settings.seconds, seed: settings.seed },
        layout: world.layout,
        database: "fsync off, but in `disk`",
      },
      where,
      ...parts,
      // Nobody can measure again what was before a mend.
      pausesBefore: earlierResult(machine)?.pausesBefore,
      disk,
      memory: world.memory,
      derived,
    });
    progress.finish();
    console.log(write(result));
    const over = tooMuchMemory(world.memory);
    if (over) throw benchError("ERR_BENCH_MEMORY", over);
  } finally {
    await world.stop();
  }
}

/**
 * Pictures of the highest rate that both sides keep, for as long as the article's, and of the
 * lowest that neither keeps.
 *
 * @param {import("./world.js").World} world
 * @param {import("./experiments.js").Settings} settings
 * @param {ReturnType<typeof derive>} derived
 */
async function bothPictures(world, settings, { knee, rates, beyond }) {
  const { quick } = settings;
  const kept = Math.min(knee.node, knee.go) || rates[0].rate;
  const below = { rate: kept, seconds: quick ? 4 : 30, name: "kept" };
  const above = { rate: beyond, seconds: quick ? 4 : 15, name: "beyond" };
  return {
    pictures: await experiments.pictures(world, settings, below),
    beyond: await experiments.pictures(world, settings, above),
  };
}

/**
 * @param {string} machine
 * @returns {any} what the folder holds, if it holds any
 */
function earlierResult(machine) {
  const file = resultFile(machine, "database");
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}

/**
 * What stops each server, at a rate that is below every knee.
 *
 * @param {import("./world.js").World} world
 * @param {import("./experiments.js").Settings} settings
 * @param {ReturnType<typeof derive>} derived
 */
async function pausesOf(world, settings, { rates }) {
  // Rounded first, so that the figures follow from what is written down.
  const pauses = asWritten(await experiments.pauses(world, settings, rates[0].rate));
  return { pauses: { ...pauses, derived: derivePauses(pauses) } };
}

/**
 * @param {any} result
 * @returns {string} what it says
 */
function write(result) {
  const folder = path.join(resultsFolder, result.machine);
  const validate = new Ajv({ allErrors: true, strictTuples: false }).compile(schema);
  if (!validate(result)) throw new Error(JSON.stringify(validate.errors?.slice(0, 5)));
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "database.json"), `${JSON.stringify(result, undefined, 2)}\n`);
  const text = formatDatabase(result);
  writeFileSync(path.join(folder, "database.txt"), `${text}\n`);
  return text;
}

/**
 * Measures a part of a result anew, which says when.
 *
 * @param {ReturnType<typeof readOptions<typeof options>>} values
 * @param {"pausesAt" | "picturesAt"} when
 * @param {(world: import("./world.js").World, settings: import("./experiments.js").Settings,
 *   derived: ReturnType<typeof derive>) => Promise<object>} measure
 */
async function runAgain({ machine, quick }, when, measure) {
  const result = earlierResult(machine);
  if (result === undefined) {
    const first = `npm run bench -- database --machine ${machine}`;
    throw benchError("ERR_BENCH_RESULT", `There is no such result yet: begin with ${first}`);
  }
  const { blocks, seconds, seed } = result.what.settings;
  if (quick && result.publishable) {
    throw benchError("ERR_BENCH_QUICK", "A quick part would spoil a result that wasn't quick.");
  }
  const say = (/** @type {string} */ line) => console.error(line);
  const settings = { machine, quick: !result.publishable, blocks, seconds, seed, say };
  const world = await makeWorld(say);
  try {
    await world.startPostgres(false);
    const startedAt = new Date().toISOString();
    const parts = await measure(world, settings, result.derived);
    write(asWritten({ ...result, [when]: startedAt, ...parts }));
  } finally {
    await world.stop();
  }
}
