import path from "node:path";
import process from "node:process";
import { benchError } from "./errors.js";
import { milestonesFolder } from "./paths.js";

/** @import { LoadResult } from "./wrk.js" */

/**
 * Reads what chapter 24's load.js prints. It counts no bytes. When a request
 * fails it ends with 1, and so that run fails.
 *
 * @param {string} text
 * @returns {LoadResult}
 * @throws {UserError} ERR_BENCH_OUTPUT
 */
export function parseOwnLoad(text) {
  const counts = /^(\d+) requests, (\d+) a second$/m.exec(text);
  const spread = /^p50 ([\d.]+) ms, p99 ([\d.]+) ms, max ([\d.]+) ms$/m.exec(text);
  const law = /^rate times mean latency: ([\d.]+)$/m.exec(text);
  if (!counts || !spread || !law) {
    throw benchError("ERR_BENCH_OUTPUT", `load.js printed no report:\n${text}`);
  }
  const [requests, requestsPerSecond] = [Number(counts[1]), Number(counts[2])];
  const [p50, p99, max] = spread.slice(1).map(Number);
  return {
    requests,
    seconds: requests / requestsPerSecond,
    requestsPerSecond,
    bytesRead: 0,
    latency: { mean: (Number(law[1]) / requestsPerSecond) * 1000, stdev: 0, p50, p99, max },
    errors: { connect: 0, read: 0, write: 0, timeout: 0, status: 0 },
  };
}

/**
 * @param {{ url: string, connections: number, seconds: number }} load
 * @returns {string[]}
 */
export function ownLoadCommand({ url, connections, seconds }) {
  return [
    ...[process.execPath, path.join(milestonesFolder, "ch24-how-to-measure/load.js"), url],
    ...["--connections", String(connections), "--seconds", String(seconds)],
  ];
}
