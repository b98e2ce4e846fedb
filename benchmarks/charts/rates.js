// What `latency` and `stall` give, as Markdown for a chapter's generated
// block: one server's latency at each rate, or without a SERVER what all of
// them have at the rate that is the same for all, and their CPU time per
// request there and at the most that was sent. A rate is what the generator
// sent: above its own limit that is less than what it was told.
// node benchmarks/charts/rates.js SUITE [SERVER] [--machine MACHINE]
import process from "node:process";
import { parseArgs } from "node:util";
import { median } from "simple-statistics";
import { UserError } from "../../tools/lib/user-error.js";
import { readRuns } from "../lib/compare.js";
import { bookMachine } from "../lib/paths.js";
import { isRatesResult } from "../lib/results.js";
import { formatNumber } from "../lib/table.js";
import { toMarkdown } from "./list.js";

/** @import { RatesResult } from "../lib/results.js" */

/**
 * @param {RatesResult} result
 * @param {string} id
 * @param {string} name of a rate
 * @returns {number} requests per second, the median over the blocks
 */
function sent({ blocks }, id, name) {
  const runs = blocks.flatMap(({ runs: all }) => all[id]?.rates ?? []);
  return median(runs.filter((run) => run.name === name).map((run) => run.achievedPerSecond));
}

/**
 * @param {RatesResult} result
 * @param {string} id
 * @returns {string[][]} the first row is the head
 */
export function latencyByRate(result, id) {
  const { capacity, closedLoop, rates } = result.derived.contenders[id];
  const generator = result.what.tools.vegeta === undefined ? "the harness" : "vegeta";
  const milliseconds = (/** @type {{ median: number }} */ estimate) =>
    formatNumber(estimate.median, 1);
  return [
    ["asked by", "requests/s", "p50, ms", "p99, ms", "verdict"],
    [
      "wrk, closed loop",
      formatNumber(capacity.median),
      milliseconds(closedLoop.p50),
      milliseconds(closedLoop.p99),
      "–",
    ],
    ...Object.entries(rates).map(([name, rate]) => [
      `${generator}, by the clock`,
      formatNumber(sent(result, id, name)),
      // Of a rate that no block kept there is no latency.
      ...(rate.keptIn === 0 ? ["–", "–"] : [milliseconds(rate.p50), milliseconds(rate.p99)]),
      rate.verdict,
    ]),
  ];
}

/**
 * @param {RatesResult} result
 * @returns {string[][]} the first row is the head
 */
export function cpuByRate(result) {
  const common = formatNumber(result.what.settings.commonRate);
  const all = Object.entries(result.derived.contenders);
  const saysLate = all.every(([, { rates }]) => rates.common.latenessMs !== undefined);
  const rows = all
    .map(([id, { rates }]) => {
      const [most, name] = Object.keys(rates)
        .map((each) => /** @type {const} */ ([sent(result, id, each), each]))
        .reduce((a, b) => (b[0] > a[0] ? b : a));
      return { id, rates, most, name, cpu: rates.common.cpuMicrosecondsPerRequest.median };
    })
    .sort((a, b) => a.cpu - b.cpu)
    .map(({ id, rates, most, name, cpu }) => [
      result.contenders[id].title,
      formatNumber(rates.common.p50.median, 2),
      formatNumber(rates.common.p99.median, 1),
      ...(saysLate ? [formatNumber(/** @type {number} */ (rates.common.latenessMs), 1)] : []),
      formatNumber(cpu, 1),
      formatNumber(most),
      formatNumber(rates[name].cpuMicrosecondsPerRequest.median, 1),
    ]);
  const head = [
    "server",
    `p50 at ${common}/s, ms`,
    "p99, ms",
    ...(saysLate ? ["asked late, p99, ms"] : []),
    "CPU time, µs",
    "the most sent, /s",
    "CPU time then, µs",
  ];
  return [head, ...rows];
}

function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { machine: { type: "string", default: bookMachine } },
  });
  const [suite, id] = positionals;
  const result = readRuns(values.machine, suite);
  if (!isRatesResult(result)) throw new UserError(`${suite} asks at no fixed rates.`);
  if (id !== undefined && result.derived.contenders[id] === undefined) {
    throw new UserError(`${suite} has no server "${id}".`);
  }
  console.log(toMarkdown(id === undefined ? cpuByRate(result) : latencyByRate(result, id)));
}

if (process.argv[1] === import.meta.filename) {
  try {
    main();
  } catch (err) {
    if (!(err instanceof UserError)) throw err;
    console.error(err.message);
    process.exitCode = 1;
  }
}
