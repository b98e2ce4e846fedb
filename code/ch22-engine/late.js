import { once } from "node:events";
import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Router } from "velocy";
import { createServer } from "velocy/engine";

const answer = "x".repeat(30_000_000);
const router = new Router().get("/", () => answer);
const server = createServer(router, {
  keepAliveTimeout: 100,
  keepAliveTimeoutBuffer: 0,
  timeout: 200,
  connectionsCheckingInterval: 50,
});
server.listen(0);
await once(server, "listening");
const client = net.connect(server.address().port);
client.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
await sleep(1_000);
let length = 0;
for await (const chunk of client) length += chunk.length;
console.log(length > answer.length ? "all of it" : "cut off");
server.close();
