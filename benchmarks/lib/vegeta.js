import { benchError } from "./errors.js";
import { toolPath } from "./tools.js";

/**
 * @typedef {object} RateResult
 * @property {number} requests
 * @property {number} achievedPerSecond requests sent, over the time it took
 * @property {{ mean: number, p50: number, p90: number, p99: number, p999: number, max: number }} latency
 *   in milliseconds
 * @property {[percentile: number, milliseconds: number][]} distribution
 * @property {string[]} failures why the run doesn't count
 * @property {Sending} [sending] how late the requests were sent, if the
 *   generator says so; the latencies then count from when they were due
 * @property {Record<string, number>} [above] shares of the requests that took
 *   longer than so many milliseconds
 * @property {number} [generatorBusy] by its own account, 0 to 1, when it keeps
 *   its core busy while it waits
 */

/**
 * @typedef {object} Sending how late requests were sent, in milliseconds
 * @property {number} mean
 * @property {number} p50
 * @property {number} p90
 * @property {number} p99
 * @property {number} p999
 * @property {number} max
 * @property {number} waited how many found no connection free when they were due
 */

/**
 * A command that asks at a fixed rate and prints a JSON report, then the
 * distribution. Vegeta keeps what it measured in a binary stream; the shell
 * hands that to both reports.
 *
 * @param {object} options
 * @param {string} options.url
 * @param {number} options.perSecond
 * @param {number} options.seconds
 * @param {number} options.connections
 * @param {string} options.file where to keep the stream, for the two reports
 * @returns {string[]}
 */
export function vegetaCommand({ url, perSecond, seconds, connections, file }) {
  const vegeta = toolPath("vegeta");
  const script =
    'printf "GET %s\\n" "$1" | "$0" attack -rate="$2/s" -duration="$3s" -max-workers="$4" ' +
    '-connections="$4" -output="$5" && "$0" report -type=json "$5" && echo && ' +
    '"$0" report -type=hdrplot "$5"';
  return ["sh", "-c", script, vegeta, url, ...[perSecond, seconds, connections].map(String), file];
}

/**
 * @param {string} text a JSON report, then the output of -type=hdrplot
 * @returns {RateResult}
 * @throws {UserError} ERR_BENCH_OUTPUT
 */
export function parseVegeta(text) {
  const line = text.split("\n").find((candidate) => candidate.startsWith("{"));
  if (line === undefined) {
    throw benchError("ERR_BENCH_OUTPUT", `vegeta printed no JSON:\n${text}`);
  }
  const report = JSON.parse(line);
  const distribution = parseHdrPlot(text);
  const failures = [];
  for (const [status, count] of Object.entries(report.status_codes)) {
    if (!/^2/.test(status)) failures.push(`${count} answers ${status}`);
  }
  if (report.errors.length > 0) failures.push(report.errors.slice(0, 3).join(", "));
  return {
    requests: report.requests,
    achievedPerSecond: report.rate,
    latency: {
      mean: report.latencies.mean / 1e6,
      p50: report.latencies["50th"] / 1e6,
      p90: report.latencies["90th"] / 1e6,
      p99: report.latencies["99th"] / 1e6,
      p999: atPercentile(distribution, 0.999),
      max: report.latencies.max / 1e6,
    },
    distribution,
    failures,
  };
}

/**
 * @param {string} text
 * @returns {[percentile: number, milliseconds: number][]} percentiles from 0
 *   to 1
 */
function parseHdrPlot(text) {
  const table = text.slice(text.indexOf("Value(ms)"));
  /** @type {[number, number][]} */
  const distribution = [];
  for (const match of table.matchAll(/^([\d.]+)\s+([\d.]+)\s+\d+\s+[\d.]+$/gm)) {
    distribution.push([Number(match[2]), Number(match[1])]);
  }
  return distribution;
}

/**
 * @param {[percentile: number, milliseconds: number][]} distribution
 * @param {number} percentile from 0 to 1
 * @returns {number} milliseconds
 */
function atPercentile(distribution, percentile) {
  const point = distribution.find(([reached]) => reached >= percentile) ?? distribution.at(-1);
  return point ? point[1] : Number.NaN;
}
