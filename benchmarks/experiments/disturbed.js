// What a busy neighbour does to the cost of a request: on the server's core, on
// the generator's, and on neither. A neighbour of the generator makes it ask for
// less at a time, and nothing on the server's core tells:
// node benchmarks/experiments/disturbed.js [--connections 256] [--seconds 4]
import { spawn } from "node:child_process";
import { once } from "node:events";
import os from "node:os";
import process from "node:process";
import { parseArgs } from "node:util";
import { prepare, readContender } from "../lib/contenders.js";
import { benchmarkContract } from "../lib/contract.js";
import { wrk } from "../lib/generators.js";
import { layOut } from "../lib/layout.js";
import { measure } from "../lib/measure.js";
import { choosePlatform } from "../lib/platform/index.js";
import { formatNumber, formatTable } from "../lib/table.js";

const { values } = parseArgs({
  options: {
    connections: { type: "string", default: "256" },
    seconds: { type: "string", default: "4" },
  },
});
const [connections, seconds] = [Number(values.connections), Number(values.seconds)];
const platform = choosePlatform();
const cores = os.availableParallelism();
const layout = layOut({ cores, workers: 1, canPin: platform.canPin });
const { program } = await prepare(readContender("node-http"), { workers: 1 }, console.error);
if (layout.pinned) platform.pin(process.pid, layout.generator);

/** @param {number[]} where cores to be kept busy for the measuring */
async function measureBeside(where) {
  const neighbours = where.map((core) => {
    const [file, ...args] = [...platform.pinned([core]), process.execPath, "-e", "for (;;);"];
    return spawn(file, args, { stdio: "ignore" });
  });
  try {
    const settings = { idleSeconds: 0.5, warmUpSeconds: 2, seconds, connections };
    const { run } = await measure({
      ...{ program, contract: benchmarkContract, generator: wrk, layout, platform },
      settings: { ...settings, secondsPerRate: 0, commonRate: 0 },
    });
    return run;
  } finally {
    for (const neighbour of neighbours) neighbour.kill("SIGKILL");
    await Promise.all(neighbours.map((neighbour) => once(neighbour, "exit")));
  }
}

const percent = (/** @type {number} */ share = Number.NaN) => `${formatNumber(share * 100)} %`;
const rows = [["neighbour of", "CPU us/request", "requests/s", "server's core", "generator's"]];
for (const [name, where] of /** @type {[string, number[]][]} */ ([
  ["neither", []],
  ["the generator", layout.generator],
  ["the server", layout.server],
  ["both", [...layout.generator, ...layout.server]],
])) {
  console.error(name);
  const run = await measureBeside(where);
  rows.push([
    name,
    formatNumber(run.cpuMicrosecondsPerRequest, 1),
    formatNumber(run.requestsPerSecond),
    percent(run.othersShare),
    percent(run.generatorOthersShare),
  ]);
}
console.log(formatTable(rows, ["left", "right", "right", "right", "right"]));
