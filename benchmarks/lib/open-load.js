import process from "node:process";
import { fileURLToPath } from "node:url";
import { benchError } from "./errors.js";

/** @import { RateResult } from "./vegeta.js" */

const program = fileURLToPath(new URL("open-load/program.js", import.meta.url));

/** To start, and to open a connection, in seconds: more than it takes. */
const startSeconds = 0.3;
const openSeconds = 0.0003;

/**
 * @param {number} connections to open before the first request
 * @returns {number} seconds
 */
export function leadOf(connections) {
  return startSeconds + openSeconds * connections;
}

/**
 * @param {object} options
 * @param {string} options.url
 * @param {number} options.perSecond
 * @param {number} options.seconds
 * @param {number} options.connections
 * @returns {string[]}
 */
export function openLoadCommand({ url, perSecond, seconds, connections }) {
  return [
    ...[process.execPath, program, url, "--rate", String(perSecond)],
    ...["--seconds", String(seconds), "--connections", String(connections)],
    ...["--lead", String(leadOf(connections))],
  ];
}

/**
 * @param {string} text what our generator printed
 * @returns {RateResult}
 * @throws {UserError} ERR_BENCH_OUTPUT
 */
export function parseOpenLoad(text) {
  const line = text.split("\n").find((candidate) => candidate.startsWith("{"));
  if (line === undefined) {
    throw benchError("ERR_BENCH_OUTPUT", `the generator printed no JSON:\n${text}`);
  }
  const { errors, ...report } = JSON.parse(line);
  const failures = [];
  if (errors.connect > 0) failures.push(`${errors.connect} connections could not be opened again`);
  if (errors.read > 0) failures.push(`${errors.read} connections ended before their answer`);
  if (errors.status > 0) failures.push(`${errors.status} answers that were not 2xx`);
  failures.push(...errors.unreadable);
  if (report.answered === 0) failures.push("no answer at all");
  return {
    requests: report.answered,
    achievedPerSecond: report.answeredPerSecond,
    latency: report.latency,
    distribution: report.distribution,
    failures,
    sending: report.sending,
    above: report.above,
    generatorBusy: report.busy,
  };
}
