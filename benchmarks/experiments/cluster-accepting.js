// accepting.js of two workers: when they take in their last connection, and how
// long the slowest request took, in each of the three ways in which connections
// come to them; and where the primary deals, once more with clients that are
// all there before the first of them asks. It takes 90 seconds:
// node benchmarks/experiments/cluster-accepting.js
import cluster from "node:cluster";
import { once } from "node:events";
import { createServer } from "node:http";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { formatNumber, formatTable } from "../lib/table.js";
import { load, startServer } from "./servers.js";

/** How long the server computes for each answer, in milliseconds. */
const work = 0.08;
const connections = 256;
/** In each way. */
const RUNS = 5;

const later = fileURLToPath(new URL("../lib/later.lua", import.meta.url));

/**
 * How connections come to workers, how that is called in the output, and wrk's
 * script if it has one.
 *
 * @type {{ way: string, title: string, script?: string }[]}
 */
const ways = [
  { way: "dealt", title: "dealt by the primary" },
  { way: "shared", title: "one socket for both" },
  { way: "reuse-port", title: "a socket each" },
  { way: "dealt", title: "dealt, asked later", script: later },
];

/** Since the system started, so that processes can be compared. */
const now = () => performance.timeOrigin + performance.now();

/**
 * The server: asked for /when, it tells how long after the first connection
 * the last one came.
 *
 * @param {() => Promise<number[]>} takeTimes of all connections since it was
 *   asked before, and forgets them
 * @param {(time: number) => void} note a connection's time
 */
function serve(takeTimes, note) {
  const server = createServer(async (req, res) => {
    if (req.url === "/when") {
      const times = (await takeTimes()).sort((a, b) => a - b);
      // The last one is the one that asks.
      res.end(JSON.stringify(times[times.length - 2] - times[0]));
      return;
    }
    const end = performance.now() + work;
    while (performance.now() < end);
    res.end("hello\n");
  });
  server.on("connection", () => note(now()));
  const port = Number(process.env.PORT);
  server.listen({ port, reusePort: process.argv[2] === "reuse-port" }, () => {
    console.log(`listening on http://localhost:${port}`);
  });
}

/** A worker tells the primary of each connection, and asks it for all. */
function serveAsWorker() {
  const takeTimes = async () => {
    process.send?.({ isAsking: true });
    const [times] = await once(process, "message");
    return times;
  };
  serve(takeTimes, (time) => process.send?.({ time }));
}

/** @param {string} way */
function startWorkers(way) {
  cluster.schedulingPolicy = way === "dealt" ? cluster.SCHED_RR : cluster.SCHED_NONE;
  /** @type {number[]} */
  let times = [];
  for (const worker of [cluster.fork(), cluster.fork()]) {
    worker.on("message", ({ time, isAsking }) => {
      if (time !== undefined) times.push(time);
      if (!isAsking) return;
      worker.send(times);
      times = [];
    });
  }
  process.once("SIGTERM", () => {
    for (const worker of Object.values(cluster.workers ?? {})) worker?.kill("SIGKILL");
    process.exit();
  });
}

/**
 * @param {string} way
 * @param {string} [script] of wrk
 * @returns {Promise<{ accepted: number[], longest: number[] }>} of each run
 */
async function measure(way, script) {
  const server = await startServer("experiments/cluster-accepting.js", {
    args: [way],
    isOnAllCores: true,
  });
  const when = () =>
    fetch(`http://127.0.0.1:${server.port}/when`, { headers: { connection: "close" } });
  const accepted = [];
  const longest = [];
  try {
    await load(server, { connections: 64, seconds: 2, path: "/" });
    await when();
    for (let run = 1; run <= RUNS; run += 1) {
      const { latency } = await load(server, { connections, seconds: 3, path: "/", script });
      accepted.push(await (await when()).json());
      longest.push(latency.max);
    }
    return { accepted, longest };
  } finally {
    await server.stop();
  }
}

async function askWorkers() {
  const runs = Array.from({ length: RUNS }, (_, run) => `run ${run + 1}`);
  const rows = [["in milliseconds", "", ...runs]];
  for (const { way, title, script } of ways) {
    if (process.stderr.isTTY) console.error(title);
    const { accepted, longest } = await measure(way, script);
    rows.push([title, "last accepted", ...accepted.map((time) => formatNumber(time))]);
    rows.push(["", "longest", ...longest.map((time) => formatNumber(time))]);
  }
  const columns = runs.map(() => /** @type {const} */ ("right"));
  console.log(formatTable(rows, ["left", "left", ...columns]));
}

const [, , way] = process.argv;
if (way === undefined) await askWorkers();
else if (cluster.isPrimary) startWorkers(way);
else serveAsWorker();
