/**
 * What chapter 19's shed() costs a route that is fast, where nobody has to
 * wait for long and nobody is refused:
 *
 *     node benchmarks/experiments/gate.js [--rounds 200] [--machine NAME]
 *
 * A server without middleware, one with a middleware that only calls next(),
 * and one with shed() take turns, with few connections and with many. Each
 * connection asks again as soon as it has its answer. What is counted is the
 * processor time of the server's process, so Linux alone can run it. The twin
 * is a second process of the server without middleware. Waking a client that
 * sleeps costs the server's kernel, so it is also counted how often this one
 * has to be woken.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import process from "node:process";
import { parseArgs } from "node:util";
import { describeMachine } from "../lib/machine.js";
import { ask, connectTo, costsInTurns, leave, printCosts } from "./asking.js";
import { startServer } from "./servers.js";

/** @import { Asked } from "./asking.js" */
/** @import { Estimate } from "../lib/statistics.js" */

const RESULTS = new URL("../results/", import.meta.url);
const CONNECTIONS = [4, 64];
/** Of one turn. */
const REQUESTS = 4_000;
/** Until V8 has compiled what it will. */
const WARM_UP = 60_000;
const REQUEST = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
/** Each server's name, and its middleware. The first is the baseline. */
const SERVERS = { bare: "bare", "bare-again": "bare", next: "next", shed: "shed" };

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
const settings = { rounds, requests: REQUESTS, warmUp: WARM_UP };
/**
 * @typedef {object} Cost
 * @property {Estimate} microseconds
 * @property {Estimate} ratio
 * @property {number} [clientSleeps] how often a request finds the client asleep
 */
/** @type {Record<string, Record<string, Cost>>} */
const derived = {};
for (const connections of CONNECTIONS) {
  const running = [];
  /** @type {Asked[]} */
  const servers = [];
  for (const [name, guard] of Object.entries(SERVERS)) {
    const server = await startServer("experiments/gate-server.js", { args: [guard] });
    running.push(server);
    const { pid, port } = server;
    servers.push(await connectTo({ name, pid, port }, REQUEST, connections));
  }
  console.log(`${connections} connections:`);
  derived[connections] = await costsInTurns(servers, settings);
  printCosts(derived[connections]);
  for (const server of servers) {
    const sleeps = await sleepsPerRequest(server);
    derived[connections][server.name].clientSleeps = sleeps;
    console.log(`${server.name.padEnd(21)} ${sleeps.toFixed(3)} times a request the client sleeps`);
    leave(server);
  }
  await Promise.all(running.map((server) => server.stop()));
}

if (values.machine !== undefined) {
  const folder = new URL(`${values.machine}/`, RESULTS);
  mkdirSync(folder, { recursive: true });
  const command = `node benchmarks/experiments/gate.js --machine ${values.machine}`;
  const node = process.version;
  const result = { suite: "gate", startedAt, command, node, where, settings, derived };
  writeFileSync(new URL("gate.json", folder), `${JSON.stringify(result, null, 2)}\n`);
}

/**
 * @param {Asked} server
 * @returns {Promise<number>} how often this process gave its core away
 */
async function sleepsPerRequest(server) {
  const before = process.resourceUsage().voluntaryContextSwitches;
  await ask(server, REQUESTS);
  return (process.resourceUsage().voluntaryContextSwitches - before) / REQUESTS;
}
