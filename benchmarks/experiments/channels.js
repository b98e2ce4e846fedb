/**
 * What chapter 18's channels cost a request: its server beside a copy that has
 * none, and one where somebody listens to all four.
 *
 *     node benchmarks/experiments/channels.js [--rounds 200] [--machine NAME]
 *
 * In a round each server gets a few thousand requests, one behind the other on
 * each of 64 connections, in an order that is drawn anew. A ratio to the
 * chapter's server is taken within a round. What is counted is the processor
 * time of the server's process, so Linux alone can run it. The twin is a second
 * process of the chapter's server.
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { describeMachine } from "../lib/machine.js";
import { root } from "../lib/paths.js";
import { connectTo, costsInTurns, keepResult, leave, printCosts, readRounds } from "./asking.js";
import { startServer } from "./servers.js";

/** @import { Asked } from "./asking.js" */

const MILESTONE = path.join(root, "code", "ch18-tests");
const CONNECTIONS = 64;
/** Of one turn. */
const REQUESTS = 4_000;
/** Until V8 has compiled what it will. */
const WARM_UP = 60_000;
const REQUEST = "GET /bench/testing?id=10 HTTP/1.1\r\nHost: localhost:3000\r\n\r\n";

const SERVER = `import { createServer, Router } from "./index.js";

const router = new Router();
router.get("/bench/:name", (req) => ({
  name: req.params.name,
  id: req.queryParams.get("id"),
}));
const server = createServer(router).listen(Number(process.env.PORT), () => {
  console.log(\`listening on http://localhost:\${server.address().port}\`);
});
`;
const LISTENERS = `import { subscribe } from "node:diagnostics_channel";

for (const name of ["start", "route", "error", "end"]) {
  subscribe(\`velocy:request:\${name}\`, () => {});
}
`;

/** @type {Record<string, (folder: string) => void>} */
const copies = {
  channels: () => {},
  "channels-again": () => {},
  "no-channels": removeCalls,
  listeners: (folder) => {
    writeFileSync(path.join(folder, "server.js"), LISTENERS + SERVER);
  },
};

const { rounds, machine } = readRounds({ rounds: 200, least: 10 });

const startedAt = new Date().toISOString();
const where = describeMachine();
const temporary = mkdtempSync(path.join(os.tmpdir(), "channels-"));
const running = [];
try {
  /** @type {Asked[]} */
  const servers = [];
  for (const [name, change] of Object.entries(copies)) {
    const folder = path.join(temporary, name);
    copyMilestone(folder);
    change(folder);
    const server = await startServer(path.join(folder, "server.js"));
    running.push(server);
    const { pid, port } = server;
    servers.push(await connectTo({ name, pid, port }, REQUEST, CONNECTIONS));
  }
  const settings = { rounds, connections: CONNECTIONS, requests: REQUESTS, warmUp: WARM_UP };
  const derived = await costsInTurns(servers, settings);
  printCosts(derived);
  keepResult(machine, "channels", { startedAt, where, settings, derived });
  for (const server of servers) leave(server);
} finally {
  await Promise.all(running.map((server) => server.stop()));
  rmSync(temporary, { recursive: true });
}

/** @param {string} folder is made */
function copyMilestone(folder) {
  mkdirSync(folder);
  for (const part of ["package.json", "index.js", "lib"]) {
    cpSync(path.join(MILESTONE, part), path.join(folder, part), { recursive: true });
  }
  writeFileSync(path.join(folder, "server.js"), SERVER);
}

/**
 * Takes the calls out of the server, and not only what they do: a function
 * that does nothing is a call until V8 has compiled it.
 *
 * @param {string} folder
 * @throws {Error} when the server calls another number of times
 */
function removeCalls(folder) {
  const file = path.join(folder, "lib", "server.js");
  const lines = readFileSync(file, "utf8").split("\n");
  const kept = lines.filter((line) => !/^\s*tell(?:Start|Route|Error)\(.*\);$/.test(line));
  const removed = lines.length - kept.length;
  if (removed !== 3) throw new Error(`lib/server.js tells ${removed} times, and should 3 times`);
  writeFileSync(file, kept.join("\n"));
}
