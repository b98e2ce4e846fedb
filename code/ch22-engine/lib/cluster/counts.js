import { channel } from "node:diagnostics_channel";

// node:http tells of its requests by them, whoever made the server.
const started = channel("http.server.request.start");
const finished = channel("http.server.response.finish");

let requests = 0;
/** @type {Map<number, number>} */
const responses = new Map();
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
  for (const [code, count] of responses) {
    counters[`http_responses_total{code="${code}"}`] = count;
  }
  const gauges = {
    process_resident_memory_bytes: process.memoryUsage.rss(),
    nodejs_eventloop_utilization: utilization,
  };
  return { counters, gauges };
}
