import { channel } from "node:diagnostics_channel";
import { show, UsageError } from "../errors.js";

// Of node:http, so of every server in the process.
const started = channel("http.server.request.start");
const finished = channel("http.server.response.finish");

let requests = 0;
/** @type {Map<number, number>} */
const responses = new Map();
/** @type {Map<string, number>} */
const own = new Map();
let lastUse = performance.eventLoopUtilization();

export function countRequests() {
  started.subscribe(() => {
    requests += 1;
  });
  finished.subscribe((message) => {
    const { statusCode } = /** @type {any} */ (message).response;
    responses.set(statusCode, (responses.get(statusCode) ?? 0) + 1);
  });
}

const SERIES =
  /^[a-zA-Z_:][\w:]*(\{[a-zA-Z_]\w*="[^"\\\n]*"(,[a-zA-Z_]\w*="[^"\\\n]*")*\})?$/;

/**
 * Adds to a counter of the program's own.
 *
 * @param {string} name with its labels, if it has some
 * @param {number} [by]
 * @throws {UsageError} ERR_COUNTER_INVALID
 */
export function count(name, by = 1) {
  if (typeof name !== "string" || !SERIES.test(name)) {
    throw new UsageError("ERR_COUNTER_INVALID", show(name));
  }
  own.set(name, (own.get(name) ?? 0) + by);
}

/** Names as Prometheus has them. Counters only grow; gauges go both ways. */
export function readCounts() {
  const use = performance.eventLoopUtilization();
  const { utilization } = performance.eventLoopUtilization(use, lastUse);
  lastUse = use;
  const { user, system } = process.cpuUsage();
  const counters = {
    http_requests_total: requests,
    process_cpu_seconds_total: (user + system) / 1e6,
  };
  for (const [code, value] of responses) {
    counters[`http_responses_total{code="${code}"}`] = value;
  }
  for (const [name, value] of own) counters[name] = value;
  const gauges = {
    process_resident_memory_bytes: process.memoryUsage.rss(),
    nodejs_eventloop_utilization: utilization,
  };
  return { counters, gauges };
}
