import { readFileSync } from "node:fs";
import { resultFile } from "../lib/results.js";
import { lines } from "./lines.js";

/** @import { Estimate } from "../lib/statistics.js" */
/** @import { Chart } from "./list.js" */

/**
 * What is read of the routers' result.
 *
 * @typedef {object} RouterResult
 * @property {string} machine
 * @property {unknown[]} blocks
 * @property {{ cores: number, cpu: string }} where
 * @property {Record<string, { title: string, isAside?: true }>} routers
 * @property {Record<string, { routes: number }>} sets
 * @property {Record<string, { hits: Record<string, Estimate> }>} derived
 */

/**
 * @param {string} machine
 * @param {string} suite
 * @returns {RouterResult}
 */
export function readRouters(machine, suite) {
  return JSON.parse(readFileSync(resultFile(machine, suite), "utf8"));
}

/** The velocy of chapter 10, where its router is done, in both ways to ask it. */
const ours = ["velocy-0.10.0", "velocy-0.10.0-from-a-target"];

/**
 * Time for a look-up by the number of routes: chapter 10's velocy beside the
 * routers of other frameworks.
 *
 * @param {RouterResult} result
 * @returns {Omit<Chart, "name">}
 */
export function routersByRoutes({ derived, routers, sets, machine, blocks, where }) {
  const scales = Object.keys(sets).filter((name) => name.startsWith("scale-"));
  const ids = Object.keys(routers)
    .filter((id) => !id.startsWith("velocy") || ours.includes(id))
    .filter((id) => scales.every((name) => id in derived[name].hits));
  const shown = ids.map((id) => ({
    server: id,
    label: routers[id].title,
    intervals: scales.map((name) => {
      const { low, high } = derived[name].hits[id];
      return /** @type {[number, number, number]} */ ([sets[name].routes, low, high]);
    }),
    points: scales.map(
      (name) =>
        /** @type {[number, number]} */ ([sets[name].routes, derived[name].hits[id].median]),
    ),
  }));
  const title = "Time for a look-up, by the number of routes";
  return {
    title,
    description:
      `${title}, in nanoseconds, from ${sets[scales[0]].routes} to ` +
      `${sets[scales[scales.length - 1]].routes} routes, for ${shown.map(({ label }) => label).join(", ")}. ` +
      `With 95 % intervals; no router ran twice, so how far noise reaches beyond them isn't known. ` +
      `${blocks.length} blocks on ${machine}: ${where.cores} cores, ${where.cpu}.`,
    draw: lines(shown.slice(0, 5), {
      x: "routes",
      y: "nanoseconds",
      xScale: "log",
      yScale: "log",
      xTicks: scales.map((name) => {
        const { routes } = sets[name];
        return { at: routes, label: routes < 1000 ? `${routes}` : `${routes / 1000}k` };
      }),
    }),
    table: [
      ["router", ...scales.map((name) => `${sets[name].routes.toLocaleString("en")} routes`)],
      ...shown.map(({ label, points }) => [
        label,
        ...points.map(([, ns]) => `${ns.toFixed(0)} ns`),
      ]),
    ],
  };
}
