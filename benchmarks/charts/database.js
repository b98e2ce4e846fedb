import { readFileSync } from "node:fs";
import { collapseTable, descriptorTable, ladderTable, threadTable } from "../database/table.js";
import { resultFile } from "../lib/results.js";
import { lines } from "./lines.js";
import { formatTick, shortenTick } from "./ticks.js";

/** @import { Chart } from "./list.js" */

/** @typedef {Omit<Chart, "name">} Drawn */

/** What the servers are called where there is little room. */
const SHORT = /** @type {Record<string, string>} */ ({
  node: "on node:http",
  engine: "on its engine",
  go: "Go",
});

/**
 * @param {string} machine
 * @param {string} suite
 */
export function readDatabase(machine, suite) {
  return JSON.parse(readFileSync(resultFile(machine, suite), "utf8"));
}

/** @param {any} result */
const whereFrom = ({ what, where }) =>
  `Node ${what.versions.node}, ${what.versions.go}, ${where.cores} cores, ${where.cpu}.`;

/**
 * @param {any} result
 * @returns {Drawn}
 */
export function kneeOfServers(result) {
  const ids = ["node", "engine", "go"];
  const { rates, twins } = result.derived;
  const title = "The 99th percentile of latency by load";
  const shown = ids.map((id) => ({
    server: id,
    label: SHORT[id],
    points: rates.map(
      (/** @type {any} */ { rate, of }) =>
        /** @type {[number, number]} */ ([rate, of[id].p99 / 1000]),
    ),
    isDoubtful: rates.map((/** @type {any} */ { of }) => !of[id].kept),
  }));
  const noise = rates.map((/** @type {any} */ { rate, of }) => {
    const pair = [of.node.p99 / 1000, of["node-again"].p99 / 1000];
    return [rate, Math.min(...pair), Math.max(...pair)];
  });
  const words = shown.map(
    ({ label, points }) =>
      `${label}: ${points.map((/** @type {number[]} */ [rate, p99]) => `${p99.toFixed(3)} at ${rate}`).join(", ")}`,
  );
  return {
    title,
    description:
      `${title}, in seconds, by users a second. ${words.join(". ")}. ` +
      `${SHORT.node} ran twice, and what lies between the two is noise; at most they did ` +
      `${twins.toFixed(2)} of each other. ${whereFrom(result)}`,
    draw: lines(shown, {
      x: "users a second",
      y: "p99, s",
      yScale: "log",
      bands: [{ server: "node", label: `noise: ${SHORT.node}, twice`, points: noise }],
      xTicks: rates.map((/** @type {any} */ { rate }) => ({
        at: rate,
        label: formatTick(rate),
        short: shortenTick(rate),
      })),
    }),
    table: ladderTable(result),
  };
}

/**
 * One of the monitor's columns.
 *
 * @param {"cpu" | "ram" | "threads" | "descriptors"} column
 * @param {string} title
 * @param {string} y
 * @param {number} [unit] of the column, in y's
 * @param {"pictures" | "beyond"} [load] the highest rate that both keep, or one that neither does
 * @returns {(result: any) => Drawn}
 */
export function columnOverTime(column, title, y, unit = 1, load = "pictures") {
  return (result) => {
    const pictures = result[load];
    const shown = pictures.rows.map((/** @type {any} */ { id, columns }) => ({
      server: id,
      label: SHORT[id],
      points: columns.map(
        (/** @type {any} */ row, /** @type {number} */ index) =>
          /** @type {[number, number]} */ ([index + 1, row[column] / unit]),
      ),
    }));
    return {
      title,
      description:
        `${title}, second by second, under ${pictures.rate} users a second for ` +
        `${pictures.seconds} s. At most ${shown
          .map(
            (/** @type {any} */ { label, points }) =>
              `${Math.max(...points.map((/** @type {number[]} */ [, value]) => value)).toFixed(0)} (${label})`,
          )
          .join(", ")}. ${whereFrom(result)}`,
      draw: lines(shown, { x: "second", y }),
      table: [
        ["second", ...shown.map((/** @type {any} */ { label }) => label)],
        ...shown[0].points.map((/** @type {any} */ [second], /** @type {number} */ index) => [
          String(second),
          ...shown.map((/** @type {any} */ { points }) => {
            const value = points[index]?.[1];
            return value === undefined ? "–" : value.toFixed(0);
          }),
        ]),
      ],
    };
  };
}

/**
 * @param {any} result
 * @returns {Drawn}
 */
export function latencyOverTime(result) {
  const { pictures } = result;
  const title = "The 99th percentile of latency over time";
  return {
    title,
    description:
      `${title}, in ms, by the second in which a request was due, under ${pictures.rate} users a ` +
      `second. ${whereFrom(result)}`,
    draw: lines(
      pictures.rows.map((/** @type {any} */ { id, bySecond }) => ({
        server: id,
        label: SHORT[id],
        points: bySecond
          .filter((/** @type {any} */ { p99 }) => p99 !== undefined)
          .map((/** @type {any} */ { second, p99 }) => [second, p99]),
      })),
      { x: "second", y: "p99, ms" },
    ),
    table: threadTable(result),
  };
}

/**
 * @param {any} result
 * @returns {Drawn}
 */
export function addedUnderOverload(result) {
  const { timeout, rate, rows: all } = result.collapse;
  // The last is Go at a rate of its own.
  const collapse = { timeout, rate, rows: all.slice(0, 5) };
  const title = "Users added in each second, under more than a server can do";
  const labels = ["velocy", "256 connections", "shed()", "its engine", "Go"];
  return {
    title,
    description: `${title}: ${collapse.rate} a second, given up after ${collapse.timeout} s. ${collapse.rows
      .map(
        (/** @type {any} */ { run }, /** @type {number} */ index) =>
          `${labels[index]}: ${run.added} of ${run.sent} in all`,
      )
      .join("; ")}. ${whereFrom(result)}`,
    draw: lines(
      collapse.rows.map((/** @type {any} */ { id, bySecond }, /** @type {number} */ index) => ({
        server: id,
        variant: /** @type {const} */ (["other", "plain"])[index],
        label: labels[index],
        points: bySecond.map((/** @type {any} */ { second, added }) => [second, added]),
      })),
      { x: "second", y: "users added" },
    ),
    table: collapseTable(result),
  };
}

/**
 * @param {any} result
 * @returns {Drawn}
 */
export function descriptorsOverTime(result) {
  const title = "Open descriptors, with a hundred clients that say nothing";
  const labels = ["Node, 5 s", "Node, 60 s", "Go, none", "Go, 5 s"];
  return {
    title,
    description: `${title} from second 2 to 10, by who closes idle connections. ${whereFrom(result)}`,
    draw: lines(
      result.descriptors.map((/** @type {any} */ { columns }, /** @type {number} */ index) => ({
        server: index < 2 ? "node" : "go",
        variant: index % 2 === 0 ? undefined : /** @type {const} */ ("other"),
        label: labels[index],
        points: columns.map((/** @type {number} */ count, /** @type {number} */ second) => [
          second + 1,
          count,
        ]),
      })),
      { x: "second", y: "descriptors" },
    ),
    table: descriptorTable(result),
  };
}
