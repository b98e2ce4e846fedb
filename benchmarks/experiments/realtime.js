/**
 * Chapter 17's WebSockets beside the package ws, and its events beside
 * node:http writing the same bytes:
 *
 *     node benchmarks/experiments/realtime.js [--idle 10000] [--readers 5000]
 *       [--seconds 3] [--blocks 5] [--machine NAME]
 *
 * Processor time is that of the server's process. Within a block the servers
 * take turns, each in a fresh process. Linux only: it reads /proc. Ten
 * thousand clients need as many descriptors (`ulimit -n`).
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import net from "node:net";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { ensureDependencies } from "../../tools/lib/setup.js";
import { describeMachine } from "../lib/machine.js";

const SERVER = fileURLToPath(new URL("realtime-server.js", import.meta.url));
const RESULTS = new URL("../results/", import.meta.url);
/** As a browser draws one. A mask of zeros would spare ws its work. */
const MASK = [0x37, 0xfa, 0x21, 0x3d];
/** A tick of the kernel's clock, in microseconds. */
const TICK = 10_000;
const UPGRADE =
  "GET /echo HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n" +
  "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
const EVENTS = "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n";

const { values } = parseArgs({
  options: {
    idle: { type: "string", default: "10000" },
    readers: { type: "string", default: "5000" },
    seconds: { type: "string", default: "3" },
    blocks: { type: "string", default: "5" },
    machine: { type: "string" },
  },
});
const [idle, readers, seconds, blocks] = [
  values.idle,
  values.readers,
  values.seconds,
  values.blocks,
].map(Number);

/** @param {number} pid */
function usedMicroseconds(pid) {
  const [, rest] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
  const fields = rest.split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK;
}

/** @param {number} pid */
function residentBytes(pid) {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024;
}

/** @param {number} port @param {string} request */
async function connect(port, request) {
  const socket = net.connect({ port, host: "127.0.0.1", noDelay: true });
  socket.write(request);
  await once(socket, "data");
  return socket;
}

/** @param {number} port @param {string} request @param {number} count */
async function connectMany(port, request, count) {
  const sockets = [];
  while (sockets.length < count) {
    const some = Math.min(200, count - sockets.length);
    sockets.push(
      ...(await Promise.all(Array.from({ length: some }, () => connect(port, request)))),
    );
  }
  return sockets;
}

/**
 * Runs a server for as long as `use` takes.
 *
 * @param {string} kind
 * @param {(port: number, server: import("node:child_process").ChildProcess) => Promise<number>} use
 * @param {string[]} [execArgv] Node's own options
 */
async function withServer(kind, use, execArgv = []) {
  const server = fork(SERVER, [kind], { execArgv });
  const [{ port }] = await once(server, "message");
  try {
    return await use(port, server);
  } finally {
    server.kill();
  }
}

/** @param {number} bytes @param {number} window messages under way on each connection */
const perMessage =
  (bytes, window) => async (/** @type {number} */ port, /** @type {any} */ server) => {
    const length = bytes < 126 ? [0x80 | bytes] : [0xfe, bytes >> 8, bytes & 0xff];
    const frame = Buffer.from([0x82, ...length, ...MASK, ...Buffer.alloc(bytes)]);
    const batch = Buffer.concat(new Array(window).fill(frame));
    const expected = (bytes + (bytes < 126 ? 2 : 4)) * window;
    const sockets = await connectMany(port, UPGRADE, 32);
    let messages = 0;
    for (const socket of sockets) {
      let received = 0;
      socket.on("data", (chunk) => {
        received += chunk.length;
        if (received < expected) return;
        received = 0;
        messages += window;
        socket.write(batch);
      });
      socket.write(batch);
    }
    await sleep(1000);
    const [before, used] = [messages, usedMicroseconds(server.pid)];
    await sleep(seconds * 1000);
    const result = (usedMicroseconds(server.pid) - used) / (messages - before);
    for (const socket of sockets) socket.destroy();
    return result;
  };

/** @param {number} port @param {any} server */
async function perIdleClient(port, server) {
  const before = residentBytes(server.pid);
  const sockets = await connectMany(port, UPGRADE, idle);
  await sleep(3000);
  const result = (residentBytes(server.pid) - before) / idle;
  for (const socket of sockets) socket.destroy();
  return result;
}

/**
 * Where V8 makes new objects: it grows in steps, for the process and not for a
 * client.
 *
 * @param {number} port @param {any} server
 */
async function nurseryForIdle(port, server) {
  const sockets = await connectMany(port, UPGRADE, idle);
  await sleep(1000);
  const { nurseryBytes } = await ask(server, { order: "nursery" });
  for (const socket of sockets) socket.destroy();
  return nurseryBytes;
}

