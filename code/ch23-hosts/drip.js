import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { makeServer } from "./lib/engine/server.js";

const server = makeServer().listen(0);
const head = `GET / HTTP/1.1\r\nHost: x\r\nX: ${"a".repeat(50)}`;
const sockets = Array.from({ length: 1_000 }, () => {
  return net.connect(server.address().port).on("error", () => {});
});
await sleep(500);
const before = process.memoryUsage().rss;
for (const byte of head) {
  for (const socket of sockets) socket.write(byte);
  await sleep(10);
}
const grown = (process.memoryUsage().rss - before) / 1_000;
console.log(`less than 64 KiB for each client: ${grown < 65_536}`);
process.exit();
