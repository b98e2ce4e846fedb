// What it costs to give each request and response another prototype, by
// version of Node.js: node benchmarks/experiments/prototypes.js VERSION...
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { workFolder } from "../lib/paths.js";
import { runToEnd } from "../lib/processes.js";
import { formatNumber, formatTable } from "../lib/table.js";
import { load, startServer } from "./servers.js";

const rounds = 3;

/**
 * @param {string} version
 * @returns {Promise<string>} the path of that Node.js, from npm
 */
async function install(version) {
  const folder = path.join(workFolder, "nodes", version);
  const program = path.join(folder, "node_modules/.bin/node");
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "package.json"), '{ "private": true }\n');
  await runToEnd(["npm", "install", "--no-audit", "--no-fund", `node@${version}`], { cwd: folder });
  return program;
}

/**
 * @param {string} contender
 * @param {string} node
 * @returns {Promise<number>} requests per second
 */
async function measure(contender, node) {
  const server = await startServer(`contenders/${contender}/server.js`, { node });
  try {
    await load(server, { seconds: 1 });
    return (await load(server, { seconds: 2 })).requestsPerSecond;
  } finally {
    await server.stop();
  }
}

/** @param {number[]} values */
function middle(values) {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

const versions = process.argv.slice(2);
if (versions.length === 0) {
  console.error("which versions? node benchmarks/experiments/prototypes.js 18.17.1 24.21.0");
  process.exit(1);
}
const programs = [];
for (const version of versions) programs.push({ version, node: await install(version) });

const contenders = ["node-http", "node-http-prototypes"];

/** @type {Map<string, number[][]>} a list of rates for each round */
const measured = new Map(versions.map((version) => [version, []]));
for (let round = 1; round <= rounds; round++) {
  for (const { version, node } of programs) {
    console.error(`round ${round} of ${rounds}: Node.js ${version}`);
    const rates = [];
    for (const contender of contenders) rates.push(await measure(contender, node));
    measured.get(version)?.push(rates);
  }
}

const rows = [["Node.js", "node:http", "prototypes exchanged", "cost of it"]];
for (const [version, all] of measured) {
  rows.push([
    version,
    ...contenders.map((_, index) => formatNumber(middle(all.map((rates) => rates[index])))),
    `${formatNumber(middle(all.map(([bare, exchanged]) => bare / exchanged)), 2)} x`,
  ]);
}
console.log(formatTable(rows, ["left", "right", "right", "right"]));
console.log(`\nrequests/s, medians of ${rounds} rounds; 64 connections`);
