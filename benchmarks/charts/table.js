// Prints a chart's table as Markdown, for a chapter's generated block:
// node benchmarks/charts/table.js CHART [MACHINE]
import process from "node:process";
import { bookMachine } from "../lib/paths.js";
import { listCharts, toMarkdown } from "./list.js";

const [name, machine = bookMachine] = process.argv.slice(2);
const charts = listCharts(machine);
const chart = charts.find((candidate) => candidate.name === name);
if (chart) {
  console.log(toMarkdown(chart.table));
} else {
  const names = charts.map((candidate) => candidate.name).join(", ");
  console.error(`${machine} has no chart "${name}". It has: ${names}.`);
  process.exitCode = 1;
}
