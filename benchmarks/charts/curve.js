import { median } from "simple-statistics";
import { formatEstimate, formatNumber } from "../lib/table.js";
import { lines } from "./lines.js";
import { describeNoise } from "./noise.js";

/** @import { RatesResult } from "../lib/results.js" */
/** @import { Estimate } from "../lib/statistics.js" */
/** @import { Line } from "./lines.js" */
/** @import { Chart } from "./list.js" */
/** @import { TwinNoise } from "./noise.js" */

/**
 * What is read of a result that has the cost of a request at several rates.
 *
 * @typedef {object} CurveResult
 * @property {string} machine
 * @property {{ runs: Record<string, { rates: RateSent[] }> }[]} blocks
 * @property {{ cores: number, cpu: string }} where
 * @property {Pick<RatesResult["what"], "baseline" | "twin">} what
 * @property {Record<string, { title: string }>} contenders
 * @property {{ noise?: TwinNoise, contenders: Record<string, CurveContender> }} derived
 *
 * @typedef {object} RateSent
 * @property {string} name
 * @property {number} achievedPerSecond
 *
 * @typedef {object} CurveContender
 * @property {Estimate} capacity requests a second
 * @property {Record<string, CostAtRate>} rates by share of the capacity
 * @property {CostAtRate} [atHalf] of the capacity
 * @property {CostAtRate} [atSaturation]
 *
 * @typedef {object} CostAtRate
 * @property {string} verdict
 * @property {Estimate} cpuMicrosecondsPerRequest
 * @property {Estimate} [userMicrosecondsPerRequest]
 * @property {Estimate} [systemMicrosecondsPerRequest]
 */

/**
 * A server's costs, from its lowest rate to saturation, each at the rate that
 * was sent. Where the generator was full it sent less than was asked, in a
 * way that changes what a request costs: such a point is left out.
 *
 * @param {CurveResult} result
 * @param {string} id
 */
function costsOf({ blocks, derived }, id) {
  const { capacity, rates, atSaturation } = derived.contenders[id];
  const costs = Object.entries(rates)
    .filter(([name, { verdict }]) => name !== "common" && verdict !== "generator-bound")
    .map(([name, { cpuMicrosecondsPerRequest: cpu, verdict }]) => {
      const runs = blocks.flatMap((block) => block.runs[id]?.rates ?? []);
      const sent = runs.filter((rate) => rate.name === name);
      const rate = median(sent.map(({ achievedPerSecond }) => achievedPerSecond));
      return { rate, cpu, isDoubtful: verdict !== "kept" };
    });
  if (atSaturation) {
    const { cpuMicrosecondsPerRequest: cpu } = atSaturation;
    costs.push({ rate: capacity.median, cpu, isDoubtful: false });
  }
  return costs.sort((a, b) => a.rate - b.rate);
}

/**
 * @param {CurveResult} result
 * @param {string} id
 * @returns {Line}
 */
function lineOf(result, id) {
  const { contenders, what } = result;
  const costs = costsOf(result, id);
  const isTwin = id === what.twin;
  return {
    server: id,
    label: isTwin ? `${contenders[what.baseline].title}, again` : contenders[id].title,
    ...(isTwin ? { variant: /** @type {const} */ ("plain") } : {}),
    points: costs.map(({ rate, cpu }) => [rate, cpu.median]),
    intervals: costs.map(({ rate, cpu }) => [rate, cpu.low, cpu.high]),
    isDoubtful: costs.map(({ isDoubtful }) => isDoubtful),
  };
}

/**
 * What a request costs each server by how many it is asked.
 *
 * @param {CurveResult} result
 * @returns {Omit<Chart, "name">}
 */
export function costByRate(result) {
  const { contenders, derived, what, machine, blocks, where } = result;
  const ids = Object.keys(contenders).filter((id) => id in derived.contenders);
  const baseline = contenders[what.baseline].title;
  const noise = derived.noise && describeNoise(derived.noise, baseline);
  const title = "CPU time per request, by requests a second";
  return {
    title,
    description:
      `${title}, from the lowest rate to saturation, both axes logarithmic. Rates at which the ` +
      "generator had no time left are left out. " +
      `${noise ? `At a half of what it can do: ${noise}. ` : ""}` +
      `${blocks.length} blocks on ${machine}: ${where.cores} cores, ${where.cpu}.`,
    draw: lines(
      ids.map((id) => lineOf(result, id)),
      {
        x: "requests a second",
        y: "CPU time per request, µs",
        xScale: "log",
        yScale: "log",
        notes: [
          { sample: "none", text: "left out: rates at which the generator was full" },
          ...(noise
            ? [{ sample: /** @type {const} */ ("none"), text: `at a half: ${noise}` }]
            : []),
        ],
      },
    ),
    table: tableOf(result),
  };
}

/**
 * @param {CurveResult} result
 * @returns {string[][]}
 */
function tableOf({ contenders, derived, what }) {
  const shown = Object.entries(derived.contenders).filter(([id]) => id !== what.twin);
  const hasParts = shown.every(([, row]) =>
    [row.atHalf, row.atSaturation].every((cost) => cost?.userMicrosecondsPerRequest),
  );
  const cells = (/** @type {CostAtRate | undefined} */ cost) => {
    if (!cost) return hasParts ? ["–", "–", "–"] : ["–"];
    const { userMicrosecondsPerRequest: user, systemMicrosecondsPerRequest: system } = cost;
    return [
      formatEstimate(cost.cpuMicrosecondsPerRequest, 1),
      ...(hasParts && user && system
        ? [formatNumber(user.median, 1), formatNumber(system.median, 1)]
        : []),
    ];
  };
  const parts = hasParts ? ["outside the kernel", "inside"] : [];
  return [
    ["server", "at a half, µs", ...parts, "at saturation, µs", ...parts, "at most, /s"],
    ...shown.map(([id, { atHalf, atSaturation, capacity }]) => [
      contenders[id].title,
      ...cells(atHalf),
      ...cells(atSaturation),
      formatNumber(Math.round(capacity.median / 100) * 100),
    ]),
  ];
}
