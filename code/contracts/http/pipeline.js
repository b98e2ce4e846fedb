// Asks a server two thousand times in one read, reads nothing, and prints
// how many megabytes the process has come to hold for that.
//
//     node pipeline.js URL-OF-A-MILESTONE/lib/engine/index.js
import { once } from "node:events";
import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

const [modulePath = ""] = process.argv.slice(2);
const { createServer } = await import(modulePath);
const { Router } = await import(
  modulePath.replace(/lib\/engine\/index\.js$/, "index.js")
);

const BODY = "x".repeat(100_000);
const REQUEST = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

const router = new Router().get("/", () => BODY);
const server = createServer(router).listen(0, "127.0.0.1");
await once(server, "listening");
const client = net.connect(server.address().port, "127.0.0.1").pause();
await once(client, "connect");
const before = process.resourceUsage().maxRSS;
client.write(REQUEST.repeat(2_000));
await sleep(2_000);
const grown = process.resourceUsage().maxRSS - before;
console.log(Math.ceil(grown / 1024));
process.exit();
