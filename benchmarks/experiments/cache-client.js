/**
 * The client that stands in C's place: 50 connections, one request under way
 * on each.
 *
 *     node benchmarks/experiments/cache-client.js PORT set|get SECONDS [--delay]
 *
 * Prints how many were answered, and how long the client itself was busy.
 */
import { once } from "node:events";
import { connect } from "node:net";
import process from "node:process";

const [port, what, seconds, delay] = process.argv.slice(2);
const CONNECTIONS = 50;
const WARM_UP = 700;
const set = "set key:00000001 0 0 3\r\nabc\r\n";
const text = what === "set" ? set : "get key:00000001\r\n";
const ending = what === "set" ? "\r\n" : "END\r\n";

let answered = 0;
const noDelay = delay === undefined;
const sockets = Array.from({ length: CONNECTIONS }, () =>
  connect({ port: Number(port), host: "127.0.0.1", noDelay }),
);
await Promise.all(sockets.map((socket) => once(socket, "connect")));
const [first] = sockets;
first.write(set);
await once(first, "data");
for (const socket of sockets) {
  let rest = "";
  socket.on("data", (bytes) => {
    rest += bytes.toString("latin1");
    if (!rest.endsWith(ending) && !rest.startsWith("ERROR")) return;
    rest = "";
    answered++;
    socket.write(text);
  });
  socket.write(text);
}

process.on("message", () => process.exit());
setTimeout(() => {
  const before = answered;
  const start = performance.now();
  const cpu = process.cpuUsage();
  process.send?.({ at: "start" });
  setTimeout(() => {
    const took = (performance.now() - start) / 1000;
    const { user, system } = process.cpuUsage(cpu);
    const busy = (user + system) / 1e6 / took;
    process.send?.({ at: "end", answered: answered - before, took, busy });
  }, Number(seconds) * 1000);
}, WARM_UP);
