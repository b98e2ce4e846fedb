import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Ajv } from "ajv";
import { benchError } from "./errors.js";
import { resultsFolder } from "./paths.js";
import { findSuite } from "./suites.js";

/** @import { bounds } from "./bounds.js" */
/** @import { ContractReport } from "./contract.js" */
/** @import { Block, Derived } from "./derive.js" */
/** @import { DerivedRates } from "./derive-rates.js" */
/** @import { RatesRun } from "./measure-rates.js" */
/** @import { Layout } from "./layout.js" */
/** @import { describeMachine } from "./machine.js" */
/** @import { Settings } from "./measure.js" */

/**
 * @typedef {object} Result
 * @property {1} schema
 * @property {string} suite
 * @property {string} machine
 * @property {boolean} publishable
 * @property {boolean} finished
 * @property {string} startedAt
 * @property {string} finishedAt
 * @property {Setup} what
 * @property {ReturnType<typeof describeMachine>} where
 * @property {Record<string, ResultContender>} contenders
 * @property {Block[]} blocks
 * @property {Derived} derived
 */

/**
 * A result of fixed rates.
 *
 * @typedef {Omit<Result, "blocks" | "derived"> & { blocks: RatesBlock[],
 *   derived: { noise?: Derived["noise"], contenders: Record<string, DerivedRates> } }} RatesResult
 * @typedef {Omit<Block, "runs"> & { runs: Record<string, RatesRun> }} RatesBlock
 */

/**
 * @param {Result | RatesResult} result
 * @returns {result is RatesResult}
 */
export function isRatesResult(result) {
  return findSuite(result.suite)?.kind === "rates";
}

/**
 * @typedef {object} Setup what was run, and how
 * @property {string} title
 * @property {string} path
 * @property {string} [method] if not GET
 * @property {string} commit
 * @property {string} harness the Node.js that ran the harness
 * @property {Record<string, string>} tools
 * @property {{ warmUp: string, load: string, atRate?: string }} commands
 * @property {Settings & { blocks: number, workers: number, seed: number,
 *   connectionsOf?: Record<string, number> }} settings
 * @property {Layout} layout
 * @property {typeof bounds} [bounds] that its verdicts rest on; the first
 *   results don't tell
 * @property {string} baseline
 * @property {string} [twin]
 * @property {[a: string, b: string][]} [pairs] to compare with each other
 * @property {"requestsPerSecond" | "p50"} [sells] what a lab ranks by
 * @property {"cost"} [shows] CPU time over the rate, and not latency
 * @property {{ contender: string, why: string }[]} leftOut
 */

/**
 * @typedef {object} ResultContender
 * @property {string} title
 * @property {string} stack
 * @property {string} runtime
 * @property {string} version
 * @property {string} command
 * @property {boolean} isComplete
 * @property {string} [lockHash]
 * @property {string} [milestone]
 * @property {string} [milestoneHash]
 * @property {string} [note]
 * @property {ContractReport} contract
 */

const schema = JSON.parse(readFileSync(new URL("result.schema.json", import.meta.url), "utf8"));
const validate = new Ajv({ allErrors: true, strictTuples: false }).compile(schema);

/**
 * @param {unknown} result
 * @returns {Result}
 * @throws {UserError} ERR_BENCH_RESULT with all that is wrong
 */
export function checkResult(result) {
  if (validate(result)) return /** @type {Result} */ (result);
  const wrong = (validate.errors ?? []).map(
    ({ instancePath, message }) => `${instancePath} ${message}`,
  );
  throw benchError("ERR_BENCH_RESULT", `This is no result file:\n${wrong.join("\n")}`);
}

/**
 * @param {string} machine
 * @param {string} suite
 * @returns {string} the file's path
 */
export function resultFile(machine, suite) {
  return path.join(resultsFolder, machine, `${suite}.json`);
}

/**
 * @param {string} file
 * @returns {Result}
 */
export function readResult(file) {
  return checkResult(JSON.parse(readFileSync(file, "utf8")));
}

/**
 * Keeps five digits of every fraction: more is noise in a file that people
 * read and git keeps.
 *
 * @param {string} _key
 * @param {unknown} value
 */
function shorten(_key, value) {
  if (typeof value !== "number" || Number.isInteger(value)) return value;
  return Math.abs(value) >= 10_000 ? Number(value.toFixed(1)) : Number(value.toPrecision(5));
}

/**
 * @template T
 * @param {T} value
 * @returns {T} as it will stand in the file
 */
export function asWritten(value) {
  return JSON.parse(JSON.stringify(value, shorten));
}

/**
 * @param {Result | RatesResult} result
 * @returns {string} the file's path
 */
export function writeResult(result) {
  const text = `${JSON.stringify(checkResult(asWritten(result)), undefined, 2)}\n`;
  const file = resultFile(result.machine, result.suite);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

/**
 * @param {string} machine
 * @param {string} suite
 * @param {string} name such as `block-1/express`
 * @param {string} text what the tool printed
 */
export function writeRaw(machine, suite, name, text) {
  const file = path.join(resultsFolder, machine, "raw", suite, `${name}.txt`);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/**
 * @param {string} machine
 * @param {string} suite
 * @param {string} text the table that a person reads
 */
export function writeText(machine, suite, text) {
  writeFileSync(path.join(resultsFolder, machine, `${suite}.txt`), text);
}