/**
 * What each client keeps, without what V8 hasn't collected yet.
 *
 * @param {number} port @param {any} server
 */
async function keptByIdleClient(port, server) {
  const { usedBytes: before } = await ask(server, { order: "collect" });
  const sockets = await connectMany(port, UPGRADE, idle);
  await sleep(1000);
  const { usedBytes } = await ask(server, { order: "collect" });
  for (const socket of sockets) socket.destroy();
  return (usedBytes - before) / idle;
}

/**
 * What is allocated for each client, kept or not.
 *
 * @param {number} port @param {any} server
 */
async function allocatedByHandshake(port, server) {
  await ask(server, { order: "startSampling" });
  const sockets = await connectMany(port, UPGRADE, idle);
  const { allocatedBytes } = await ask(server, { order: "stopSampling" });
  for (const socket of sockets) socket.destroy();
  return allocatedBytes / idle;
}

/** @param {any} server @param {{ order: string, rounds?: number }} order */
async function ask(server, order) {
  server.send(order);
  const [answer] = await once(server, "message");
  return answer;
}

/** @param {number} port @param {any} server */
async function perEvent(port, server) {
  const sockets = await connectMany(port, EVENTS, readers);
  for (const socket of sockets) socket.resume();
  const send = async (/** @type {number} */ rounds) => {
    const { sent } = await ask(server, { order: "send", rounds });
    await sleep(500);
    return sent;
  };
  await send(5);
  const used = usedMicroseconds(server.pid);
  let sent = 0;
  for (let i = 0; i < 20; i += 1) sent += await send(1);
  const result = (usedMicroseconds(server.pid) - used) / sent;
  for (const socket of sockets) socket.destroy();
  return result;
}

/**
 * What is measured, in which unit, of which servers, ours first, and with which
 * of Node's options.
 *
 * @type {{ name: string, unit: string, kinds: string[], use: (port: number, server: any) =>
 *   Promise<number>, execArgv?: string[] }[]}
 */
const MEASURES = [
  { name: "message16", unit: "µs", kinds: ["velocy", "ws"], use: perMessage(16, 1) },
  { name: "message16pipelined", unit: "µs", kinds: ["velocy", "ws"], use: perMessage(16, 50) },
  { name: "message1024", unit: "µs", kinds: ["velocy", "ws"], use: perMessage(1024, 1) },
  { name: "message65000", unit: "µs", kinds: ["velocy", "ws"], use: perMessage(65_000, 1) },
  { name: "idleClient", unit: "bytes", kinds: ["velocy", "ws"], use: perIdleClient },
  {
    name: "idleClientKept",
    unit: "bytes",
    kinds: ["velocy", "ws"],
    use: keptByIdleClient,
    execArgv: ["--expose-gc"],
  },
  { name: "idleNursery", unit: "bytes", kinds: ["velocy", "ws"], use: nurseryForIdle },
  {
    name: "handshakeAllocated",
    unit: "bytes",
    kinds: ["velocy", "ws"],
    use: allocatedByHandshake,
  },
  { name: "event", unit: "µs", kinds: ["velocy", "http"], use: perEvent },
];

/** @param {number[]} list */
const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];

const npm = fileURLToPath(new URL("../../tests/npm/", import.meta.url));
await ensureDependencies(npm, "Installing npm's clients for tests/npm");
const startedAt = new Date().toISOString();
/** @type {Record<string, any>} */
const measured = {};
for (const { name, unit, kinds, use, execArgv } of MEASURES) {
  /** @type {Record<string, number[]>} */
  const runs = Object.fromEntries(kinds.map((kind) => [kind, []]));
  for (let block = 0; block < blocks; block += 1) {
    const order = block % 2 === 0 ? kinds : kinds.toReversed();
    for (const kind of order) runs[kind].push(await withServer(kind, use, execArgv));
  }
  const medians = Object.fromEntries(kinds.map((kind) => [kind, median(runs[kind])]));
  const ratio = medians[kinds[0]] / medians[kinds[1]];
  measured[name] = { unit, medians, ratio, runs };
  const list = kinds.map((kind) => `${kind} ${medians[kind].toFixed(2)} ${unit}`);
  console.log(`${name}: ${list.join(", ")}, ratio ${ratio.toFixed(2)}`);
}
if (values.machine !== undefined) {
  const folder = new URL(`${values.machine}/`, RESULTS);
  mkdirSync(folder, { recursive: true });
  const command = `node benchmarks/experiments/realtime.js --machine ${values.machine}`;
  const where = describeMachine();
  const [node, suite] = [process.version, "realtime"];
  const result = { suite, startedAt, command, node, where, idle, readers, blocks, measured };
  writeFileSync(new URL("realtime.json", folder), `${JSON.stringify(result, null, 2)}\n`);
}
process.exit();
