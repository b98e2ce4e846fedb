import http from "node:http";
import { asHttpError, show, UsageError } from "./errors.js";
import { fieldsOf, isThenable, runChain } from "./middleware/chain.js";
import { checkOptions, checkType, refuseMisspelled } from "./options.js";
import { readNetworks } from "./request/address.js";
import { bodyLengthOf, refuseBody } from "./request/body.js";
import { hostOf } from "./request/host.js";
import { Request } from "./request/request.js";
import { watchBody } from "./request/watch.js";
import { Response } from "./response/response.js";
import { send } from "./response/send.js";
import { answerStatus } from "./response/status.js";
import { closeWith } from "./response/waiting.js";
import { Router } from "./router/router.js";

/**
 * @typedef {object} OwnOptions
 * @property {(err: unknown, req: Request) => void} [onError] is told what
 *   nobody answered for; without it a process warning tells it
 * @property {string[]} [proxies] whose X-Forwarded-For is believed
 */

/**
 * Makes a node:http server that answers with a router's routes.
 *
 * @param {Router} router
 * @param {http.ServerOptions & OwnOptions} [options]
 * @throws {UsageError} ERR_ROUTER_INVALID, ERR_OPTIONS_INVALID
 * @throws {UsageError} ERR_OPTION_INVALID, ERR_OPTION_RESERVED,
 *   ERR_OPTION_UNKNOWN
 */
export function createServer(router, options = {}) {
  if (!(router instanceof Router)) {
    throw new UsageError("ERR_ROUTER_INVALID", show(router));
  }
  checkOptions("createServer", options);
  const { onError = warn, proxies, ...nodeOptions } = options;
  checkType("onError", onError, "function");
  refuseMisspelled(options, ["onError", "proxies"]);
  const trusted =
    proxies === undefined ? null : readNetworks("proxies", proxies);
  for (const option of ["IncomingMessage", "ServerResponse"]) {
    if (nodeOptions[option] === undefined) continue;
    throw new UsageError("ERR_OPTION_RESERVED", option);
  }
  const classes = { IncomingMessage: Request, ServerResponse: Response };
  /** @type {http.ServerOptions<any, any>} */
  const ours = { ...nodeOptions, ...classes };
  const server = http.createServer(ours, (req, res) => {
    // After the last answer's head nothing is carried out (RFC 9112, 9.6).
    if (req.socket.writableEnded || req.socket._httpMessage?._last) {
      req.dropBody();
      return;
    }
    req.res = res;
    req.proxies = trusted;
    req.bodyLength = bodyLengthOf(req.rawHeaders);
    const fail = (err) => recover(router, err, req, res, onError);
    watchBody(req, fail);
    // What fails when the answer is there, or nobody waits for it any more.
    const tell = (err) => {
      if (!req.isGivenUp) onError(err, req);
    };
    // A write after the end: without a listener it would end the process.
    res.on("error", tell);
    if (res.socket === null) closeWith(req.socket, res);
    try {
      const sent = settle(answer(router, req, res, { fail, tell }), res);
      if (sent !== undefined) sent.then(undefined, fail);
    } catch (err) {
      fail(err);
    }
  });
  // Whoever reads the body first tells the client to send it.
  return server.on("checkContinue", (req, res) => {
    req.awaitsContinue = true;
    server.emit("request", req, res);
  });
}

function answer(router, req, res, { fail, tell }) {
  const host = hostOf(req.rawHeaders);
  const verdict = router.judge(req.method, req.url, host);
  req.path = verdict.path;
  req.params = verdict.params;
  const { layers } = verdict.chain;
  if (verdict.match === null) {
    const handler = () => answerWithout(verdict, req, res);
    return runChain({ layers, handler, fail, tell }, req, res);
  }
  const { route } = verdict.match;
  req.route = route;
  const handler = req.isTooLarge ? refuseBody : route.handler;
  return runChain({ layers, handler, fail, tell }, req, res);
}

