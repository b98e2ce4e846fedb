import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { endAllGroups } from "../tools/lib/processes.js";
import { UserError } from "../tools/lib/user-error.js";
import { formatBestOf } from "./lib/best-of.js";
import { formatComparison, readMachine, readRuns } from "./lib/compare.js";
import { benchError } from "./lib/errors.js";
import { overview } from "./lib/overview.js";
import { bookMachine } from "./lib/paths.js";
import { readResult, resultFile, writeText } from "./lib/results.js";
import { runSuite } from "./lib/run-suite.js";
import { findSuite, suites } from "./lib/suites.js";
import { formatResult } from "./lib/table.js";

const help = `npm run bench -- SUITE [options]

  --quick           under three minutes; the result is marked as not publishable
  --only A,B        these contenders and the baseline, nothing else
  --machine NAME    the folder of benchmarks/results/ to write to (default: local,
                    which git ignores)
  --blocks N        how often each server runs (default 5)
  --seconds N       how long the load runs (default 8)
  --turns N         all servers of a block at once, loaded in N turns of so many
                    seconds that go round among them (default 1)
  --warm-up N       seconds of load before it (default 3)
  --connections N   default 256
  --rate N          requests a second that latency asks of all (default 10000)
  --tries N         how often at most to measure a server that other programs
                    disturb (default 3)
  --seed N          draws the order of the servers again
  --resume          go on with an unfinished result
  --stop-after N    run N blocks now and leave the rest to --resume

npm run bench -- cache [--quick]
                          the cache of chapter 28 beside memcached

npm run bench             what there is, and what is missing on this machine
npm run bench -- list     the suites and their contenders
npm run bench -- compare A B [--suite NAME] [--to SERVER]
                          two machines' ratios side by side
npm run bench -- best-of [MACHINE] [--suite NAME]
                          how a result looks when the runs to show are chosen
npm run bench -- report [MACHINE]
                          draws the charts and writes the tables anew`;

/**
 * Suites that don't put servers side by side by one load: programs of their own.
 *
 * @type {Record<string, string>}
 */
const programs = {
  cache: "experiments/cache.js",
  database: "database/run.js",
  "keeping-fast": "experiments/keeping-fast.js",
  router: "router/run.js",
};

/**
 * @param {string | undefined} text
 * @param {number} fallback
 * @param {string} name
 */
function toNumber(text, fallback, name) {
  if (text === undefined) return fallback;
  const number = Number(text);
  // wrk takes no fractions of a second.
  if (!Number.isInteger(number) || number < 1) {
    throw benchError("ERR_BENCH_USAGE", `--${name} takes a whole number, not "${text}".`);
  }
  return number;
}

function readCommandLine() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        quick: { type: "boolean" },
        only: { type: "string" },
        machine: { type: "string", default: "local" },
        blocks: { type: "string" },
        seconds: { type: "string" },
        turns: { type: "string" },
        "warm-up": { type: "string" },
        connections: { type: "string" },
        rate: { type: "string" },
        tries: { type: "string" },
        seed: { type: "string" },
        resume: { type: "boolean" },
        "stop-after": { type: "string" },
        suite: { type: "string" },
        to: { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (err) {
    throw benchError("ERR_BENCH_USAGE", `${/** @type {Error} */ (err).message}\n\n${help}`);
  }
}

/** @typedef {ReturnType<typeof readCommandLine>["values"]} Values */

/**
 * @param {Values} values
 * @param {number | undefined} seed of a result to go on with
 */
function readSettings(values, seed) {
  const quick = values.quick ?? false;
  return {
    blocks: toNumber(values.blocks, quick ? 2 : 5, "blocks"),
    idleSeconds: quick ? 0.3 : 1,
    warmUpSeconds: toNumber(values["warm-up"], quick ? 1 : 3, "warm-up"),
    seconds: toNumber(values.seconds, quick ? 2 : 8, "seconds"),
    ...(values.turns ? { turns: toNumber(values.turns, 1, "turns") } : {}),
    connections: toNumber(values.connections, 256, "connections"),
    commonRate: toNumber(values.rate, 10_000, "rate"),
    secondsPerRate: toNumber(values.seconds, quick ? 2 : 5, "seconds"),
    seed: toNumber(values.seed, seed ?? 1 + Math.floor(Math.random() * 999_999), "seed"),
  };
}

