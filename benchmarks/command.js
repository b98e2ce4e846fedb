import { existsSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { endAllGroups } from "../tools/lib/processes.js";
import { UserError } from "../tools/lib/user-error.js";
import { formatBestOf } from "./lib/best-of.js";
import { formatComparison, readMachine, readRuns } from "./lib/compare.js";
import { benchError } from "./lib/errors.js";
import { formatHistory } from "./lib/history.js";
import { overview } from "./lib/overview.js";
import { bookMachine } from "./lib/paths.js";
import { asWritten, readResult, resultFile, writeText } from "./lib/results.js";
import { runProgram } from "./lib/run-program.js";
import { runSuite } from "./lib/run-suite.js";
import { findSuite, suites } from "./lib/suites.js";
import { formatResult } from "./lib/table.js";
import { help, readCommandLine, readSettings, toNumber } from "./options.js";
import { programs } from "./programs.js";

/** @import { Values } from "./options.js" */

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
    const text = formatResult(asWritten(result));
    console.log(text);
    writeText(machine, name, `${text}\n`);
    const state = result.finished ? "" : `, ${result.blocks.length} blocks: --resume goes on`;
    console.error(`\n${resultFile(machine, name)}${state}`);
  }
  if (interrupted.signal.aborted) process.exitCode = 130;
  else if (result.blocks.some(({ failed }) => Object.keys(failed).length > 0)) process.exitCode = 1;
}

/**
 * @param {"compare" | "page"} command
 * @param {string[]} machines
 * @returns {[a: string, b: string]}
 */
function twoMachines(command, machines) {
  if (machines.length === 2) return [machines[0], machines[1]];
  throw benchError(
    "ERR_BENCH_USAGE",
    `${command} takes two machines, folders of benchmarks/results/: ${command} local ${bookMachine}`,
  );
}

/**
 * @param {string[]} machines
 * @param {string | undefined} suite
 * @param {string | undefined} reference
 */
function compareMachines(machines, suite, reference) {
  const [a, b] = twoMachines("compare", machines);
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
  if (command === undefined) return console.log(await overview());
  if (command === "list") return console.log(await overview({ only: "list" }));
  if (command === "compare") return console.log(compareMachines(rest, values.suite, values.to));
  if (command === "best-of" && rest.length <= 1) {
    const [machine = bookMachine] = rest;
    return console.log(formatBestOf(readRuns(machine, values.suite ?? "typical")));
  }
  if (command === "history" && rest.length <= 1) {
    return console.log(formatHistory(rest[0] ?? "local"));
  }
  if (command === "page") {
    const { writePage } = await import("./charts/page.js");
    return console.log(writePage(...twoMachines("page", rest)));
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
  const file = program && fileURLToPath(new URL(program.file, import.meta.url));
  if (file && existsSync(file)) {
    process.exitCode = await runProgram(file, process.argv.slice(3));
  } else {
    await main();
  }
} catch (err) {
  if (!(err instanceof UserError)) throw err;
  console.error(err.message);
  process.exitCode = 1;
}
