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
import process from "node:process";
import { describeMachine } from "../lib/machine.js";
import {
  ask,
  connectTo,
  costsInTurns,
  keepResult,
  leave,
  printCosts,
  readRounds,
} from "./asking.js";
import { startServer } from "./servers.js";

/** @import { Asked } from "./asking.js" */
/** @import { Estimate } from "../lib/statistics.js" */

const CONNECTIONS = [4, 64];
/** Of one turn. */
const REQUESTS = 4_000;
/** Until V8 has compiled what it will. */
const WARM_UP = 60_000;
const REQUEST = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
/** Each server's name, and its middleware. The first is the baseline. */
const SERVERS = { bare: "bare", "bare-again": "bare", next: "next", shed: "shed" };

const { rounds, machine } = readRounds({ rounds: 200, least: 10 });

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

keepResult(machine, "gate", { startedAt, where, settings, derived });

/**
 * @param {Asked} server
 * @returns {Promise<number>} how often this process gave its core away
 */
async function sleepsPerRequest(server) {
  const before = process.resourceUsage().voluntaryContextSwitches;
  await ask(server, REQUESTS);
  return (process.resourceUsage().voluntaryContextSwitches - before) / REQUESTS;
}
