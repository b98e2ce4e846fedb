#!/usr/bin/env node
/**
 * `npm run bench`: says how long it takes, sees to it that the packages are
 * there, in a clone that is new too, and then does what the command line says.
 * Until then nothing may need a package.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { ensureDependencies } from "../tools/lib/setup.js";
import { UserError } from "../tools/lib/user-error.js";
import { forecast, formatForecast, lacksPackages } from "./lib/forecast.js";
import { resultsFolder, root } from "./lib/paths.js";
import { findSuite } from "./lib/suites.js";
import { timed } from "./lib/took.js";
import { help, readCommandLine, readSettings } from "./options.js";
import { programs } from "./programs.js";

/** @returns {string | undefined} how long it takes, if it is a suite */
function sayBeforehand() {
  const { values, positionals } = readCommandLine();
  const suite = positionals.length === 1 && findSuite(positionals[0]);
  if (!suite) return undefined;
  const settings = readSettings(values);
  const done = values.resume ? countBlocks(values.machine, suite.name) : 0;
  const blocks = Math.min(settings.blocks - done, Number(values["stop-after"] ?? settings.blocks));
  const only = values.only?.split(",");
  return formatForecast(suite.name, forecast(suite, { settings: { ...settings, blocks }, only }));
}

/**
 * @param {string} machine
 * @param {string} suite
 * @returns {number} how much of a result is there
 */
function countBlocks(machine, suite) {
  try {
    const file = path.join(resultsFolder, machine, `${suite}.json`);
    return JSON.parse(readFileSync(file, "utf8")).blocks.length;
  } catch {
    return 0;
  }
}

/** Help needs no package. @returns {string | undefined} if it is asked for */
function askedHelp() {
  const [name, ...args] = process.argv.slice(2);
  if (Object.hasOwn(programs, name)) {
    return args.includes("--help") || args.includes("-h") ? programs[name].help : undefined;
  }
  return readCommandLine().values.help ? help : undefined;
}

async function run() {
  const said = Object.hasOwn(programs, process.argv[2]) ? undefined : sayBeforehand();
  if (said) console.error(said);
  if (lacksPackages(root)) await timed("npm .", () => ensureDependencies());
  await import("./command.js");
}

try {
  const helpText = askedHelp();
  if (helpText === undefined) await run();
  else console.log(helpText);
} catch (err) {
  if (!(err instanceof UserError)) throw err;
  if (err.output) console.error(err.output.trimEnd());
  console.error(err.message);
  process.exitCode = 1;
}
