import { readFileSync } from "node:fs";
import { judgeNoise } from "../lib/derive.js";
import { answered } from "../lib/keeping-fast.js";
import { resultFile } from "../lib/results.js";
import { noiseFloor } from "../lib/statistics.js";
import { formatNumber } from "../lib/table.js";
import { dots } from "./dots.js";
import { lines } from "./lines.js";
import { allowsRanks, bandOf } from "./noise.js";

/** @import { Estimate } from "../lib/statistics.js" */
/** @import { Chart } from "./list.js" */

/**
 * What is read of the result.
 *
 * @typedef {object} KeepingFastResult
 * @property {string} node
 * @property {{ cores: number, cpu: string }} where
 * @property {{ runs: Record<string, { cost: number }> }[]} blocks
 * @property {Record<string, Record<string, number>[]>} growth answers by
 *   status, for each second
 * @property {{ seconds: number, velocy: number, restify: number }[]} gains
 * @property {Record<string, { cost: Estimate, rate: Estimate, toMended: Estimate }>} derived
 */

const GROWING = {
  restify: "restify, leaking",
  slow: "velocy, leaking",
  mended: "velocy, mended",
};

/** Of these three, what leaks is drawn as the server in another state. */
const LEAKING = new Set(["restify", "slow"]);

/** What a step's server is, for its colour and shape. */
const serverOf = (/** @type {string} */ id) => (id.startsWith("restify") ? "restify" : "velocy");

const COSTS = {
  "restify-mended": "restify, mended",
  mended: "velocy, mended",
  "mended-again": "the same again",
  "by-hand": "JSON by hand",
  "no-hash": "no hash",
  conditional: "judged tags, 200",
  "conditional-304": "judged tags, 304",
  "log-console": "with console.log",
  "log-velocy": "with log()",
};

/**
 * @param {string} machine
 * @param {string} suite
 * @returns {KeepingFastResult}
 */
export function readKeepingFast(machine, suite) {
  return JSON.parse(readFileSync(resultFile(machine, suite), "utf8"));
}

/** @param {number} gain */
function timesOf(gain) {
  return `${formatNumber(gain, gain < 10 ? 1 : 0)}x`;
}

/**
 * For each second the requests that were served until its middle, and its
 * requests.
 *
 * @param {Record<string, number>[]} counts
 * @returns {[number, number][]}
 */
function pointsOf(counts) {
  let before = 0;
  /** @type {[number, number][]} */
  const points = [];
  for (const each of counts) {
    const answered = each[200] ?? 0;
    if (answered > 0) points.push([before + answered / 2, answered]);
    before += answered;
  }
  return points;
}

/**
 * Requests a second against requests served.
 *
 * @param {KeepingFastResult} result
 * @returns {Omit<Chart, "name">}
 */
export function ratesByServed({ growth, gains, node, where }) {
  const title = "Requests a second, by requests served";
  const longest = growth.slow.length;
  const words = Object.entries(GROWING).map(
    ([id, label]) =>
      `${label}: ${formatNumber(answered(growth[id], longest))} requests in ${longest} s`,
  );
  return {
    title,
    description:
      `${title}, both on logarithmic axes. The leaking servers' rates fall as one over the ` +
      `requests that were served, and the mended server's stays. ${words.join(". ")}. ` +
      `Node ${node}, ${where.cores} cores, ${where.cpu}.`,
    draw: lines(
      Object.entries(GROWING).map(([id, label]) => ({
        server: serverOf(id),
        ...(LEAKING.has(id) ? { variant: /** @type {const} */ ("other") } : {}),
        label,
        points: pointsOf(growth[id]),
      })),
      {
        x: "requests served",
        y: "requests a second",
        xScale: "log",
        yScale: "log",
        xTicks: [
          { at: 100, label: "100" },
          { at: 1000, label: "1,000", short: "1k" },
          { at: 10_000, label: "10,000", short: "10k" },
          { at: 100_000, label: "100,000", short: "100k" },
        ],
      },
    ),
    table: [
      ["seconds", "leaking", "mended", "gain", "leaking, on restify", "mended, on restify", "gain"],
      ...gains.map(({ seconds, velocy, restify }) => [
        String(seconds),
        formatNumber(answered(growth.slow, seconds)),
        formatNumber(answered(growth.mended, seconds)),
        timesOf(velocy),
        formatNumber(answered(growth.restify, seconds)),
        formatNumber(answered(growth["restify-mended"], seconds)),
        timesOf(restify),
      ]),
    ],
  };
}

/**
 * What a request costs after each step.
 *
 * @param {KeepingFastResult} result
 * @returns {Omit<Chart, "name">}
 */
export function costsOfSteps({ derived, blocks, node, where }) {
  const ratio = derived["mended-again"].toMended;
  const noise = { ratio, floor: noiseFloor(ratio), verdict: judgeNoise(ratio) };
  const band = bandOf(noise, COSTS.mended, 1);
  const rows = Object.entries(COSTS).map(([id, label]) => {
    const { cost, toMended } = derived[id];
    return {
      server: serverOf(id),
      label,
      value: toMended.median,
      ...{ low: toMended.low, high: toMended.high },
      blocks: blocks
        .filter(({ runs }) => id !== "mended" && runs[id] && runs.mended)
        .map(({ runs }) => runs[id].cost / runs.mended.cost),
      text: `${formatNumber(cost.median, 1)} µs, ${formatNumber(toMended.median, 2)}×`,
    };
  });
  const title = "What a request costs, step by step";
  return {
    title,
    description:
      `${title}, in microseconds of processor time, and beside ${COSTS.mended}. ` +
      `${rows.map(({ label, text }) => `${label}: ${text}`).join(". ")}. ` +
      `${allowsRanks(noise) ? "" : `${band.words}. `}${blocks.length} blocks, Node ${node}, ${where.cores} cores, ${where.cpu}.`,
    draw: dots([{ rows, noise: band }], `processor time of a request, 1 = ${COSTS.mended}`),
    table: [
      ["server", "CPU time, µs", "beside mended", "95 % interval"],
      ...Object.entries(COSTS).map(([id, label]) => {
        const { cost, toMended } = derived[id];
        return [
          label,
          formatNumber(cost.median, 1),
          formatNumber(toMended.median, 2),
          `${formatNumber(toMended.low, 2)} to ${formatNumber(toMended.high, 2)}`,
        ];
      }),
    ],
  };
}
