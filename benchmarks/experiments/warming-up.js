/**
 * What a request costs a server that has just been started, until it is warm:
 *
 *     node benchmarks/experiments/warming-up.js [--blocks 5] [--machine NAME]
 *
 * In a block each server is started anew, in an order that is drawn, and asked
 * on 64 connections, each time as soon as it has answered. What is counted is
 * the processor time of the server's process, all threads, V8's compiler
 * among them, between one number of requests and the next. It needs Linux.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import process from "node:process";
import { parseArgs } from "node:util";
import { readContender } from "../lib/contenders.js";
import { describeMachine } from "../lib/machine.js";
import { jsonBody, jsonFields } from "../lib/requests.js";
import { drawOrder, estimate, seededRandom } from "../lib/statistics.js";
import { connectTo, costOf, leave } from "./asking.js";
import { startServer } from "./servers.js";

const RESULTS = new URL("../results/", import.meta.url);
const CONNECTIONS = 64;

/** After how many requests a stretch ends. */
const ENDS = [1_000, 5_000, 20_000, 50_000, 100_000, 150_000];

const HOST = "Host: localhost:3000";

/** @type {Record<string, string>} */
const REQUESTS = {
  get: `GET /bench/testing?id=10 HTTP/1.1\r\n${HOST}\r\n\r\n`,
  json: [
    "POST /bench HTTP/1.1",
    HOST,
    ...jsonFields,
    `Content-Length: ${Buffer.byteLength(jsonBody)}`,
    "",
    jsonBody,
  ].join("\r\n"),
};

/** @type {Record<string, string>} */
const PROGRAMS = {
  "node-http": "node-http/server.js",
  "fastify-documented": "fastify/documented.js",
  "express-documented": "express/documented.js",
  "velocy-documented": "velocy/documented.js",
  "velocy-engine-documented": "velocy/engine-documented.js",
};

const { values } = parseArgs({
  options: {
    blocks: { type: "string", default: "5" },
    machine: { type: "string" },
  },
});
const blocks = Number(values.blocks);
if (!Number.isInteger(blocks) || blocks < 1) {
  throw new RangeError("--blocks must be a whole number, 1 at least");
}

/**
 * @param {string} name
 * @param {string} request
 * @returns {Promise<number[]>} microseconds a request, in each stretch
 */
async function measure(name, request) {
  const running = await startServer(`contenders/${PROGRAMS[name]}`);
  try {
    const { pid, port } = running;
    const server = await connectTo({ name, pid, port }, request, CONNECTIONS);
    const costs = [];
    let asked = 0;
    for (const end of ENDS) {
      costs.push(await costOf(server, end - asked));
      asked = end;
    }
    leave(server);
    return costs;
  } finally {
    await running.stop();
  }
}

const startedAt = new Date().toISOString();
const where = describeMachine();
const random = seededRandom(1);
/** @type {Record<string, Record<string, number[][]>>} by request, server, block */
const costs = {};
for (const what of Object.keys(REQUESTS)) {
  costs[what] = Object.fromEntries(Object.keys(PROGRAMS).map((name) => [name, []]));
}
for (let block = 0; block < blocks; block += 1) {
  for (const [what, request] of Object.entries(REQUESTS)) {
    for (const name of drawOrder(Object.keys(PROGRAMS), random)) {
      costs[what][name].push(await measure(name, request));
    }
  }
}

/** @type {Record<string, Record<string, object[]>>} */
const derived = {};
for (const what of Object.keys(REQUESTS)) {
  derived[what] = {};
  for (const name of Object.keys(PROGRAMS)) {
    const stretches = ENDS.map((requests, i) => {
      const { median, low, high } = estimate(costs[what][name].map((block) => block[i]));
      return { requests, microseconds: { median, low, high } };
    });
    derived[what][name] = stretches;
    const cells = stretches.map(({ microseconds }) => microseconds.median.toFixed(1).padStart(6));
    console.log(`${what.padEnd(4)} ${name.padEnd(24)} ${cells.join(" ")}`);
  }
}
if (values.machine !== undefined) {
  const folder = new URL(`${values.machine}/`, RESULTS);
  mkdirSync(folder, { recursive: true });
  const command = `node benchmarks/experiments/warming-up.js --machine ${values.machine}`;
  const settings = { blocks, connections: CONNECTIONS, ends: ENDS };
  const node = process.version;
  const titles = Object.fromEntries(
    Object.keys(PROGRAMS).map((id) => [id, readContender(id).title]),
  );
  const result = {
    ...{ suite: "warming-up", startedAt, command, node, where, settings, titles },
    ...{ derived, costs },
  };
  writeFileSync(new URL("warming-up.json", folder), `${JSON.stringify(result, null, 2)}\n`);
}
