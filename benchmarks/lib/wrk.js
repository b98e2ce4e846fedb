import { benchError } from "./errors.js";

/** What each unit that wrk prints is in milliseconds. */
const milliseconds = /** @type {Record<string, number>} */ ({
  us: 0.001,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
});

const bytes = /** @type {Record<string, number>} */ ({
  B: 1,
  KB: 1024,
  MB: 1024 ** 2,
  GB: 1024 ** 3,
});

/**
 * @param {string} text such as `1.67ms`
 * @returns {number} milliseconds
 */
export function parseDuration(text) {
  const match = /^([\d.]+)(us|ms|s|m|h)$/.exec(text);
  if (!match) throw benchError("ERR_BENCH_OUTPUT", `wrk printed no duration: ${text}`);
  return Number(match[1]) * milliseconds[match[2]];
}

/**
 * @param {string} text
 * @param {RegExp} pattern with one group
 * @param {string} what
 * @returns {string}
 */
function find(text, pattern, what) {
  const match = pattern.exec(text);
  if (!match) {
    throw benchError("ERR_BENCH_OUTPUT", `wrk's output holds no ${what}:\n${text}`);
  }
  return match[1];
}

/**
 * @typedef {object} Latency in milliseconds, as the tool reports it
 * @property {number} mean
 * @property {number} stdev
 * @property {number} [p50]
 * @property {number} [p75]
 * @property {number} [p90]
 * @property {number} [p99]
 * @property {number} [p999]
 * @property {number} max
 */

/**
 * @typedef {object} LoadErrors
 * @property {number} connect
 * @property {number} read
 * @property {number} write
 * @property {number} timeout
 * @property {number} status answers that were not 2xx or 3xx
 */

/**
 * @typedef {object} LoadResult
 * @property {number} requests completed
 * @property {number} seconds
 * @property {number} requestsPerSecond
 * @property {number} bytesRead
 * @property {Latency} latency
 * @property {LoadErrors} errors
 */

/**
 * Reads what `wrk --latency` prints. Given the line that report.lua adds, the
 * figures are exact; without it they have the three digits that wrk prints.
 *
 * @param {string} text
 * @returns {LoadResult}
 * @throws {UserError} ERR_BENCH_OUTPUT
 */
export function parseWrk(text) {
  const spread = /Latency\s+([\d.]+\w+)\s+([\d.]+\w+)\s+([\d.]+\w+)/.exec(text);
  if (!spread) throw benchError("ERR_BENCH_OUTPUT", `wrk printed no latency:\n${text}`);
  const socketErrors =
    /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(text) ?? [];
  const totals = /(\d+) requests in ([\d.]+\w+), ([\d.]+)(B|KB|MB|GB) read/.exec(text);
  if (!totals) throw benchError("ERR_BENCH_OUTPUT", `wrk printed no totals:\n${text}`);
  const percentile = (/** @type {number} */ p) =>
    parseDuration(find(text, new RegExp(`^\\s+${p}%\\s+(\\S+) *$`, "m"), `${p}% line`));
  /** @type {LoadResult} */
  const result = {
    requests: Number(totals[1]),
    seconds: parseDuration(totals[2]) / 1000,
    requestsPerSecond: Number(find(text, /^Requests\/sec:\s+([\d.]+)$/m, "Requests/sec")),
    bytesRead: Number(totals[3]) * bytes[totals[4]],
    latency: {
      mean: parseDuration(spread[1]),
      stdev: parseDuration(spread[2]),
      p50: percentile(50),
      p75: percentile(75),
      p90: percentile(90),
      p99: percentile(99),
      max: parseDuration(spread[3]),
    },
    errors: {
      connect: Number(socketErrors[1] ?? 0),
      read: Number(socketErrors[2] ?? 0),
      write: Number(socketErrors[3] ?? 0),
      timeout: Number(socketErrors[4] ?? 0),
      status: Number(/Non-2xx or 3xx responses: (\d+)/.exec(text)?.[1] ?? 0),
    },
  };
  const exact = /^bench-report (\{.*\})$/m.exec(text);
  return exact ? withExactFigures(result, JSON.parse(exact[1])) : result;
}

/**
 * @param {LoadResult} result
 * @param {Record<string, number>} exact times in microseconds
 * @returns {LoadResult}
 */
function withExactFigures(result, exact) {
  const seconds = exact.duration / 1e6;
  return {
    requests: exact.requests,
    seconds,
    requestsPerSecond: exact.requests / seconds,
    bytesRead: exact.bytes,
    latency: {
      mean: exact.mean / 1e3,
      stdev: exact.stdev / 1e3,
      p50: exact.p50 / 1e3,
      p75: exact.p75 / 1e3,
      p90: exact.p90 / 1e3,
      p99: exact.p99 / 1e3,
      p999: exact.p999 / 1e3,
      max: exact.max / 1e3,
    },
    errors: result.errors,
  };
}

/**
 * @param {object} options
 * @param {string} options.url
 * @param {number} options.connections
 * @param {number} options.seconds
 * @param {number} [options.threads]
 * @param {string} [options.script] a Lua file
 * @param {string[]} [options.headers] field lines to send besides
 * @returns {string[]} the command and its arguments
 */
export function wrkCommand({ url, connections, seconds, threads = 1, script, headers = [] }) {
  return [
    "wrk",
    `-t${threads}`,
    `-c${connections}`,
    `-d${seconds}s`,
    // By default it gives up after 2 s, and forgets the slowest of all.
    "--timeout=30s",
    "--latency",
    ...(script ? ["-s", script] : []),
    ...headers.flatMap((line) => ["-H", line]),
    url,
  ];
}
