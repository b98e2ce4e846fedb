/** A server for realtime.js: `velocy`, `ws` or `http`. Says its port to its parent. */
import http from "node:http";
import { createRequire } from "node:module";
import process from "node:process";

const index = new URL("../../code/ch17-real-time/index.js", import.meta.url);
const { createServer, events, Router, websocket } = await import(index.href);

/** @type {Record<string, () => http.Server>} */
const servers = { velocy: startVelocy, ws: startWs, http: startHttp };
/** @type {Set<{ send(event: object): boolean }>} */
const streams = new Set();

function startVelocy() {
  const router = new Router();
  const echo = (/** @type {any} */ socket) => {
    socket.on("message", (/** @type {any} */ data) => socket.send(data));
  };
  router.get("/echo", websocket(echo));
  router.get("/events", (/** @type {any} */ req, /** @type {any} */ res) => {
    streams.add(events(req, res));
  });
  return createServer(router);
}

function startWs() {
  const require = createRequire(new URL("../../tests/npm/package.json", import.meta.url));
  const name = "ws";
  const { WebSocketServer } = require(name);
  const server = http.createServer();
  const options = { server, path: "/echo", perMessageDeflate: false, maxPayload: 2 ** 20 };
  new WebSocketServer(options).on("connection", (/** @type {any} */ socket) => {
    socket.on("error", () => {});
    socket.on("message", (/** @type {any} */ data, /** @type {boolean} */ binary) => {
      socket.send(data, { binary });
    });
  });
  return server;
}

/** What events cost at least: the same bytes, written by hand. */
function startHttp() {
  return http.createServer((_req, res) => {
    res.writeHead(200, { "content-type": "text/event-stream" });
    res.flushHeaders();
    const text = "id: 7\ndata: rain\n\n";
    streams.add({ send: () => res.write(text) });
  });
}

const server = servers[process.argv[2]]();
server.listen(0, "127.0.0.1", () => {
  process.send?.({ port: /** @type {any} */ (server.address()).port });
});
process.on("message", (/** @type {{ rounds?: number }} */ { rounds = 0 }) => {
  for (let i = 0; i < rounds; i += 1) {
    for (const stream of streams) stream.send({ id: "7", data: "rain" });
  }
  process.send?.({ sent: rounds * streams.size });
});
