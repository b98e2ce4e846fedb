import http from "node:http";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { show, UsageError } from "../errors.js";
import { checkOptions, checkTime, refuseUnknown } from "../options.js";
import { Router } from "../router/router.js";
import { createServer } from "../server.js";
import { MemorySocket } from "./socket.js";

// As they were when this was loaded, as in socket.js.
const { clearTimeout, setTimeout } = globalThis;

/**
 * Opens a connection in memory to a server, which need not listen.
 *
 * @param {http.Server} server
 * @returns {MemorySocket} the client's end, for bytes of any kind
 */
export function openConnection(server) {
  const [client, serverEnd] = MemorySocket.pair();
  server.emit("connection", serverEnd);
  return client;
}

/**
 * @typedef {object} InjectedRequest
 * @property {string} [method] GET unless given
 * @property {string} [target] as it is to be sent; `/` unless given
 * @property {http.OutgoingHttpHeaders} [headers]
 * @property {string | Uint8Array | Iterable<any> | AsyncIterable<any>}
 *   [body] an iterable of texts or bytes is sent in chunks
 * @property {number} [timeout] milliseconds to the end of the answer; 5000
 *   unless given
 * @property {AbortSignal} [signal] the client leaves when it is aborted
 */

const OPTIONS = [
  "method",
  "target",
  "headers",
  "body",
  "timeout",
  "signal",
];

/**
 * Sends a request to a router, or a server, by a connection in memory.
 *
 * @param {Router | http.Server} to
 * @param {InjectedRequest} [request]
 * @throws {UsageError} ERR_INJECT_INVALID, ERR_OPTIONS_INVALID,
 *   ERR_OPTION_INVALID, ERR_OPTION_UNKNOWN
 * @throws {Error} if the answer is cut (ECONNRESET), late, or goes on
 */
export async function inject(to, request = {}) {
  checkOptions("inject", request);
  refuseUnknown(request, OPTIONS);
  const { method = "GET", target = "/", headers = {} } = request;
  checkHeaders(headers);
  const { timeout = 5000, signal } = request;
  checkTime("timeout", timeout);
  const server = serverOf(to);
  const body = bytesOf(request.body);
  const outgoing = http.request({
    createConnection: () => openConnection(server),
    defaultPort: 80,
    method,
    path: target,
    headers: { ...framingOf(body, headers), ...headers },
    signal,
  });
  const what = `the answer to ${method} ${target}`;
  const late = new Error(`${what} wasn't over after ${timeout} ms`);
  const giveUp = () => outgoing.destroy(late);
  const timer =
    timeout < Infinity ? setTimeout(giveUp, timeout) : undefined;
  return exchange(outgoing, body).finally(() => clearTimeout(timer));
}

function checkHeaders(headers) {
  checkOptions("headers", headers);
  const prototype = Object.getPrototypeOf(headers);
  if (prototype === Object.prototype || prototype === null) return;
  const { name } = headers.constructor ?? {};
  const details = ["headers", "a plain object", `an instance of ${name}`];
  throw new UsageError("ERR_OPTION_INVALID", ...details);
}

function serverOf(to) {
  if (to instanceof Router) return createServer(to);
  if (to instanceof http.Server) return to;
  throw new UsageError("ERR_INJECT_INVALID", show(to));
}

function bytesOf(body) {
  if (typeof body === "string") return Buffer.from(body);
  const iterate = body?.[Symbol.asyncIterator] ?? body?.[Symbol.iterator];
  if (body === undefined || iterate !== undefined) return body;
  const details = ["body", "a string, bytes or an iterable", show(body)];
  throw new UsageError("ERR_OPTION_INVALID", ...details);
}

const FRAMING = /^(content-length|transfer-encoding)$/i;

function framingOf(body, headers) {
  if (body === undefined) return {};
  if (Object.keys(headers).some((name) => FRAMING.test(name))) return {};
  if (body instanceof Uint8Array) return { "content-length": body.length };
  return { "transfer-encoding": "chunked" };
}

function exchange(outgoing, body) {
  return new Promise((resolve, reject) => {
    outgoing.on("response", (res) => read(res).then(resolve, reject));
    // Node's client reads no further here, even if the server refuses.
    const leave = ({ statusCode }, connection) => {
      connection.destroy();
      const what = `the answer ${statusCode} takes the connection over`;
      reject(new Error(`${what}: use openConnection()`));
    };
    outgoing.on("connect", leave).on("upgrade", leave);
    outgoing.on("error", reject);
    if (!outgoing.hasHeader("expect")) sendBody(outgoing, body);
    else outgoing.once("continue", () => sendBody(outgoing, body));
    outgoing.flushHeaders();
  });
}

function sendBody(outgoing, body) {
  if (body === undefined || body instanceof Uint8Array) {
    outgoing.end(body);
    return;
  }
  const source = Readable.from(body, { objectMode: false });
  source.on("error", (err) => outgoing.destroy(err));
  outgoing.once("close", () => source.destroy());
  source.pipe(outgoing);
}

async function read(res) {
  const body = await buffer(res);
  const { statusCode, headers, rawHeaders, trailers } = res;
  const text = () => body.toString();
  const json = () => JSON.parse(text());
  return { statusCode, headers, rawHeaders, trailers, body, text, json };
}
