import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import * as velocy from "velocy";
import { Client } from "./client.js";

const router = new velocy.Router();
router.get("/", () => "hello\n");
router.get("/work", () => sleep(300, "done\n"));
router.get("/never", () => new Promise(() => {}));
router.get("/news", (req, res) => {
  velocy.events(req, res);
});
router.get(
  "/talk",
  velocy.websocket(() => {}),
);

const ask = (path, fields = "") =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${fields}\r\n`;
const UPGRADE =
  "Connection: Upgrade\r\nUpgrade: websocket\r\n" +
  "Sec-WebSocket-Version: 13\r\n" +
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

// What they send before, at that moment, and half a second later.
const CLIENTS = {
  idle: [ask("/")],
  "asks later": [ask("/"), "", ask("/")],
  "asks at once": [ask("/"), ask("/")],
  "under way": [ask("/work")],
  "two under way": [ask("/work") + ask("/work")],
  "half a head": ["GET / HT"],
  silent: [],
  "no answer": [ask("/never")],
  "event stream": [ask("/news")],
  WebSocket: [ask("/talk", UPGRADE)],
};

const server = velocy.createServer(router, {
  connectionsCheckingInterval: 100,
  headersTimeout: 1000,
  keepAliveTimeout: 500,
});
server.listen(0);
await once(server, "listening");

const clients = Object.entries(CLIENTS).map(([name, sent]) => {
  const client = new Client(server.address().port);
  client.send(sent[0]);
  return { name, client, sent };
});
await sleep(150);
for (const { client, sent } of clients) {
  client.watch();
  client.send(sent[1]);
}
if (process.argv[2] === "close") server.close();
else velocy.closeGracefully(server, { deadline: 2000 }).then(console.log);
await sleep(500);
for (const { client, sent } of clients) client.send(sent[2]);
await sleep(2000);
for (const { name, client } of clients) {
  console.log(`${name}:`.padEnd(14), String(client) || "still open");
}
process.exit();
