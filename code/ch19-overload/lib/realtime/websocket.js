import { show, UsageError } from "../errors.js";
import { isThenable } from "../middleware/chain.js";
import { readOrigins } from "../middleware/origins.js";
import {
  checkLimit,
  checkOptions,
  checkTime,
  checkType,
  refuseUnknown,
} from "../options.js";
import { Request } from "../request/request.js";
import { answerHandshake } from "./handshake.js";
import { Heartbeat } from "./heartbeat.js";
import { ServerSocket } from "./socket.js";

/** @import { Response } from "../response/response.js" */

/**
 * @typedef {object} WebSocketOptions
 * @property {string[]} [origins] whose pages may connect; only those of the
 *   server's own origin unless given
 * @property {string[]} [protocols] the subprotocols that it speaks
 * @property {number} [messageBytes] how large a message may be
 * @property {number} [fragments] of how many frames a message may be
 * @property {number} [bufferedBytes] how many bytes may wait for a client
 * @property {number} [idle] a client that has said nothing for so many
 *   milliseconds, or for up to twice as many, is asked whether it is there
 */

const LIMITS = {
  messageBytes: 1024 * 1024,
  fragments: 10_000,
  bufferedBytes: 1024 * 1024,
};

const DEFAULTS = { origins: null, protocols: [], idle: 30_000, ...LIMITS };

/**
 * Makes the handler of a route that is a WebSocket (RFC 6455).
 *
 * @param {(socket: ServerSocket, req: Request) => unknown} listener gets
 *   each client's socket
 * @param {WebSocketOptions} [options]
 * @throws {UsageError} ERR_OPTIONS_INVALID, ERR_OPTION_UNKNOWN,
 *   ERR_OPTION_INVALID
 */
export function websocket(listener, options = {}) {
  checkType("listener", listener, "function");
  const settings = readOptions(options);
  const heartbeat = new Heartbeat(settings.idle, (each) => each.beat());
  const limits = { ...settings, heartbeat };
  const begin = (req, res, fields) => {
    const parts = handOver(req, res, fields);
    start(new ServerSocket(parts, limits), listener, req);
  };
  return (/** @type {Request} */ req, /** @type {Response} */ res) => {
    const fields = answerHandshake(req, settings);
    res.switchProtocols(fields, () => {
      if (res.statusCode === 101) begin(req, res, fields);
    });
  };
}

function readOptions(options) {
  checkOptions("websocket", options);
  refuseUnknown(options, Object.keys(DEFAULTS));
  const settings = { ...DEFAULTS, ...options };
  for (const name of Object.keys(LIMITS)) checkLimit(name, settings[name]);
  checkTime("idle", settings.idle);
  checkProtocols(settings.protocols);
  const list = settings.origins ?? null;
  const origins = list === null ? null : readOrigins("origins", list);
  return { ...settings, origins };
}

function checkProtocols(value) {
  const isList = Array.isArray(value);
  if (isList && value.every((each) => typeof each === "string")) return;
  const details = ["protocols", "a list of strings", show(value)];
  throw new UsageError("ERR_OPTION_INVALID", ...details);
}

function handOver(req, res, fields) {
  // A response has its socket until `finish`.
  const { socket: connection } = res;
  const protocol = fields["sec-websocket-protocol"] ?? "";
  const tell = teller(connection, req, req.handover.onError);
  return { connection, protocol, tell };
}

// Seven of its fields: the request isn't kept as long as the client stays.
function teller(connection, req, onError) {
  const { method, url, path, params, ip, id, log } = req;
  return (err) => {
    const told = new Request(connection);
    const { signal } = new AbortController();
    const fixed = { ip: { value: ip }, signal: { value: signal } };
    Object.defineProperties(told, fixed);
    Object.assign(told, { method, url, path, params, id, log });
    try {
      onError(err, told);
    } catch (failure) {
      const isError = failure instanceof Error;
      process.emitWarning(isError ? failure : show(failure));
    }
  };
}

// Messages are held until somebody listens, or it is clear that nobody will.
function start(socket, listener, req) {
  const { takeEarly } = req.handover;
  const release = () => socket.release();
  process.nextTick(() => socket.read(takeEarly()));
  const fail = (err) => socket.fail(err);
  try {
    const result = listener(socket, req);
    if (isThenable(result)) result.then(release, fail);
    else process.nextTick(release);
  } catch (err) {
    fail(err);
  }
}
