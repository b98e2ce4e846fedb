/**
 * What a line for each request costs a server: by console's own methods and by
 * chapter 15's logger, into a file and into a pipe.
 *
 *     node benchmarks/experiments/console-log.js [--rounds 200] [--machine NAME]
 *
 * In a round each server gets a few thousand requests, one behind the other on
 * each of 64 connections, in an order that is drawn anew. A ratio to the server
 * that is silent is taken within a round. What is counted is the processor time
 * of the server's process, so Linux alone can run it, not that of whoever reads
 * the pipe. All write to standard error, which is as synchronous as standard
 * output: that one tells that the server listens. The twin is a second process
 * of the silent server.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { describeMachine } from "../lib/machine.js";
import { root } from "../lib/paths.js";
import { connectTo, costsInTurns, keepResult, leave, printCosts, readRounds } from "./asking.js";
import { startServer } from "./servers.js";

/** @import { Asked } from "./asking.js" */

const MILESTONE = path.join(root, "code", "ch15-log", "index.js");
const CONNECTIONS = 64;
/** Of one turn. */
const REQUESTS = 4_000;
/** Until V8 has compiled what it will. */
const WARM_UP = 60_000;
const REQUEST = "GET /hello/Anna HTTP/1.1\r\nHost: localhost:3000\r\n\r\n";

const SERVER = `import { createLogger, createServer, Router } from ${JSON.stringify(MILESTONE)};

const ways = {
  nothing: () => {},
  console: (name) => console.error("hello to", name),
  logger: (name) => logger.info("hello", { name }),
};
const way = process.argv[2];
const logger = way === "logger" && createLogger({ destination: process.stderr });
const write = ways[way];

const router = new Router();
router.get("/hello/:name", (req) => {
  write(req.params.name);
  return "hello\\n";
});
const server = createServer(router).listen(Number(process.env.PORT), () => {
  console.log(\`listening on http://localhost:\${server.address().port}\`);
});
`;

const { rounds, machine } = readRounds({ rounds: 200, least: 10 });

const startedAt = new Date().toISOString();
const where = describeMachine();
const folder = mkdtempSync(path.join(os.tmpdir(), "console-log-"));
const intoFile = (/** @type {string} */ name) => `2> '${path.join(folder, name)}'`;
const intoPipe = "2> >(exec cat > /dev/null)";
const copies = {
  silent: { way: "nothing", where: intoFile("silent") },
  "silent-again": { way: "nothing", where: intoFile("silent-again") },
  "console-file": { way: "console", where: intoFile("console") },
  "console-pipe": { way: "console", where: intoPipe },
  "logger-file": { way: "logger", where: intoFile("logger") },
  "logger-pipe": { way: "logger", where: intoPipe },
};
const program = path.join(folder, "server.mjs");
writeFileSync(program, SERVER);
const running = [];
try {
  /** @type {Asked[]} */
  const servers = [];
  for (const [name, { way, where: target }] of Object.entries(copies)) {
    // The shell becomes Node.js, so that its process is the server's.
    const nodeArgs = ["-c", `exec '${process.execPath}' "$0" "$@" ${target}`];
    const server = await startServer(program, { node: "bash", nodeArgs, args: [way] });
    running.push(server);
    const { pid, port } = server;
    servers.push(await connectTo({ name, pid, port }, REQUEST, CONNECTIONS));
  }
  const settings = { rounds, connections: CONNECTIONS, requests: REQUESTS, warmUp: WARM_UP };
  const derived = await costsInTurns(servers, settings);
  printCosts(derived);
  keepResult(machine, "console-log", { startedAt, where, settings, derived });
  for (const server of servers) leave(server);
} finally {
  await Promise.all(running.map((server) => server.stop()));
  rmSync(folder, { recursive: true });
}
