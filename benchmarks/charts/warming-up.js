import { readFileSync } from "node:fs";
import { resultFile } from "../lib/results.js";
import { formatNumber } from "../lib/table.js";
import { lines } from "./lines.js";

/** @import { Chart } from "./list.js" */

/**
 * What is read of the experiment's result.
 *
 * @typedef {object} WarmingUpResult
 * @property {string} node
 * @property {{ cores: number, cpu: string }} where
 * @property {{ blocks: number, connections: number, ends: number[] }} settings
 * @property {Record<string, string>} titles by server
 * @property {Record<"get" | "json", Record<string, Stretch[]>>} derived by server
 *
 * @typedef {object} Stretch
 * @property {number} requests after how many of them it ends
 * @property {{ median: number, low: number, high: number }} microseconds a request
 */

const WORKS = { get: "a small GET", json: "a POST with JSON" };

/**
 * @param {string} machine
 * @param {string} suite
 * @returns {WarmingUpResult}
 */
export function readWarmingUp(machine, suite) {
  return JSON.parse(readFileSync(resultFile(machine, suite), "utf8"));
}

/**
 * What a request with JSON costs a server, by how many it has had.
 *
 * @param {WarmingUpResult} result
 * @returns {Omit<Chart, "name">}
 */
export function costsWhileWarming({ derived, titles, settings, node, where }) {
  const { ends, blocks, connections } = settings;
  const title = "CPU time per request, by how many a new server has had";
  const shown = Object.entries(derived.json);
  const words = shown.map(
    ([id, stretches]) =>
      `${titles[id]}: ${stretches.map(({ microseconds }) => formatNumber(microseconds.median, 1)).join(", ")}`,
  );
  /** The middle of a stretch on an axis of logarithms. @param {number} index */
  const middle = (index) => Math.sqrt(Math.max(1, ends[index - 1] ?? 100) * ends[index]);
  return {
    title,
    description:
      `${title}, of JSON that is posted, in µs, both axes logarithmic; up to ` +
      `${ends.map((end) => formatNumber(end)).join(", ")} requests. ${words.join(". ")}. ` +
      `${blocks} blocks, ${connections} connections, Node ${node}, ${where.cores} cores, ${where.cpu}.`,
    draw: lines(
      shown.map(([id, stretches]) => ({
        server: id,
        label: titles[id],
        points: stretches.map(
          ({ microseconds }, index) =>
            /** @type {[number, number]} */ ([middle(index), microseconds.median]),
        ),
        intervals: stretches.map(
          ({ microseconds: { low, high } }, index) =>
            /** @type {[number, number, number]} */ ([middle(index), low, high]),
        ),
      })),
      { x: "requests", y: "CPU time per request, µs", xScale: "log", yScale: "log" },
    ),
    table: [
      ["asked", "server", ...ends.map((end) => `to ${formatNumber(end)}`)],
      ...Object.entries(WORKS).flatMap(([work, said]) =>
        Object.entries(derived[/** @type {"get"} */ (work)]).map(([id, stretches]) => [
          said,
          titles[id],
          ...stretches.map(({ microseconds }) => formatNumber(microseconds.median, 1)),
        ]),
      ),
    ],
  };
}
