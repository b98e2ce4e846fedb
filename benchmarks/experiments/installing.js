/**
 * What it takes to install each thing that a suite may lack: npm's packages
 * without npm's cache, programs without what was compiled before. Writes
 * benchmarks/estimates.json, by which `npm run bench` says beforehand how long
 * it takes:
 *
 *     node benchmarks/experiments/installing.js [--only KEY]
 *
 * Downloads of cargo's and Go's are not measured where they are there already.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { listContenders, readContender } from "../lib/contenders.js";
import { describeMachine } from "../lib/machine.js";
import { estimatesFile, root } from "../lib/paths.js";
import { runToEnd } from "../lib/processes.js";
import { suites } from "../lib/suites.js";
import { tools } from "../lib/tools.js";

/** @import { Contender } from "../lib/contenders.js" */

const npm = ["npm", "ci", "--no-audit", "--no-fund", "--loglevel=error"];

/**
 * @param {string} folder with a package-lock.json
 * @param {string} into an empty folder
 */
async function installPackages(folder, into) {
  const { packages } = JSON.parse(readFileSync(path.join(folder, "package-lock.json"), "utf8"));
  // Packages that are folders of ours are linked to.
  const linked = Object.keys(packages).filter((name) => !name.includes("node_modules"));
  for (const name of linked) {
    mkdirSync(path.join(into, name), { recursive: true });
    cpSync(path.join(folder, name, "package.json"), path.join(into, name, "package.json"));
  }
  cpSync(path.join(folder, "package-lock.json"), path.join(into, "package-lock.json"));
  await runToEnd([...npm, "--cache", path.join(into, ".cache")], { cwd: into });
}

/** How each kind of runtime is built. */
const builds =
  /** @type {Record<string, (contender: Contender, into: string) => Promise<unknown>>} */ ({
    native: ({ folder }, into) =>
      runToEnd(["cargo", "build", "--release", "--locked", "--target-dir", into], { cwd: folder }),
    go: ({ folder }, into) =>
      runToEnd(["go", "build", "-a", "-o", path.join(into, "server"), "."], { cwd: folder }),
  });

const programs = /** @type {Record<string, string>} */ ({ native: "cargo", go: "go" });

/** @returns {Map<string, (into: string) => Promise<unknown>>} by key */
function listSteps() {
  /** @type {Map<string, (into: string) => Promise<unknown>>} */
  const steps = new Map();
  const addPackages = (/** @type {string} */ folder) => {
    if (!existsSync(path.join(folder, "package-lock.json"))) return;
    const key = `npm ${path.relative(root, folder) || "."}`;
    steps.set(key, (into) => installPackages(folder, into));
  };
  addPackages(root);
  const contenders = listContenders().map(readContender);
  for (const runtime of new Set(contenders.map((each) => each.runtime))) {
    addPackages(path.join(root, "benchmarks/runtimes", runtime));
  }
  addPackages(path.join(root, "tools/node-pinned"));
  for (const contender of contenders) {
    const build = builds[contender.runtime];
    if (build) {
      const key = `${programs[contender.runtime]} ${path.basename(contender.folder)}`;
      steps.set(key, (into) => build(contender, into));
    } else addPackages(contender.folder);
  }
  for (const name of new Set(suites.flatMap((suite) => suite.tools))) {
    const install = tools.find((tool) => tool.name === name)?.install;
    if (install) steps.set(`tool ${name}`, (into) => install(() => {}, into));
  }
  return steps;
}

const { values } = parseArgs({ options: { only: { type: "string" } } });
const before = existsSync(estimatesFile) ? JSON.parse(readFileSync(estimatesFile, "utf8")) : {};
/** @type {Record<string, number>} */
const seconds = { ...before.seconds };
const { loadBefore, ...where } = describeMachine();

function keep() {
  const facts = {
    measuredAt: new Date().toISOString(),
    command: "node benchmarks/experiments/installing.js",
    node: process.version,
    where,
    load: loadBefore[0],
  };
  writeFileSync(estimatesFile, `${JSON.stringify({ ...facts, seconds }, undefined, 2)}\n`);
}

for (const [key, install] of listSteps()) {
  if (values.only && key !== values.only) continue;
  const into = mkdtempSync(path.join(tmpdir(), "installing-"));
  try {
    const start = Date.now();
    await install(into);
    seconds[key] = (Date.now() - start) / 1000;
    console.log(`${key}: ${seconds[key].toFixed(1)} s`);
    keep();
  } finally {
    rmSync(into, { recursive: true, force: true });
  }
}
