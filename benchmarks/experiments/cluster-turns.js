// turns.js in a cluster: twenty clients come while the only worker is busy,
// and each asks again as soon as it is answered. Prints how many answers the
// worker gives from one connection that it gets to the next, when the primary
// deals connections out, and when the worker takes them in itself:
// node benchmarks/experiments/cluster-turns.js
import { spawn } from "node:child_process";
import cluster from "node:cluster";
import { once } from "node:events";
import { createServer } from "node:net";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";

const clients = 20;

const crowd = `
  const { connect } = require("node:net");
  for (let i = 0; i < ${clients}; i++) {
    const socket = connect(Number(process.argv[1]), "127.0.0.1", () => socket.write("?"));
    socket.on("error", () => {});
    socket.on("data", () => socket.write("?"));
  }
  setTimeout(() => process.exit(), 6000);
`;

/** @param {number} milliseconds */
function compute(milliseconds) {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

/** The worker: it says when it listens, computes, and then what it counted. */
function serve() {
  /** @type {number[]} */
  const answers = [];
  const server = createServer((socket) => {
    answers.push(0);
    socket.on("error", () => {});
    socket.on("data", () => {
      compute(2);
      answers[answers.length - 1]++;
      socket.write("answer");
    });
  });
  server.listen(0, "127.0.0.1", () => {
    process.send?.({ port: /** @type {import("node:net").AddressInfo} */ (server.address()).port });
  });
  process.on("message", async (/** @type {{ compute?: number }} */ message) => {
    if (message.compute === undefined) return;
    compute(message.compute);
    // Far longer than it takes to let twenty in.
    await delay(3000);
    process.send?.({ answers: answers.slice(0, -1) });
  });
}

/**
 * @param {import("node:cluster").Worker} worker
 * @param {string} key
 * @returns {Promise<unknown>} what the worker says of it
 */
function hear(worker, key) {
  return new Promise((resolve) => {
    worker.on("message", (message) => {
      if (key in message) resolve(message[key]);
    });
  });
}

/** @param {string} way how it is called in the output */
async function watch(way) {
  const worker = cluster.fork();
  const port = await hear(worker, "port");
  const told = hear(worker, "answers");
  // All have connected and asked when this is over.
  worker.send({ compute: 800 });
  const child = spawn(process.execPath, ["--eval", crowd, String(port)]);
  const answers = /** @type {number[]} */ (await told);
  child.kill();
  worker.kill("SIGKILL");
  await once(worker, "exit");
  console.log(`${way}: ${answers.join(" ")}`);
  console.log(`before the last was taken in: ${answers.reduce((sum, count) => sum + count, 0)}`);
}

if (cluster.isPrimary) {
  cluster.schedulingPolicy = process.argv[2] === "none" ? cluster.SCHED_NONE : cluster.SCHED_RR;
  if (process.argv[2] === undefined) {
    await watch("dealt by the primary");
    const other = spawn(process.execPath, [process.argv[1], "none"], { stdio: "inherit" });
    await once(other, "exit");
  } else {
    await watch("taken in by the worker");
  }
} else {
  serve();
}
