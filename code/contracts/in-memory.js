/**
 * Takes the network away. What listens in this process after it, and who
 * connects to it, have a pair of streams between them and no socket; nobody
 * notices, and so all contracts run through it as they are.
 *
 *     takeNetworkAway(MemorySocket);
 */
import http from "node:http";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";

/** @import { Duplex } from "node:stream" */

/**
 * @typedef {object} Pairs what makes both ends of a connection
 * @property {() => [client: Duplex, server: Duplex]} pair
 */

/** Ports that no system gives away: a slip would be seen. */
const FIRST_PORT = 1_000_000;

const ORIGINAL = {
  connect: net.connect,
  close: net.Server.prototype.close,
};

/**
 * @typedef {object} Listener
 * @property {net.Server} server
 * @property {number} port
 * @property {Set<Duplex>} open the server's ends
 * @property {NodeJS.Timeout} hold keeps the process running, as who listens does
 */

/**
 * @param {Pairs} pairs
 * @returns {{ connections: number }} counts them
 */
export function takeNetworkAway(pairs) {
  const count = { connections: 0 };
  /** @type {Map<number, Listener>} */
  const byPort = new Map();
  /** @type {WeakMap<net.Server, Listener>} */
  const byServer = new WeakMap();
  let port = FIRST_PORT;

  /** @this {net.Server} @param {any[]} args */
  function listen(...args) {
    port += 1;
    const hold = setInterval(() => {}, 2 ** 30);
    const listener = { server: this, port, open: new Set(), hold };
    byPort.set(port, listener);
    byServer.set(this, listener);
    const callback = args.at(-1);
    if (typeof callback === "function") this.once("listening", callback);
    process.nextTick(() => this.emit("listening"));
    return this;
  }

  /** @this {net.Server} */
  function address() {
    const listener = byServer.get(this);
    if (listener === undefined) return null;
    return { address: "127.0.0.1", family: "IPv4", port: listener.port };
  }

  /** @this {net.Server} @param {any} [callback] */
  function close(callback) {
    const listener = byServer.get(this);
    if (listener === undefined) return ORIGINAL.close.call(this, callback);
    byServer.delete(this);
    byPort.delete(listener.port);
    clearInterval(listener.hold);
    if (callback !== undefined) this.once("close", callback);
    const check = () => {
      if (listener.open.size > 0) return;
      process.nextTick(() => this.emit("close"));
    };
    for (const socket of listener.open) socket.once("close", check);
    check();
    return this;
  }

  /** @param {any[]} args */
  function connect(...args) {
    const [first, host] = args;
    const isObject = typeof first === "object";
    const options = isObject ? first : { port: first, host };
    const listener = byPort.get(Number(options.port));
    if (listener === undefined) {
      return /** @type {any} */ (ORIGINAL.connect)(...args);
    }
    count.connections += 1;
    return open(listener, options, args.at(-1));
  }

  Object.assign(net.Server.prototype, { listen, address, close });
  Object.defineProperty(net.Server.prototype, "listening", {
    configurable: true,
    get() {
      return byServer.has(this);
    },
  });
  const createConnection = connect;
  Object.assign(net, { connect, createConnection });
  Object.assign(http.Agent.prototype, { createConnection });
  syncBuiltinESMExports();
  return count;

  /** @param {Listener} listener @param {any} options @param {any} callback */
  function open({ server, open: sockets }, options, callback) {
    const [client, end] = pairs.pair();
    client.allowHalfOpen = options.allowHalfOpen ?? false;
    if (typeof callback === "function") client.once("connect", callback);
    sockets.add(end);
    end.once("close", () => sockets.delete(end));
    process.nextTick(() => {
      server.emit("connection", end);
      client.emit("connect");
    });
    return client;
  }
}
