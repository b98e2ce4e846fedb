// Prints one of the chapter's tables as Markdown:
// node benchmarks/database/print.js TABLE [MACHINE]
import { readFileSync } from "node:fs";
import process from "node:process";
import { toMarkdown } from "../charts/list.js";
import { bookMachine } from "../lib/paths.js";
import { resultFile } from "../lib/results.js";
import * as tables from "./table.js";

/** @type {Record<string, (result: any) => string[][]>} */
const known = {
  apart: tables.apartTable,
  before: tables.pauseBeforeTable,
  capacity: tables.capacityTable,
  cluster: tables.clusterTable,
  collapse: tables.collapseTable,
  descriptors: tables.descriptorTable,
  distance: tables.distanceTable,
  lab: tables.labTable,
  knees: tables.kneeTable,
  ladder: tables.ladderTable,
  pauses: tables.pauseTable,
  pools: tables.poolTable,
  ratios: tables.ratioTable,
  statements: tables.statementTable,
};

const [name, machine = bookMachine] = process.argv.slice(2);
if (known[name]) {
  const result = JSON.parse(readFileSync(resultFile(machine, "database"), "utf8"));
  console.log(toMarkdown(known[name](result)));
} else {
  console.error(`There is no table "${name}", but: ${Object.keys(known).join(", ")}.`);
  process.exitCode = 1;
}
