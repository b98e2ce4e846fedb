import { once } from "node:events";
import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Router } from "velocy";
import { createServer } from "velocy/engine";

const MOST = 2_000;
const answer = "x".repeat(100_000);
let count = 0;
const router = new Router().get("/", () => {
  count += 1;
  return answer;
});
const server = createServer(router).listen(0);
await once(server, "listening");
const client = net.connect(server.address().port);
client.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".repeat(MOST));
await sleep(1_000);
console.log(count > 500 ? "hundreds of answers wait" : "few answers wait");
client.resume();
while (count < MOST) await sleep(50);
console.log("all were answered");
client.destroy();
server.close();
