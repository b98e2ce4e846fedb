import http from "node:http";
import { show, UsageError } from "./errors.js";
import { checkType, refuseMisspelled } from "./options.js";
import { Request } from "./request/request.js";
import { Router } from "./router/router.js";

/** @typedef {(err: unknown, req: Request) => void} OnError */

/**
 * Makes a node:http server that answers with a router's routes.
 *
 * @param {Router} router
 * @param {http.ServerOptions & { onError?: OnError }} [options] `onError`
 *   is told what a handler threw; without it a process warning tells it
 * @throws {UsageError} ERR_ROUTER_INVALID, ERR_OPTIONS_INVALID
 * @throws {UsageError} ERR_OPTION_INVALID, ERR_OPTION_RESERVED,
 *   ERR_OPTION_UNKNOWN
 */
export function createServer(router, options = {}) {
  if (!(router instanceof Router)) {
    throw new UsageError("ERR_ROUTER_INVALID", show(router));
  }
  if (typeof options !== "object" || options === null) {
    throw new UsageError("ERR_OPTIONS_INVALID", show(options));
  }
  const { onError = warn, ...nodeOptions } = options;
  checkType("onError", onError, "function");
  refuseMisspelled(options, ["onError"]);
  if (nodeOptions.IncomingMessage !== undefined) {
    throw new UsageError("ERR_OPTION_RESERVED", "IncomingMessage");
  }
  const ours = { ...nodeOptions, IncomingMessage: Request };
  return http.createServer(ours, (req, res) => {
    const fail = (err) => {
      refuse(res);
      // What the client broke off is no error of the handler's.
      const isClientReset =
        err?.code === "ECONNRESET" && err === req.errored;
      if (!isClientReset) onError(err, req);
    };
    try {
      const result = answer(router, req, res);
      if (isThenable(result)) result.then(undefined, fail);
    } catch (err) {
      fail(err);
    }
  });
}

function answer(router, req, res) {
  const verdict = router.judge(req.method, req.url, req.headers.host);
  if (verdict.match === null) return answerWithout(verdict, res);
  const { route, params } = verdict.match;
  req.path = verdict.path;
  req.params = params;
  req.route = route;
  return route.handler(req, res);
}

function answerWithout({ statusCode, allow }, res) {
  if (allow.length > 0) res.setHeader("allow", allow.join(", "));
  answerStatus(res, statusCode);
}

// Answers with a status and its name.
function answerStatus(res, statusCode) {
  if (statusCode === 204) {
    res.writeHead(204).end();
    return;
  }
  const body = `${http.STATUS_CODES[statusCode]}\n`;
  res.writeHead(statusCode, {
    "content-type": "text/plain; charset=utf-8",
    "content-length": Buffer.byteLength(body),
  });
  res.end(body);
}

// Ends a response that its handler can't end. Once the head is sent the
// status can't change any more: cutting the connection is the only way
// left to say that something is missing.
function refuse(res) {
  if (res.writableEnded) return;
  if (res.headersSent) {
    // In a pipeline a response may have to wait for its socket, and
    // destroy() alone would not cut the connection when it comes.
    res.once("socket", (socket) => socket.destroy());
    res.destroy();
    return;
  }
  // Once a Date or a Connection was removed, Node doesn't send its own.
  for (const name of res.getHeaderNames()) {
    if (name !== "connection") res.removeHeader(name);
  }
  res.sendDate = true;
  res.statusMessage = "";
  answerStatus(res, 500);
}

function isThenable(value) {
  return typeof value?.then === "function";
}

function warn(err) {
  process.emitWarning(err instanceof Error ? err : `thrown: ${show(err)}`);
}
