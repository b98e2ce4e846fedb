import { readFileSync } from "node:fs";
import { resultFile } from "../lib/results.js";
import { formatNumber } from "../lib/table.js";
import { lines } from "./lines.js";

/** @import { Chart } from "./list.js" */

/**
 * What is read of a result of experiments/cluster.js.
 *
 * @typedef {object} ClusterResult
 * @property {string} node
 * @property {{ cores: number, cpu: string }} where
 * @property {{ workers: number, rate: number, minutes: number }} settings
 * @property {{ sent: number, failed: number, killed: number, restarts?: number,
 *   begun: number, onItsConnection: number, unseen: number, unexplained: number }} verdict
 * @property {{ second: number, sent: number, failed: number }[]} seconds
 */

/**
 * @param {string} machine
 * @param {string} suite
 * @returns {ClusterResult}
 */
export function readCluster(machine, suite) {
  return JSON.parse(readFileSync(resultFile(machine, suite), "utf8"));
}

/**
 * @param {ClusterResult} result
 * @returns {Omit<Chart, "name">}
 */
export function underKills(result) {
  const { verdict } = result;
  return {
    ...common(result, "Workers killed one after the other"),
    table: [
      ["what", "how many"],
      ["workers killed", formatNumber(verdict.killed)],
      ["requests sent", formatNumber(verdict.sent)],
      ["failed: begun by a worker that was killed", formatNumber(verdict.begun)],
      ["failed: sent to such a worker, but not begun", formatNumber(verdict.onItsConnection)],
      ["failed: reset before a worker noted the connection", formatNumber(verdict.unseen)],
      ["failed, and not explained by a kill", formatNumber(verdict.unexplained)],
    ],
  };
}

/**
 * @param {ClusterResult} result
 * @returns {Omit<Chart, "name">}
 */
export function underRestarts(result) {
  const { verdict } = result;
  return {
    ...common(result, "One rolling restart after the other"),
    table: [
      ["what", "how many"],
      ["restarts of all workers", formatNumber(verdict.restarts ?? 0)],
      ["requests sent", formatNumber(verdict.sent)],
      ["failed", formatNumber(verdict.failed)],
    ],
  };
}

/**
 * @param {ClusterResult} result
 * @param {string} title
 */
function common({ seconds, settings, verdict, node, where }, title) {
  const points = (/** @type {"sent" | "failed"} */ key) =>
    seconds.map((row) => /** @type {[number, number]} */ ([row.second, row[key]]));
  const shown = [
    { label: "sent", points: points("sent") },
    { label: "failed", points: points("failed") },
  ];
  return {
    title,
    description:
      `${title}: requests in each second, those that were sent and those that failed. ` +
      `${formatNumber(verdict.sent)} were sent, ${formatNumber(verdict.failed)} failed. ` +
      `${settings.workers} workers, Node ${node}, ${where.cores} cores, ${where.cpu}.`,
    draw: lines(shown, { x: "second", y: "requests" }),
  };
}