function answerWithout({ statusCode, allow, chain }, req, res) {
  if (statusCode === 404 && chain.notFound !== null) {
    res.status(404);
    return chain.notFound(req, res);
  }
  if (allow.length > 0) res.setHeader("allow", allow.join(", "));
  answerStatus(res, statusCode);
}

// Sends what a handler returned. Where that is a promise, or a stream, what
// comes back is a promise.
function settle(result, res) {
  if (isThenable(result)) {
    return Promise.resolve(result).then((value) => sendResult(value, res));
  }
  return sendResult(result, res);
}

// A handler that returns nothing has answered, or will.
function sendResult(value, res) {
  if (value === undefined || value === res) return undefined;
  return send(res, value);
}

// Answers for what was thrown, and tells `onError` what nobody answered for.
async function recover(router, err, req, res, onError) {
  // What the client broke off, or the signal stopped, is no error.
  const isNoError = isClientReset(err, req) || req.isWhyGivenUp(err);
  if (isNoError) return refuse(res, err);
  let isClientTold = isForClient(err) && !res.headersSent;
  try {
    for (const handler of router.errorHandlers(req.path)) {
      if (await isAnswered(handler, err, req, res)) return;
    }
    refuse(res, err);
  } catch (failure) {
    if (res.headersSent) isClientTold = false;
    const isPlain = refuseAnyhow(res, failure);
    if (failure !== err) onError(failure, req);
    else if (isPlain) isClientTold = false;
  }
  if (!isClientTold) onError(err, req);
}

// An error's own members may have no JSON: then a plain 500 has to do.
function refuseAnyhow(res, err) {
  try {
    refuse(res, err);
    return false;
  } catch {
    refuse(res, null);
    return true;
  }
}

async function isAnswered(handler, err, req, res) {
  if (res.headersSent) return false;
  startAnew(res);
  res.status(asHttpError(err)?.statusCode ?? 500);
  await settle(handler(err, req, res), res);
  return res.headersSent;
}

function isForClient(err) {
  const httpError = asHttpError(err);
  return httpError !== null && httpError.statusCode < 500;
}

// Whether the client broke off. If another stream did, pipeline() has left
// the request without its socket.
function isClientReset(err, req) {
  const isReset = err?.code === "ECONNRESET" && err === req.errored;
  return isReset && req.socket !== null;
}

// Ends a response that its handler can't end. Once the head is sent the
// status can't change any more: cutting the connection is the only way
// left to say that something is missing.
function refuse(res, err) {
  if (res.writableEnded) return;
  if (res.headersSent) {
    // In a pipeline a response may have to wait for its socket, and
    // destroy() alone would not cut the connection when it comes.
    res.once("socket", (socket) => socket.destroy());
    res.destroy();
    return;
  }
  startAnew(res);
  answerError(res, err);
}

// What was set before the handler was called stays. If a guard has failed,
// no handler was called: what was set until then stays.
function startAnew(res) {
  res.outerFields ??= fieldsOf(res);
  // Once a Date or a Connection was removed, Node doesn't send its own.
  for (const name of res.getHeaderNames()) {
    if (name !== "connection") res.removeHeader(name);
  }
  for (const [name, value] of Object.entries(res.outerFields)) {
    res.setHeader(name, Array.isArray(value) ? [...value] : value);
  }
  res.sendDate = true;
  res.statusMessage = "";
}

function answerError(res, err) {
  const httpError = asHttpError(err);
  if (httpError === null) {
    answerStatus(res, 500);
    return;
  }
  const { statusCode, message, headers, members } = httpError;
  for (const [name, value] of Object.entries(headers)) {
    res.setHeader(name, value);
  }
  answerStatus(res, statusCode, message, members);
}

function warn(err) {
  process.emitWarning(err instanceof Error ? err : `thrown: ${show(err)}`);
}
