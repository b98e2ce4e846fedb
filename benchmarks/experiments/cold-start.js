// How long it takes from the start of a process to its first answer, as on a
// platform that starts one when a request comes: each server is started anew
// in each round, in an order drawn anew, and asked once over one connection.
// Files and packages have been read before. node benchmarks/experiments/cold-start.js
import { spawn } from "node:child_process";
import { once } from "node:events";
import { get } from "node:http";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { freePort } from "../../code/contracts/port.js";
import { prepare, readContender } from "../lib/contenders.js";
import { drawOrder, estimate, seededRandom } from "../lib/statistics.js";
import { formatEstimate, formatNumber, formatTable } from "../lib/table.js";

/** @import { Program } from "../lib/measure.js" */

const names = ["axum", "bun-serve", "elysia", "node-http", "velocy", "fastify", "express"];
const rounds = 11;

/**
 * @param {number} port
 * @returns {Promise<void>} when the whole answer is there
 */
function ask(port) {
  return new Promise((resolve, reject) => {
    const req = get(
      { port, host: "127.0.0.1", path: "/bench/testing?id=10", agent: false },
      (res) => {
        if (res.statusCode !== 200) reject(new Error(`the status was ${res.statusCode}`));
        res.on("end", resolve).resume();
      },
    );
    req.on("error", reject);
  });
}

/**
 * @param {Program} program
 * @returns {Promise<{ listening: number, answered: number }>} milliseconds
 *   since the start
 */
async function startAndAsk({ command: [file, ...args], cwd, env }) {
  const port = await freePort();
  const start = performance.now();
  const child = spawn(file, args, {
    cwd,
    env: { ...process.env, ...env, PORT: String(port) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  try {
    // It prints one line, when it listens.
    await Promise.race([
      once(child.stdout, "data"),
      ended.then(() => Promise.reject(new Error(`${file} ended before it listened`))),
    ]);
    const listening = performance.now() - start;
    await ask(port);
    return { listening, answered: performance.now() - start };
  } finally {
    child.kill("SIGKILL");
    await ended;
  }
}

const servers = [];
for (const name of names) {
  const { contender, program } = await prepare(readContender(name), { workers: 1 }, (line) =>
    console.error(line),
  );
  servers.push({ title: contender.title, program, listening: [], answered: [] });
}
const random = seededRandom(1);
for (let round = 0; round <= rounds; round++) {
  console.error(round === 0 ? "once, so that the files are read" : `round ${round} of ${rounds}`);
  for (const server of drawOrder(servers, random)) {
    const { listening, answered } = await startAndAsk(server.program);
    if (round === 0) continue;
    /** @type {number[]} */ (server.listening).push(listening);
    /** @type {number[]} */ (server.answered).push(answered);
  }
}
const rows = servers
  .map(({ title, listening, answered }) => ({
    title,
    listening: estimate(listening),
    answered: estimate(answered),
  }))
  .sort((a, b) => a.answered.median - b.answered.median)
  .map(({ title, listening, answered }) => [
    title,
    formatNumber(listening.median),
    formatEstimate(answered, 0),
  ]);
const table = [["server", "listens after, ms", "first answer after, ms"], ...rows];
console.log(formatTable(table, ["left", "right", "right"]));
console.log(`\nmedians of ${rounds} processes each; in parentheses the 95 % interval`);
