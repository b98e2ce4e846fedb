import { readFileSync } from "node:fs";
import { judgeNoise } from "../lib/derive.js";
import { resultFile } from "../lib/results.js";
import { formatEstimate, formatNumber } from "../lib/table.js";
import { dots } from "./dots.js";
import { bandOf } from "./noise.js";

/** @import { CacheBlock } from "../lib/cache.js" */
/** @import { Estimate } from "../lib/statistics.js" */
/** @import { Group } from "./dots.js" */
/** @import { Chart } from "./list.js" */

/**
 * What is read of a result of experiments/cache.js.
 *
 * @typedef {object} CacheResult
 * @property {string} node
 * @property {boolean} isPublishable
 * @property {{ cores: number, cpu: string }} where
 * @property {Record<"set" | "get", { noise: number, contenders: Record<string,
 *   { microseconds: Estimate, ratio: Estimate, toNodecached: Estimate }> }>} derived
 * @property {Record<"small" | "middle" | "large",
 *   { data: number, nodecached: number, memcached: number, ratio: number }>} memory
 * @property {CacheBlock[]} runs
 */

/** The programs; what else was run are steps of ours. */
const PROGRAMS = {
  nodecached: "nodecached",
  memcached: "memcached, one thread",
  "memcached-4": "memcached, four threads",
  yrmcds: "yrmcds",
};

/**
 * @param {string} machine
 * @param {string} suite
 * @returns {CacheResult}
 */
export function readCache(machine, suite) {
  return JSON.parse(readFileSync(resultFile(machine, suite), "utf8"));
}

/** @param {CacheResult} result */
function whereFrom({ runs, isPublishable, node, where }) {
  const quick = isPublishable ? "" : " of a quick run";
  return `${runs.length} blocks${quick}, Node ${node}, ${where.cores} cores, ${where.cpu}.`;
}

/**
 * What a get and a set cost.
 *
 * @param {CacheResult} result
 * @returns {Omit<Chart, "name">}
 */
export function costsOfCache(result) {
  const { derived, runs } = result;
  const ids = Object.entries(PROGRAMS).filter(([id]) => id in derived.get.contenders);
  const operations = /** @type {const} */ (["get", "set"]);
  const groups = operations.map((what) => {
    const cpu = (/** @type {string} */ id) => runs.map((block) => block[id][what].microseconds);
    const base = cpu("memcached");
    const { noise: floor, contenders } = derived[what];
    const ratio = contenders.twin.toNodecached;
    const noise = { ratio, floor, verdict: judgeNoise(ratio) };
    return {
      heading: what,
      noise: bandOf(noise, PROGRAMS.nodecached, 1),
      rows: ids.map(([id, label]) => {
        const { microseconds, ratio: toBase } = contenders[id];
        return {
          server: id,
          label,
          value: toBase.median,
          ...{ low: toBase.low, high: toBase.high },
          // What all are compared with is 1 in every block.
          blocks: id === "memcached" ? [] : cpu(id).map((one, index) => one / base[index]),
          text: `${formatNumber(microseconds.median, 1)} µs, ${formatNumber(toBase.median, 2)}×`,
        };
      }),
    };
  });
  const title = "What a get and a set cost";
  return {
    title,
    description:
      `${title}, in microseconds of processor time, and beside memcached with one thread. ` +
      `${groups.map(describeGroup).join(" ")} ${whereFrom(result)}`,
    draw: dots(groups, `processor time of a request, 1 = ${PROGRAMS.memcached}`),
    table: [
      ["program", "get, µs", "to memcached", "set, µs", "to memcached"],
      ...ids.map(([id, label]) => [
        label,
        ...operations.flatMap((what) => {
          const { microseconds, ratio } = derived[what].contenders[id];
          return [formatNumber(microseconds.median, 1), formatEstimate(ratio, 2)];
        }),
      ]),
    ],
  };
}

/** @param {Group} group */
function describeGroup({ heading, rows, noise }) {
  const words = rows.map(({ label, text }) => `${label} ${text}`).join("; ");
  return `${heading}: ${words}; ${noise?.words}.`;
}

/**
 * What an item takes in memory, by the size of its data.
 *
 * @param {CacheResult} result
 * @returns {Omit<Chart, "name">}
 */
export function memoryOfItems(result) {
  const sizes = Object.values(result.memory);
  const programs = /** @type {const} */ (["nodecached", "memcached"]);
  const labels = { nodecached: PROGRAMS.nodecached, memcached: "memcached" };
  const groups = sizes.map((size) => ({
    heading: `${formatNumber(size.data)} bytes of data`,
    rows: programs.map((id) => ({
      server: id,
      label: labels[id],
      value: size[id],
      text: `${formatNumber(size[id])} bytes`,
    })),
  }));
  const title = "What an item takes in memory";
  const words = groups.map(
    ({ heading, rows }) =>
      `${heading}: ${rows.map(({ label, text }) => `${label} ${text}`).join(", ")}.`,
  );
  return {
    title,
    description:
      `${title}, with its key of 12 bytes. ${words.join(" ")} ` +
      `Weighed once, so how far noise reaches isn't known. ${whereFrom(result)}`,
    draw: dots(groups, "bytes of an item, weighed once"),
    table: [
      ["data", "nodecached, bytes", "memcached, bytes", "ratio"],
      ...sizes.map(({ data, nodecached, memcached, ratio }) => [
        `${formatNumber(data)} bytes`,
        formatNumber(nodecached),
        formatNumber(memcached),
        formatNumber(ratio, 2),
      ]),
    ],
  };
}
