// Runs in each worker, before the program.
import cluster from "node:cluster";
import { errorMonitor } from "node:events";
import net from "node:net";
import { isMainThread } from "node:worker_threads";
import { UsageError } from "../errors.js";
import { closeGracefully } from "../running/closing.js";
import { connectionsOf } from "../running/connections.js";
import { countRequests, readCounts } from "./counts.js";
import { takeListen } from "./listen.js";
import { keyOf } from "./sockets.js";

// How long a program has for what it does after the last connection.
const LAST_WORDS = 1000;
const CHANGES = ["listening", "close", errorMonitor];
/** @type {Set<net.Server>} those that listen, or want to */
const servers = new Set();
/** @type {Map<string, (() => void)[]>} who waits for a port, by its key */
const waiting = new Map();
// A socket is closed with its server, and can't be opened a second time.
const used = new Set();
let isReady = false;
let isLeaving = false;
/** Whether the program's listeners of SIGTERM have been called. */
let hasSignal = false;
let passBarrier = () => {};

function begin({ places, sharing, deadline, beat }) {
  takeListen((server, address, listen, pipe) => {
    if (pipe !== undefined && sharing !== "round-robin") {
      throw new UsageError("ERR_PIPE_NOT_SHARED", pipe);
    }
    const key = address === null ? "" : keyOf(address);
    const fd = places[key];
    const isPlain = address === null || sharing === "round-robin";
    if (isPlain || used.has(fd)) listen();
    else if (sharing === "reuse-port") listen({ reusePort: true });
    else if (fd !== undefined) {
      used.add(fd);
      listen({ fd });
    } else {
      waiting.set(key, [...(waiting.get(key) ?? []), listen]);
      tell({ want: address });
    }
    // Unless `listen` threw.
    watch(server);
  });
  // Node would end this process at once, with its connections.
  if (cluster.worker) cluster.worker.exitedAfterDisconnect = true;
  const close = (signal) => leave({ deadline, signal });
  process.on("message", (/** @type {any} */ message) => {
    const velocy = message?.velocy;
    if (velocy === "leave") close();
    if (velocy === "barrier") passBarrier();
    if (velocy?.alone !== undefined) listenAlone(velocy.alone);
  });
  process.on("disconnect", close);
  process.on("SIGTERM", close);
  // The supervisor died while this process started.
  if (!process.connected) close();
  // When the supervisor is dead nobody reads what we write.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", () => {});
  }
  // A terminal tells all of us. The supervisor decides.
  process.on("SIGINT", () => {});
  process.on("SIGHUP", () => {});
  setInterval(() => {
    if (isReady) tell({ beat: readCounts() });
  }, beat).unref();
}

// The supervisor couldn't open that port.
function listenAlone(key) {
  const all = waiting.get(key) ?? [];
  waiting.delete(key);
  for (const listen of all) listen();
}

function watch(server) {
  if (servers.has(server)) return;
  servers.add(server);
  process.channel?.ref();
  connectionsOf(server);
  const look = () => {
    if (!server.listening) {
      servers.delete(server);
      for (const name of CHANGES) server.off(name, look);
    }
    // An error that nobody listens to ends the process before that.
    setImmediate(noteReady);
  };
  for (const name of CHANGES) server.on(name, look);
}

function noteReady() {
  const all = [...servers];
  const areAll = all.length > 0 && all.every((each) => each.listening);
  if (isLeaving) return;
  // A program whose last server has closed may end.
  if (all.length === 0) process.channel?.unref();
  if (!areAll || isReady) return;
  isReady = true;
  tell({ ready: true });
}

async function leave({ deadline, signal }) {
  if (signal === "SIGTERM") hasSignal = true;
  if (isLeaving) return;
  isLeaving = true;
  process.channel?.ref();
  // Also when the supervisor says nothing any more.
  setTimeout(() => process.exit(), deadline + 2 * LAST_WORDS).unref();
  const isAlone = process.listenerCount("SIGTERM") === 1;
  const closed = Array.from(servers, (server) => {
    server.prependListener("request", (_req, res) => {
      res.shouldKeepAlive = false;
    });
    return closeGracefully(server, { deadline });
  });
  // After it no connection can come from the supervisor any more.
  if (cluster.isWorker && process.connected) await barrier();
  await Promise.all(closed);
  await tell({ beat: readCounts() });
  goOn(isAlone);
}

function barrier() {
  tell({ barrier: true });
  return new Promise((resolve) => {
    passBarrier = () => resolve(undefined);
    process.once("disconnect", passBarrier);
  });
}

// The program may have its own way to end, which is its SIGTERM.
function goOn(isAlone) {
  if (isAlone) process.exit();
  if (!hasSignal) process.emit("SIGTERM", "SIGTERM");
  if (process.connected) process.disconnect();
  setTimeout(() => process.exit(), LAST_WORDS).unref();
}

async function tell(message) {
  if (!process.connected) return;
  await new Promise((done) => process.send?.({ velocy: message }, done));
}

const note = process.env.VELOCY_WORKER;
// Processes that the program starts are none of ours.
delete process.env.VELOCY_WORKER;
if (note !== undefined && isMainThread) {
  globalThis[Symbol.for("velocy.worker")] = true;
  countRequests();
  begin(JSON.parse(note));
}
