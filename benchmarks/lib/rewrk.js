import { benchError } from "./errors.js";
import { toolPath } from "./tools.js";

/** @import { LoadResult } from "./wrk.js" */

/**
 * Reads what `rewrk --json` prints. Its JSON has no percentiles, and what its
 * table calls a percentile is the mean of everything beyond it; it counts no
 * errors and not every byte. So it checks rate and mean latency, and no more.
 *
 * @param {string} text
 * @returns {LoadResult}
 * @throws {UserError} ERR_BENCH_OUTPUT
 */
export function parseRewrk(text) {
  const line = text.split("\n").find((candidate) => candidate.startsWith("{"));
  if (line === undefined) {
    throw benchError("ERR_BENCH_OUTPUT", `rewrk printed no JSON:\n${text}`);
  }
  const report = JSON.parse(line);
  return {
    requests: report.requests_total,
    seconds: report.requests_total / report.requests_avg,
    requestsPerSecond: report.requests_avg,
    bytesRead: report.transfer_total,
    latency: {
      mean: report.latency_avg,
      stdev: report.latency_std_deviation,
      max: report.latency_max,
    },
    errors: { connect: 0, read: 0, write: 0, timeout: 0, status: 0 },
  };
}

/**
 * It asks with the absolute-form of the target, and of itself with a Host
 * field without the port, which contradicts the target: RFC 9112, section
 * 3.2, wants the two to be the same.
 *
 * @param {{ url: string, connections: number, threads: number, seconds: number }} load
 * @returns {string[]}
 */
export function rewrkCommand({ url, connections, threads, seconds }) {
  return [
    toolPath("rewrk"),
    ...["-t", String(threads), "-c", String(connections), "-d", `${seconds}s`],
    ...["-h", url, "-H", `host: ${url.split("/")[2]}`, "--json"],
  ];
}
