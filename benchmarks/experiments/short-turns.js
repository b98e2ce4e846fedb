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
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import net from "node:net";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { describeMachine } from "../lib/machine.js";
import { drawOrder, estimate, seededRandom } from "../lib/statistics.js";

const CONTENDERS = new URL("../contenders/", import.meta.url);
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

/** @typedef {{ name: string, pid: number, clients: net.Socket[], answerBytes: number }} Server */

/**
 * @param {string} name
 * @param {string} program
 */
async function start(name, program) {
  const file = fileURLToPath(new URL(program, CONTENDERS));
  const child = spawn(process.execPath, [file], {
    cwd: fileURLToPath(new URL(".", new URL(program, CONTENDERS))),
    env: { ...process.env, PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  process.once("exit", () => child.kill());
  const [line] = await once(child.stdout, "data");
  const port = Number(/:(\d+)/.exec(`${line}`)?.[1]);
  const clients = await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const client = net.connect({ port, host: "localhost", noDelay: true });
      await once(client, "connect");
      return client;
    }),
  );
  clients[0].write(REQUEST);
  const [answer] = await once(clients[0], "data");
  if (!`${answer}`.startsWith("HTTP/1.1 200")) throw new Error(`${name} answered ${answer}`);
  return { name, pid: Number(child.pid), clients, answerBytes: answer.length };
}

/**
 * The processor time of a process, in microseconds.
 *
 * @param {number} pid
 */
function usedMicroseconds(pid) {
  let nanoseconds = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    nanoseconds += Number(
      readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0],
    );
  }
  return nanoseconds / 1000;
}

/**
 * Sends requests on all connections, each behind the answer to the one before.
 *
 * @param {Server} server
 * @param {number} requests
 * @returns {Promise<void>} when all are answered
 */
function ask({ name, clients, answerBytes }, requests) {
  return new Promise((resolve, reject) => {
    let unsent = requests;
    let unanswered = requests;
    for (const client of clients) {
      let received = 0;
      client.removeAllListeners("data");
      client.on("data", (chunk) => {
        received += chunk.length;
        if (received > answerBytes) reject(new Error(`${name} sent ${received} bytes`));
        if (received < answerBytes) return;
        received = 0;
        unanswered -= 1;
        if (unanswered === 0) resolve();
        if (unsent > 0) {
          unsent -= 1;
          client.write(REQUEST);
        }
      });
      unsent -= 1;
      client.write(REQUEST);
    }
  });
}

/** @param {Server} server */
async function costOf(server) {
  const before = usedMicroseconds(server.pid);
  await ask(server, REQUESTS);
  return (usedMicroseconds(server.pid) - before) / REQUESTS;
}

const startedAt = new Date().toISOString();
const where = describeMachine();
/** @type {Server[]} */
const servers = [];
for (const [name, program] of Object.entries(PROGRAMS)) servers.push(await start(name, program));
for (const server of servers) await ask(server, WARM_UP);

/** @type {Record<string, number[]>} */
const costs = Object.fromEntries(servers.map(({ name }) => [name, []]));
const random = seededRandom(1);
for (let round = 0; round < rounds; round += 1) {
  for (const server of drawOrder(servers, random)) {
    costs[server.name].push(await costOf(server));
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
process.exit();
