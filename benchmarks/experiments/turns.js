// How a busy server takes in connections: twenty clients come while it is
// busy, and each asks again as soon as it is answered. Prints how many answers
// it gives from one connection that it takes in to the next:
// node benchmarks/experiments/turns.js
import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";

const clients = 20;

/** @param {number} milliseconds */
function compute(milliseconds) {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

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

const crowd = `
  const { connect } = require("node:net");
  for (let i = 0; i < ${clients}; i++) {
    const socket = connect(Number(process.argv[1]), "127.0.0.1", () => socket.write("?"));
    socket.on("data", () => socket.write("?"));
  }
  setTimeout(() => process.exit(), 3000);
`;

server.listen(0, "127.0.0.1", async () => {
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  const child = spawn(process.execPath, ["--eval", crowd, String(port)]);
  await delay(20);
  // All have connected and asked when this is over.
  compute(800);
  await delay(1500);
  const all = answers.slice(0, -1);
  console.log(`answers between two connections: ${all.join(" ")}`);
  console.log(`before the last was taken in: ${all.reduce((sum, count) => sum + count, 0)}`);
  child.kill();
  server.close();
  process.exit();
});
