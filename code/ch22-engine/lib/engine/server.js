import net from "node:net";
import { show, UsageError } from "../errors.js";
import { checkWhole } from "../options.js";
import { asksForTls } from "../tls-options.js";
import { Engine } from "./engine.js";

const MOST_HEAD_BYTES = 16 * 1024;
const MOST_FIELDS = 1_000;

// Those of node:http: times are in milliseconds.
const DEFAULTS = {
  headersTimeout: 60_000,
  requestTimeout: 300_000,
  keepAliveTimeout: 5_000,
  keepAliveTimeoutBuffer: 1_000,
  timeout: 0,
  maxRequestsPerSocket: 0,
  maxHeadersCount: MOST_FIELDS,
};
// Node looks for late clients every half minute.
const INTERVAL = 500;
// setInterval takes no more.
const MOST_TIME = 2 ** 31 - 1;

// Options that have one value here.
const FIXED = {
  httpValidation: "strict",
  insecureHTTPParser: false,
  joinDuplicateHeaders: false,
  optimizeEmptyRequests: false,
  rejectNonStandardBodyWrites: false,
  requireHostHeader: true,
  shouldUpgradeCallback: undefined,
  uniqueHeaders: undefined,
};

/**
 * Makes a server that speaks HTTP/1.1, without node:http's server.
 *
 * @param {any} [options] those of node:http's, and of node:tls's
 * @returns {any} a server of node:net
 * @throws {UsageError} ERR_OPTION_INVALID
 */
export function makeServer(options = {}) {
  checkValues(options);
  const { maxHeaderSize, connectionsCheckingInterval, ...rest } = options;
  const { noDelay = true } = rest;
  const settings = { ...rest, noDelay, allowHalfOpen: true };
  const isSecure = asksForTls(rest);
  /** @type {any} */
  const server = isSecure
    ? makeSecure(settings)
    : net.createServer(settings);
  const isGiven = (name) => rest[name] !== undefined;
  const given = Object.keys(DEFAULTS).filter(isGiven);
  Object.assign(server, DEFAULTS);
  for (const name of given) server[name] = rest[name];
  // A head is a part of its request, and has no more time.
  if (!isGiven("headersTimeout") && server.requestTimeout > 0) {
    const least = Math.min(server.headersTimeout, server.requestTimeout);
    server.headersTimeout = least;
  }
  const limits = {
    headBytes: maxHeaderSize || MOST_HEAD_BYTES,
    get fieldCount() {
      return server.maxHeadersCount || Infinity;
    },
  };
  const interval = connectionsCheckingInterval || INTERVAL;
  const engine = new Engine(server, limits, interval);
  equip(server, engine);
  const name = isSecure ? "secureConnection" : "connection";
  return server.on(name, (socket) => engine.add(socket));
}

function checkValues(options) {
  const others = ["maxHeaderSize", "connectionsCheckingInterval"];
  for (const name of [...Object.keys(DEFAULTS), ...others]) {
    if (options[name] !== undefined) checkWhole(name, options[name]);
  }
  const name = "connectionsCheckingInterval";
  if (options[name] > MOST_TIME) {
    const details = [name, `at most ${MOST_TIME}`, show(options[name])];
    throw new UsageError("ERR_OPTION_INVALID", ...details);
  }
  for (const [name, only] of Object.entries(FIXED)) {
    const value = options[name] ?? only;
    if (value === only) continue;
    const expected = `${only ?? "left out"} on this engine`;
    throw new UsageError("ERR_OPTION_INVALID", name, expected, show(value));
  }
}

function makeSecure(settings) {
  const isChosen = settings.ALPNProtocols || settings.ALPNCallback;
  const offer = isChosen ? {} : { ALPNProtocols: ["http/1.1"] };
  // A server without TLS never loads it.
  const tls = process.getBuiltinModule("node:tls");
  const server = tls.createServer({ ...settings, ...offer });
  // As node:https has it.
  return server.on("tlsClientError", (err, socket) => {
    if (!server.emit("clientError", err, socket)) socket.destroy(err);
  });
}

// What node:http's server can do beyond node:net's.
function equip(server, engine) {
  const { close } = server;
  server.closeAllConnections = () => {
    for (const { socket } of engine.connections) socket.destroy();
  };
  server.closeIdleConnections = () => {
    for (const { state, socket } of engine.connections) {
      if (state === "idle") socket.destroy();
    }
  };
  server.close = (callback) => {
    server.closeIdleConnections();
    return close.call(server, callback);
  };
  server.setTimeout = (milliseconds, listener) => {
    server.timeout = milliseconds;
    if (listener !== undefined) server.on("timeout", listener);
    return server;
  };
}
