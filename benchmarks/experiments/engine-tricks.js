/**
 * What each trick of chapter 22's engine saves: the engine beside copies of
 * itself, each with one of the tricks undone.
 *
 *     node benchmarks/experiments/engine-tricks.js [--rounds 60] [--machine NAME]
 *
 * In a round each copy gets a few thousand requests, one behind the other on
 * each of 64 connections, in an order that is drawn anew. A ratio to the engine
 * is taken within a round. What is counted is the processor time of the
 * server's process, all threads, as the kernel's scheduler has it, so Linux
 * alone can run it. The twin is a copy in which nothing is undone. All of them
 * are asked in three ways: with one field, with the ten of a browser, and with
 * eight requests in one piece.
 */
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { toTable } from "../charts/tricks.js";
import { describeMachine } from "../lib/machine.js";
import { browserFields } from "../lib/requests.js";
import { drawOrder, estimate, seededRandom } from "../lib/statistics.js";
import { formatTable } from "../lib/table.js";
import { makeCopy, tricks } from "../lib/undone.js";
import { ask, connectTo, costOf, keepResult, leave, readRounds } from "./asking.js";
import { startServer } from "./servers.js";

/** @import { Asked } from "./asking.js" */
/** @import { Estimate } from "../lib/statistics.js" */

const CONNECTIONS = 64;
/** Of one turn. */
const REQUESTS = 2_000;
/** Of each way to ask, until V8 has compiled what it will. */
const WARM_UP = 40_000;
const AT_ONCE = 8;
const HEAD = "GET /bench/testing?id=10 HTTP/1.1\r\nHost: localhost:3000\r\n";

/** How a server is asked: what is sent, and how many requests that is. */
const WAYS = {
  "one-field": { request: `${HEAD}\r\n`, count: 1 },
  "ten-fields": { request: `${HEAD}${browserFields.join("\r\n")}\r\n\r\n`, count: 1 },
  "eight-at-once": { request: `${HEAD}\r\n`, count: AT_ONCE },
};
const copies = [
  { name: "engine", title: "the engine as it is", changes: [] },
  { name: "engine-again", title: "the engine again: noise", changes: [] },
  ...tricks,
];

const { rounds, machine } = readRounds({ rounds: 60, least: 3 });

/**
 * @param {{ pid: number, port: number }} server
 * @param {string} name
 * @param {keyof typeof WAYS} way
 * @returns {Promise<Asked>}
 */
async function connectBy({ pid, port }, name, way) {
  const { request, count } = WAYS[way];
  const asked = await connectTo({ name, pid, port }, request, CONNECTIONS);
  const answerBytes = asked.answerBytes * count;
  return { ...asked, request: request.repeat(count), answerBytes };
}

/**
 * @param {keyof typeof WAYS} way
 * @param {{ pid: number, port: number }[]} running in the order of `copies`
 * @returns {Promise<Record<string, { microseconds: Estimate, ratio: Estimate }>>}
 */
async function compareBy(way, running) {
  const { count } = WAYS[way];
  /** @type {Asked[]} */
  const servers = [];
  for (const [i, server] of running.entries()) {
    servers.push(await connectBy(server, copies[i].name, way));
  }
  const pieces = REQUESTS / count;
  for (let asked = 0; asked < WARM_UP; asked += REQUESTS) {
    for (const server of servers) await ask(server, pieces);
  }
  /** @type {Record<string, number[]>} */
  const costs = Object.fromEntries(copies.map(({ name }) => [name, []]));
  const random = seededRandom(1);
  for (let round = 1; round <= rounds; round += 1) {
    for (const server of drawOrder(servers, random)) {
      costs[server.name].push((await costOf(server, pieces)) / count);
    }
    if (round % 25 === 0) console.error(`${way}: round ${round} of ${rounds}`);
  }
  for (const server of servers) leave(server);
  return Object.fromEntries(
    copies.map(({ name }) => {
      const ratios = costs[name].map((cost, round) => cost / costs.engine[round]);
      return [name, { microseconds: estimate(costs[name]), ratio: estimate(ratios) }];
    }),
  );
}

const startedAt = new Date().toISOString();
const where = describeMachine();
const folder = mkdtempSync(path.join(os.tmpdir(), "engine-tricks-"));
const running = [];
try {
  for (const { name, changes } of copies) {
    running.push(await startServer(makeCopy(path.join(folder, name), changes)));
  }
  /** @type {Record<string, Awaited<ReturnType<typeof compareBy>>>} */
  const derived = {};
  for (const way of /** @type {(keyof typeof WAYS)[]} */ (Object.keys(WAYS))) {
    derived[way] = await compareBy(way, running);
  }
  const titles = Object.fromEntries(copies.map(({ name, title }) => [name, title]));
  const settings = { rounds, connections: CONNECTIONS, requests: REQUESTS, warmUp: WARM_UP };
  const table = toTable({ titles, derived });
  console.log(formatTable(table, ["left", "right", "right", "right"]));
  keepResult(machine, "engine-tricks", { startedAt, where, settings, titles, derived });
} finally {
  await Promise.all(running.map((server) => server.stop()));
  rmSync(folder, { recursive: true });
}
