/** A server for realtime.js: `velocy`, `ws` or `http`. Says its port to its parent. */
import http from "node:http";
import { Session } from "node:inspector/promises";
import { createRequire } from "node:module";
import process from "node:process";
import { getHeapSpaceStatistics } from "node:v8";

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
const inspector = new Session();

/**
 * What the parent asks for, by its name.
 *
 * @type {Record<string, (message: any) => object | Promise<object>>}
 */
const ORDERS = {
  send({ rounds }) {
    for (let i = 0; i < rounds; i += 1) {
      for (const stream of streams) stream.send({ id: "7", data: "rain" });
    }
    return { sent: rounds * streams.size };
  },
  collect() {
    // Twice: the first collection may leave what had a finalizer.
    for (let i = 0; i < 2; i += 1) globalThis.gc?.();
    const { heapUsed, external } = process.memoryUsage();
    return { usedBytes: heapUsed + external };
  },
  nursery() {
    const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space");
    return { nurseryBytes: space?.physical_space_size ?? 0 };
  },
  async startSampling() {
    inspector.connect();
    const includes = {
      includeObjectsCollectedByMajorGC: true,
      includeObjectsCollectedByMinorGC: true,
    };
    await inspector.post("HeapProfiler.enable");
    await inspector.post("HeapProfiler.startSampling", { samplingInterval: 1024, ...includes });
    return {};
  },
  async stopSampling() {
    const { profile } = await inspector.post("HeapProfiler.stopSampling");
    return { allocatedBytes: sizeOf(profile.head) };
  },
};

/** @param {any} node @returns {number} */
function sizeOf({ selfSize, children }) {
  return children.reduce((/** @type {number} */ sum, /** @type {any} */ child) => {
    return sum + sizeOf(child);
  }, selfSize);
}

process.on("message", async (/** @type {{ order: string }} */ message) => {
  process.send?.(await ORDERS[message.order](message));
});
