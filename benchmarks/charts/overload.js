import { readFileSync } from "node:fs";
import { resultFile } from "../lib/results.js";
import { formatNumber } from "../lib/table.js";
import { lines } from "./lines.js";

/** @import { Chart } from "./list.js" */

/**
 * What is read of the suite's result.
 *
 * @typedef {object} OverloadResult
 * @property {string} node
 * @property {{ cores: number, cpu: string }} where
 * @property {number[]} rates
 * @property {{ path: string, connections: "kept" | "new", guard: "bare" | "shed" | "simulated",
 *   goodput: number[], share: number }[]} rows
 */

const GUARDS = { bare: "no gate", shed: "shed()", simulated: "simulation" };
/** The server of the chapter's end, that before it, and a model of both. */
const VARIANTS = /** @type {const} */ ({ bare: "other", shed: undefined, simulated: "plain" });
const HANDLERS = { "/page": "computes", "/data": "awaits" };

/**
 * @param {string} machine
 * @param {string} suite
 * @returns {OverloadResult}
 */
export function readOverload(machine, suite) {
  return JSON.parse(readFileSync(resultFile(machine, suite), "utf8"));
}

/**
 * Goodput by load, of handlers that compute, with a connection for each.
 *
 * @param {OverloadResult} result
 * @returns {Omit<Chart, "name">}
 */
export function goodputByLoad({ rates, rows, node, where }) {
  const shown = rows.filter(
    ({ path, connections, guard }) =>
      path === "/page" && (connections === "new" || guard === "simulated"),
  );
  const title = "Goodput by load";
  const words = shown.map(
    ({ guard, goodput }) =>
      `${GUARDS[guard]}: ${goodput.map((each) => Math.round(each)).join(", ")}`,
  );
  return {
    title,
    description:
      `${title}, both in requests a second, for ${rates.join(", ")} a second, where a handler ` +
      `computes for 5 ms and each request has a connection of its own. ${words.join(". ")}. ` +
      `Node ${node}, ${where.cores} cores, ${where.cpu}.`,
    draw: lines(
      shown.map(({ guard, goodput }) => ({
        server: "velocy",
        variant: VARIANTS[guard],
        label: GUARDS[guard],
        points: goodput.map(
          (each, index) => /** @type {[number, number]} */ ([rates[index], each]),
        ),
      })),
      { x: "requests a second", y: "good answers a second" },
    ),
    table: [
      ["handler", "connections", "guard", ...rates.map(String), "share"],
      ...rows.map(({ path, connections, guard, goodput, share }) => [
        HANDLERS[/** @type {"/page"} */ (path)],
        guard === "simulated" ? "any" : connections,
        GUARDS[guard],
        ...goodput.map((each) => formatNumber(Math.round(each))),
        `${Math.round(share * 100)} %`,
      ]),
    ],
  };
}