/**
 * @param {string} name
 * @param {Values} values
 */
async function bench(name, values) {
  const suite = findSuite(name);
  if (!suite) {
    throw benchError("ERR_BENCH_USAGE", `There is no suite or command "${name}".\n\n${help}`);
  }
  const machine = values.machine ?? "local";
  const file = resultFile(machine, name);
  const resume = values.resume && existsSync(file) ? readResult(file) : undefined;
  if (resume?.finished) {
    throw benchError("ERR_BENCH_RESUME", `${file} is finished: run without --resume.`);
  }
  const interrupted = new AbortController();
  let interrupts = 0;
  process.on("SIGINT", () => {
    interrupts++;
    if (interrupts > 1) process.exit(130);
    interrupted.abort();
    endAllGroups();
  });
  process.on("SIGTERM", () => process.exit(143));
  const result = await runSuite(suite, {
    machine,
    publishable: !values.quick,
    mostTries: toNumber(values.tries, values.quick ? 1 : 3, "tries"),
    settings: readSettings(values, resume?.what.settings.seed),
    only: values.only?.split(","),
    resume,
    stopAfter: values["stop-after"] ? toNumber(values["stop-after"], 1, "stop-after") : undefined,
    signal: interrupted.signal,
  });
  if (result.blocks.length === 0) {
    console.log("Stopped before a block was finished: there is nothing to keep.");
  } else {
    const text = formatResult(result);
    console.log(text);
    writeText(machine, name, `${text}\n`);
    const state = result.finished ? "" : `, ${result.blocks.length} blocks: --resume goes on`;
    console.error(`\n${resultFile(machine, name)}${state}`);
  }
  if (interrupted.signal.aborted) process.exitCode = 130;
  else if (result.blocks.some(({ failed }) => Object.keys(failed).length > 0)) process.exitCode = 1;
}

/**
 * @param {string[]} machines
 * @param {string | undefined} suite
 * @param {string | undefined} reference
 */
function compareMachines(machines, suite, reference) {
  if (machines.length !== 2) {
    throw benchError(
      "ERR_BENCH_USAGE",
      "compare takes two machines, folders of benchmarks/results/: compare local linux-2core-vm",
    );
  }
  const [a, b] = machines;
  const both = suites
    .filter(({ name, kind }) => kind !== "rates" && (suite === undefined || name === suite))
    .filter(({ name }) => existsSync(resultFile(a, name)) && existsSync(resultFile(b, name)));
  if (both.length === 0) {
    throw benchError(
      "ERR_BENCH_COMPARE",
      `${a} and ${b} have no result of ${suite ?? "any suite"} in common.`,
    );
  }
  return both
    .map(({ name }) => formatComparison(readMachine(a, name), readMachine(b, name), reference))
    .join("\n\n");
}

async function main() {
  const { values, positionals } = readCommandLine();
  const [command, ...rest] = positionals;
  if (values.help) return console.log(help);
  if (command === undefined) return console.log(await overview());
  if (command === "list") return console.log(await overview({ only: "list" }));
  if (command === "compare") return console.log(compareMachines(rest, values.suite, values.to));
  if (command === "best-of" && rest.length <= 1) {
    const [machine = bookMachine] = rest;
    return console.log(formatBestOf(readRuns(machine, values.suite ?? "typical")));
  }
  if (command === "report" && rest.length <= 1) {
    const { writeReport } = await import("./charts/report.js");
    return console.log(writeReport(rest[0] ?? bookMachine));
  }
  if (rest.length === 0) return bench(command, values);
  throw benchError("ERR_BENCH_USAGE", `What is "${rest.join(" ")}"?\n\n${help}`);
}

try {
  const program = programs[process.argv[2]];
  const file = program && fileURLToPath(new URL(program, import.meta.url));
  if (file && existsSync(file)) {
    const { status } = spawnSync(process.execPath, [file, ...process.argv.slice(3)], {
      stdio: "inherit",
    });
    process.exitCode = status ?? 1;
  } else {
    await main();
  }
} catch (err) {
  if (!(err instanceof UserError)) throw err;
  console.error(err.message);
  process.exitCode = 1;
}
