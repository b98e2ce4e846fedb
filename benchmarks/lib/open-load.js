import process from "node:process";
import { fileURLToPath } from "node:url";
import { benchError } from "./errors.js";

/** @import { RateResult } from "./vegeta.js" */

const program = fileURLToPath(new URL("open-load/program.js", import.meta.url));

/** To start, and to open a connection, in seconds: more than it takes. */
const startSeconds = 0.3;
const openSeconds = 0.0003;

/** Between the warm-up and what counts; the program knows it, too. */
const restSeconds = 0.1;

/**
 * V8 has compiled the generator after some 20,000 requests. Until then it holds
 * itself up for milliseconds: at 10,000 requests a second, one in a hundred was
 * late by more than one in its first second, and by a tenth of one in its third.
 */
const requestsToWarmUp = 20_000;

/**
 * @param {number} perSecond
 * @returns {number} seconds in which it asks before it counts
 */
export function warmUpOf(perSecond) {
  return Math.min(3, Math.max(1, requestsToWarmUp / perSecond));
}

/**
 * @param {number} connections to open before the first request
 * @param {number} perSecond
 * @returns {number} seconds until the first request that counts
 */
export function leadOf(connections, perSecond) {
  return startSeconds + openSeconds * connections + warmUpOf(perSecond) + restSeconds;
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
    ...["--lead", String(leadOf(connections, perSecond))],
    ...["--warm-up", String(warmUpOf(perSecond))],
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
