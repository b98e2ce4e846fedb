// What a server weighs by how many connections it has: at rest, after ten
// thousand requests on ten connections, and then with more and more that have
// asked once and keep quiet. Each server is a new process in each round, in an
// order drawn anew. It needs Linux, and more than ten thousand open files
// (`ulimit -n`): node benchmarks/experiments/idle-connections.js
import { setTimeout as sleep } from "node:timers/promises";
import { prepare, readContender } from "../lib/contenders.js";
import { choosePlatform } from "../lib/platform/index.js";
import { ServerProcess } from "../lib/processes.js";
import { drawOrder, estimate, seededRandom } from "../lib/statistics.js";
import { formatNumber, formatTable } from "../lib/table.js";
import { ask, connectTo, leave } from "./asking.js";

/** @import { Program } from "../lib/measure.js" */

const names = ["axum", "elysia", "go-http", "node-http", "velocy-engine", "velocy", "express"];
const rounds = 3;
const fewConnections = 10;
const firstRequests = 10_000;
const ends = [1_000, 5_000, 10_000];

/** So many are opened at once: a server's queue of new ones has an end. */
const atOnce = 100;
const request = "GET /bench/testing?id=10 HTTP/1.1\r\nHost: localhost:3000\r\n\r\n";
const platform = choosePlatform();

/** @param {number} pid */
async function mebibytes(pid) {
  await sleep(500);
  const { bytes } = await platform.memory(await platform.processTree(pid));
  return bytes / 1024 ** 2;
}

/**
 * @param {string} name
 * @param {Program} program
 * @returns {Promise<number[]>} MiB at rest, after the requests, and at each end
 */
async function weigh(name, { command, cwd, env }) {
  const running = await ServerProcess.start({ command, cwd, env });
  const { pid, port } = running;
  /** @type {import("./asking.js").Asked[]} */
  const opened = [];
  try {
    const weights = [await mebibytes(pid)];
    const open = async (/** @type {number} */ count, /** @type {number} */ requests) => {
      const server = await connectTo({ name, pid, port }, request, count);
      opened.push(server);
      await ask(server, requests);
    };
    await open(fewConnections, firstRequests);
    weights.push(await mebibytes(pid));
    let connections = fewConnections;
    for (const end of ends) {
      for (; connections < end; connections += atOnce) {
        const count = Math.min(atOnce, end - connections);
        await open(count, count);
      }
      connections = end;
      weights.push(await mebibytes(pid));
    }
    return weights;
  } finally {
    for (const server of opened) leave(server);
    await running.stop();
  }
}

const servers = [];
for (const name of names) {
  const { contender, program } = await prepare(readContender(name), { workers: 1 }, (line) =>
    console.error(line),
  );
  servers.push({ name, title: contender.title, program, weights: [] });
}
const random = seededRandom(1);
for (let round = 1; round <= rounds; round += 1) {
  for (const { name, program, weights } of drawOrder(servers, random)) {
    console.error(`round ${round} of ${rounds}: ${name}`);
    /** @type {number[][]} */ (weights).push(await weigh(name, program));
  }
}

const [least] = ends;
const most = ends[ends.length - 1];
const rows = servers.map(({ title, weights }) => {
  const medians = ["rest", "asked", ...ends].map(
    (_, i) => estimate(weights.map((round) => round[i])).median,
  );
  const more = medians[medians.length - 1] - medians[2];
  const each = (more * 1024) / (most - least);
  return [title, ...medians.map((weight) => formatNumber(weight, 1)), formatNumber(each, 1)];
});
const columns = ends.map((end) => `${formatNumber(end)} open`);
console.log(
  formatTable(
    [["server, in MiB", "at rest", "asked", ...columns, "KiB for one more"], ...rows],
    ["left", ...Array.from({ length: ends.length + 3 }, () => /** @type {const} */ ("right"))],
  ),
);
console.log(`\nmedians of ${rounds} processes each; asked: after ${formatNumber(firstRequests)}`);
console.log(`requests on ${fewConnections} connections; the others have asked once and keep quiet`);
