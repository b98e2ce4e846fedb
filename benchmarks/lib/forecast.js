import { existsSync } from "node:fs";
import path from "node:path";
import { pinnedVersion } from "../../tools/lib/node-version.js";
import { isInstalled } from "../../tools/lib/setup.js";
import { readContender } from "./contenders.js";
import { outputOf } from "./machine.js";
import { root, runtimesFolder, workFolder } from "./paths.js";
import { readTook } from "./took.js";
import { isThere, tools } from "./tools.js";

/** @import { Contender } from "./contenders.js" */
/** @import { Settings } from "./measure.js" */
/** @import { Suite } from "./suites.js" */

// This runs in a fresh clone, before any package of npm's is there: nothing
// here may need one.

/** @param {Pick<Suite, "kind">} suite */
export function isRates({ kind }) {
  return kind === "rates";
}

/** @param {Pick<Suite, "kind" | "hasTwin">} suite */
export function hasTwin({ kind, hasTwin: hasOne }) {
  return kind !== "rates" || hasOne === true;
}

/**
 * @template {Settings} T
 * @param {Pick<Suite, "isCold" | "kind" | "mostConnections">} suite
 * @param {T} settings as asked for
 * @returns {T} as the suite has to have them
 */
export function settingsOf(suite, settings) {
  const connections = Math.min(settings.connections, suite.mostConnections ?? Infinity);
  const fitting = { ...settings, connections };
  if (suite.isCold) return { ...fitting, warmUpSeconds: 0, seconds: 1 };
  // A server has all of its rates one after the other.
  return isRates(suite) ? { ...fitting, turns: undefined } : fitting;
}

/** What a run takes besides: to start, both contracts, to stop, in seconds. */
const aroundRun = 1.5;

/** What it takes before each rate, in seconds: to open connections, and to warm up. */
const aroundRate = 2.8;

/**
 * @param {Pick<Suite, "rates">} suite
 * @param {Settings} settings
 * @returns {number} seconds that one server takes in one block
 */
export function secondsOfRun({ rates }, { idleSeconds, warmUpSeconds, seconds, turns, ...rest }) {
  const count = rates ? rates.shares.length + (rates.hasCommonRate ? 1 : 0) : 0;
  const loaded =
    warmUpSeconds + seconds * (turns ?? 1) + count * (rest.secondsPerRate + aroundRate);
  return idleSeconds + loaded + aroundRun;
}

/**
 * @typedef {object} Item something that has to be installed or built
 * @property {string} key such as `npm benchmarks/contenders/express`
 * @property {string} folder where npm installs; empty for what isn't npm's
 */

/** @param {string} folder */
export function lacksPackages(folder) {
  return existsSync(path.join(folder, "package-lock.json")) && !isInstalled(folder);
}

/** @param {string} folder @returns {Item[]} nothing when it is there */
function packagesOf(folder) {
  if (!lacksPackages(folder)) return [];
  return [{ key: `npm ${path.relative(root, folder) || "."}`, folder }];
}

/** Programs that are built, by the runtime that a contender names. */
const builders = /** @type {Record<string, { program: string, version: string[] }>} */ ({
  native: { program: "cargo", version: ["--version"] },
  go: { program: "go", version: ["version"] },
});

/** The Node.js that the book's other programs run on is installed for them. */
const pinnedNode = `node-${parseInt(pinnedVersion, 10)}`;

/** @param {string} runtime */
function runtimeFolder(runtime) {
  return runtime === pinnedNode
    ? path.join(root, "tools/node-pinned")
    : path.join(runtimesFolder, runtime);
}

/**
 * @param {Contender} contender
 * @returns {Item[]} what it lacks and can be had here
 */
export function lackedBy({ runtime, folder }) {
  const builder = builders[runtime];
  if (builder) {
    const { program, version } = builder;
    const name = path.basename(folder);
    if (existsSync(path.join(workFolder, program, name))) return [];
    return outputOf(program, version) === undefined
      ? []
      : [{ key: `${program} ${name}`, folder: "" }];
  }
  return [runtimeFolder(runtime), folder].flatMap(packagesOf);
}

/**
 * All that a suite's servers and tools lack, and can have on this machine.
 *
 * @param {Suite} suite
 * @param {string[]} ids of its contenders
 * @returns {Item[]} the book's own packages first
 */
export function lackedFor(suite, ids) {
  const lackedTools = suite.tools.flatMap((name) => {
    const tool = tools.find((candidate) => candidate.name === name);
    if (!tool?.install || isThere(tool) || !tool.canBeHad()) return [];
    return [{ key: `tool ${name}`, folder: "" }];
  });
  const all = [...packagesOf(root), ...lackedTools, ...ids.map(readContender).flatMap(lackedBy)];
  return [...new Map(all.map((item) => [item.key, item])).values()];
}

/**
 * @param {Item[]} items
 * @param {Record<string, number>} took seconds by key
 * @returns {number} seconds; what nobody has measured takes as long as the
 *   slowest of its kind
 */
export function secondsToInstall(items, took) {
  return items.reduce((sum, { key }) => sum + (took[key] ?? slowestLike(key, took)), 0);
}

/**
 * @param {string} key
 * @param {Record<string, number>} took
 */
function slowestLike(key, took) {
  const [kind] = key.split(" ");
  const like = Object.entries(took).filter(([other]) => other.startsWith(`${kind} `));
  return Math.max(0, ...like.map(([, seconds]) => seconds));
}

/**
 * What a suite will take, said before anything is done.
 *
 * @param {Suite} suite
 * @param {object} options
 * @param {Settings & { blocks: number }} options.settings
 * @param {string[]} [options.only]
 * @param {Record<string, number>} [options.took]
 * @returns {{ installing: number, measuring: number, items: Item[] }} seconds
 */
export function forecast(suite, { settings, only, took = readTook() }) {
  const ids = suite
    .contenders()
    .filter((id) => !only || only.includes(id) || id === suite.baseline);
  const items = lackedFor(suite, ids);
  const runs = (ids.length + (hasTwin(suite) ? 1 : 0)) * Math.max(0, settings.blocks);
  return {
    items,
    installing: secondsToInstall(items, took),
    measuring: runs * secondsOfRun(suite, settingsOf(suite, settings)),
  };
}

/** @param {number} seconds */
export function about(seconds) {
  if (seconds < 60) return `${Math.max(10, Math.ceil(seconds / 10) * 10)} seconds`;
  const minutes = Math.round(seconds / 60);
  return minutes === 1 ? "a minute" : `${minutes} minutes`;
}

/**
 * @param {string} name of the suite
 * @param {ReturnType<typeof forecast>} expected
 * @returns {string}
 */
export function formatForecast(name, { installing, measuring, items }) {
  const all = `${name} takes about ${about(installing + measuring)}`;
  if (items.length === 0) return `${all}, longer where other programs disturb it.`;
  return (
    `${all}: ${about(installing)} to install what isn't here yet (${items.length} things, by ` +
    `what they took before), ${about(measuring)} to measure, longer where other programs ` +
    "disturb it."
  );
}
