// Prints the routers' figures as Markdown, for a chapter's generated block:
// node benchmarks/router/table.js sets|scale [MACHINE]
import { readFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { toMarkdown } from "../charts/list.js";
import { resultsFolder } from "../lib/paths.js";

/** @import { Estimate } from "../lib/statistics.js" */

/**
 * @typedef {object} SetFigures
 * @property {Record<string, Estimate>} hits nanoseconds a lookup, by router
 * @property {Record<string, string>} refused why a router has none
 */

const columns = {
  sets: ["twelve", "api", "deep", "wide", "wildcards"],
  scale: ["scale-10", "scale-100", "scale-1000", "scale-10000"],
};

const [which, machine = "linux-2core-vm"] = process.argv.slice(2);
if (which !== "sets" && which !== "scale") {
  console.error("Say which table: node benchmarks/router/table.js sets|scale [MACHINE]");
  process.exit(1);
}
const file = path.join(resultsFolder, machine, "router.json");
const { derived, routers, sets } = JSON.parse(readFileSync(file, "utf8"));
console.log(toMarkdown(tableOf(columns[which])));

/** @param {string[]} names of sets */
function tableOf(names) {
  const newest = Object.keys(routers)
    .filter((id) => id.startsWith("velocy"))
    .at(-1);
  const others = Object.keys(routers).filter((id) => !id.startsWith("velocy"));
  const shown = [newest ?? "", ...others].filter((id) =>
    names.some((name) => isMeasured(name, id)),
  );
  const head = names.map((name) => `${name.replace(/^scale-.*/, "")} ${sets[name].routes} routes`);
  return [
    ["router", ...head.map((text) => text.trim())],
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
