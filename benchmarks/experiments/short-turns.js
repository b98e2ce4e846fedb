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
import { describeMachine } from "../lib/machine.js";
import { connectTo, costsInTurns, keepResult, leave, printCosts, readRounds } from "./asking.js";
import { startServer } from "./servers.js";

/** @import { Asked } from "./asking.js" */

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

const { rounds, machine } = readRounds({ rounds: 200, least: 10 });

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
const settings = { rounds, connections: CONNECTIONS, requests: REQUESTS, warmUp: WARM_UP };
const derived = await costsInTurns(servers, settings);
printCosts(derived);
keepResult(machine, "short-turns", { startedAt, where, settings, derived });
for (const server of servers) leave(server);
await Promise.all(running.map((server) => server.stop()));
