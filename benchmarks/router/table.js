// Prints the routers' figures as Markdown, for a chapter's generated block:
// node benchmarks/router/table.js [MACHINE [VERSION]]
// shows that version of velocy, the newest unless given
import { readFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { toMarkdown } from "../charts/list.js";
import { resultsFolder } from "../lib/paths.js";
import { setNames } from "./sets.js";

/** @import { Estimate } from "../lib/statistics.js" */

/**
 * @typedef {object} SetFigures
 * @property {Record<string, Estimate>} hits nanoseconds a lookup, by router
 * @property {Record<string, string>} refused why a router has none
 */

const [machine = "linux-2core-vm", version] = process.argv.slice(2);
const file = path.join(resultsFolder, machine, "router.json");
const { derived, routers, sets } = JSON.parse(readFileSync(file, "utf8"));
console.log(toMarkdown(tableOf(setNames)));

/** @param {string[]} names of sets */
function tableOf(names) {
  const ours = Object.keys(routers).filter((id) => id.startsWith("velocy"));
  const newest = ours.filter((id) => !routers[id].isAside).at(-1) ?? "";
  const wanted = version ?? routers[newest].version;
  const velocy = ours.filter((id) => routers[id].version === wanted);
  const others = Object.keys(routers).filter((id) => !id.startsWith("velocy"));
  const shown = [...velocy, ...others].filter((id) => names.some((name) => isMeasured(name, id)));
  return [
    ["router", ...names.map((name) => `${name}, ${sets[name].routes} routes`)],
    ...shown.map((id) => [routers[id].title, ...names.map((name) => cell(derived[name], id))]),
  ];
}

/**
 * @param {string} name of a set
 * @param {string} id of a router
 */
function isMeasured(name, id) {
  return id in derived[name].hits || id in derived[name].refused;
}

/**
 * @param {SetFigures} figures
 * @param {string} id
 */
function cell({ hits, refused }, id) {
  if (id in refused) return "refuses them";
  return `${hits[id].median.toFixed(0)} ns`;
}
