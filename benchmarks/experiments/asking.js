// What the experiments share that ask a server themselves, on connections of
// their own, and count the processor time of its process. They need Linux.
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import net from "node:net";
import process from "node:process";
import { parseArgs } from "node:util";
import { drawOrder, estimate, seededRandom } from "../lib/statistics.js";

/** @import { Estimate } from "../lib/statistics.js" */

const RESULTS = new URL("../results/", import.meta.url);

/**
 * A server that is asked one thing, on each connection again as soon as it has
 * answered.
 *
 * @typedef {object} Asked
 * @property {string} name
 * @property {number} pid
 * @property {string} request its bytes
 * @property {net.Socket[]} clients
 * @property {number} answerBytes how long each answer is
 */

/**
 * @param {object} server
 * @param {string} server.name
 * @param {number} server.pid
 * @param {number} server.port
 * @param {string} request
 * @param {number} connections
 * @returns {Promise<Asked>} when it has answered once
 * @throws {Error} when its answer isn't a 200
 */
export async function connectTo({ name, pid, port }, request, connections) {
  const clients = await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = net.connect({ port, host: "localhost", noDelay: true });
      await once(client, "connect");
      return client;
    }),
  );
  clients[0].write(request);
  const [answer] = await once(clients[0], "data");
  if (!`${answer}`.startsWith("HTTP/1.1 200")) throw new Error(`${name} answered ${answer}`);
  return { name, pid, request, clients, answerBytes: answer.length };
}

/** @param {Asked} server */
export function leave({ clients }) {
  for (const client of clients) client.removeAllListeners().destroy();
}

/**
 * The processor time of a process, all threads, in microseconds.
 *
 * @param {number} pid
 */
export function usedMicroseconds(pid) {
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
 * @param {Asked} server
 * @param {number} requests
 * @returns {Promise<void>} when all are answered
 * @throws {Error} when the server closes a connection, as it does with one that
 *   was idle for too long
 */
export function ask({ name, request, clients, answerBytes }, requests) {
  return new Promise((resolve, reject) => {
    let unsent = requests;
    let unanswered = requests;
    for (const client of clients) {
      let received = 0;
      client.removeAllListeners();
      client.once("error", reject);
      client.once("close", () => reject(new Error(`${name} closed a connection`)));
      client.on("data", (chunk) => {
        received += chunk.length;
        if (received > answerBytes) reject(new Error(`${name} sent ${received} bytes`));
        if (received < answerBytes) return;
        received = 0;
        unanswered -= 1;
        if (unanswered === 0) resolve();
        if (unsent > 0) {
          unsent -= 1;
          client.write(request);
        }
      });
      unsent -= 1;
      client.write(request);
    }
  });
}

/**
 * What a request costs, in microseconds of processor time.
 *
 * @param {Asked} server
 * @param {number} requests
 */
export async function costOf(server, requests) {
  const before = usedMicroseconds(server.pid);
  await ask(server, requests);
  return (usedMicroseconds(server.pid) - before) / requests;
}

/**
 * What a request costs several servers that take turns, in an order that is
 * drawn anew in each round. A ratio is taken within a round.
 *
 * @param {Asked[]} servers the first is what the others are compared with
 * @param {{ rounds: number, requests: number, warmUp: number }} settings
 *   requests of one turn, and those before the first round
 * @returns {Promise<Record<string, { microseconds: Estimate, ratio: Estimate }>>}
 */
export async function costsInTurns(servers, { rounds, requests, warmUp }) {
  // In turns: a server closes a connection that was idle for five seconds.
  for (let asked = 0; asked < warmUp; asked += requests) {
    for (const server of servers) await ask(server, requests);
  }
  /** @type {Record<string, number[]>} */
  const costs = Object.fromEntries(servers.map(({ name }) => [name, []]));
  const random = seededRandom(1);
  for (let round = 0; round < rounds; round += 1) {
    for (const server of drawOrder(servers, random)) {
      costs[server.name].push(await costOf(server, requests));
    }
  }
  const base = costs[servers[0].name];
  return Object.fromEntries(
    Object.entries(costs).map(([name, all]) => {
      const ratios = all.map((cost, round) => cost / base[round]);
      return [name, { microseconds: estimate(all), ratio: estimate(ratios) }];
    }),
  );
}

/** @param {Record<string, { microseconds: Estimate, ratio: Estimate }>} costs */
export function printCosts(costs) {
  for (const [name, { microseconds, ratio }] of Object.entries(costs)) {
    const { median, low, high } = ratio;
    console.log(
      `${name.padEnd(21)} ${microseconds.median.toFixed(1).padStart(5)} µs, ratio ` +
        `${median.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)})`,
    );
  }
}

/**
 * Reads --rounds and --machine.
 *
 * @param {{ rounds: number, least: number }} defaults
 * @returns {{ rounds: number, machine?: string }}
 * @throws {RangeError} when there would be too few rounds
 */
export function readRounds({ rounds: usual, least }) {
  const { values } = parseArgs({
    options: {
      rounds: { type: "string", default: String(usual) },
      machine: { type: "string" },
    },
  });
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < least) {
    throw new RangeError(`--rounds must be a whole number, ${least} at least`);
  }
  return { rounds, machine: values.machine };
}

/**
 * Writes a result among those of a machine.
 *
 * @param {string | undefined} machine without one nothing is kept
 * @param {string} suite the experiment's name, and the file's
 * @param {object} result
 */
export function keepResult(machine, suite, result) {
  if (machine === undefined) return;
  const folder = new URL(`${machine}/`, RESULTS);
  mkdirSync(folder, { recursive: true });
  const command = `node benchmarks/experiments/${suite}.js --machine ${machine}`;
  const text = JSON.stringify({ suite, command, node: process.version, ...result }, null, 2);
  writeFileSync(new URL(`${suite}.json`, folder), `${text}\n`);
}
