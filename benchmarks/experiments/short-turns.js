/**
 * What a request costs a few servers of the suite `framework`, in turns so
 * short that all of them meet the same moods of the machine:
 *
 *     node benchmarks/experiments/short-turns.js [--rounds 200] [--machine NAME]
 *
 * In a round each server gets a few thousand requests, one behind the other on
 * each of 64 connections, in an order that is drawn anew. A ratio is taken
 * within a round. What is counted is the processor time of the server's
 * process, all threads, as the kernel's scheduler has it, so Linux alone can
 * run it. The twin is a second process of the baseline.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import process from "node:process";
import { parseArgs } from "node:util";
import { describeMachine } from "../lib/machine.js";
import { drawOrder, estimate, seededRandom } from "../lib/statistics.js";
import { ask, connectTo, costOf, leave } from "./asking.js";
import { startServer } from "./servers.js";

/** @import { Asked } from "./asking.js" */

const RESULTS = new URL("../results/", import.meta.url);
const CONNECTIONS = 64;
/** Of one turn. */
const REQUESTS = 4_000;
/** Until V8 has compiled what it will. */
const WARM_UP = 60_000;
const REQUEST = "GET /bench/testing?id=10 HTTP/1.1\r\nHost: localhost:3000\r\n\r\n";

const BASELINE = "node-http-bare";
const PROGRAMS = {
  [BASELINE]: "node-http/bare.js",
  "node-http-bare-again": "node-http/bare.js",
  "velocy-raw": "velocy/raw.js",
  "velocy-framework": "velocy/framework.js",
  "fastify-framework": "fastify/framework.js",
};

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "200" },
    machine: { type: "string" },
  },
});
const rounds = Number(values.rounds);
if (!Number.isInteger(rounds) || rounds < 10) {
  throw new RangeError("--rounds must be a whole number, 10 at least");
}

const startedAt = new Date().toISOString();
const where = describeMachine();
const running = [];
/** @type {Asked[]} */
const servers = [];
for (const [name, program] of Object.entries(PROGRAMS)) {
  const server = await startServer(`contenders/${program}`);
  running.push(server);
  const { pid, port } = server;
  servers.push(await connectTo({ name, pid, port }, REQUEST, CONNECTIONS));
}
// In turns: a server closes a connection that was idle for five seconds.
for (let asked = 0; asked < WARM_UP; asked += REQUESTS) {
  for (const server of servers) await ask(server, REQUESTS);
}

/** @type {Record<string, number[]>} */
const costs = Object.fromEntries(servers.map(({ name }) => [name, []]));
const random = seededRandom(1);
for (let round = 0; round < rounds; round += 1) {
  for (const server of drawOrder(servers, random)) {
    costs[server.name].push(await costOf(server, REQUESTS));
  }
}

/** @type {Record<string, { microseconds: object, ratio: object }>} */
const derived = {};
for (const { name } of servers) {
  const ratios = costs[name].map((cost, round) => cost / costs[BASELINE][round]);
  derived[name] = { microseconds: estimate(costs[name]), ratio: estimate(ratios) };
  const { median, low, high } = estimate(ratios);
  const time = estimate(costs[name]).median.toFixed(1);
  console.log(
    `${name.padEnd(21)} ${time.padStart(5)} µs, ratio ${median.toFixed(3)} ` +
      `(${low.toFixed(3)} to ${high.toFixed(3)})`,
  );
}
if (values.machine !== undefined) {
  const folder = new URL(`${values.machine}/`, RESULTS);
  mkdirSync(folder, { recursive: true });
  const command = `node benchmarks/experiments/short-turns.js --machine ${values.machine}`;
  const settings = { rounds, connections: CONNECTIONS, requests: REQUESTS, warmUp: WARM_UP };
  const node = process.version;
  const result = { suite: "short-turns", startedAt, command, node, where, settings, derived };
  writeFileSync(new URL("short-turns.json", folder), `${JSON.stringify(result, null, 2)}\n`);
}
for (const server of servers) leave(server);
await Promise.all(running.map((server) => server.stop()));
