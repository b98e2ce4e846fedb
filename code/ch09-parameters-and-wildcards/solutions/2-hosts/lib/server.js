import http from "node:http";
import { RouteError, show } from "./errors.js";
import { judge } from "./judge.js";
import { Request } from "./request.js";
import { Router } from "./router.js";

/** @import { ServerResponse } from "node:http" */
/** @import { Verdict } from "./judge.js" */

/**
 * @callback OnError
 * @param {unknown} err what a handler threw, or rejected with
 * @param {Request} req
 * @returns {void} and must not throw
 */

/**
 * Makes a node:http server that answers with a router's routes.
 *
 * @param {Router} router
 * @param {http.ServerOptions & { onError?: OnError }} [options] Node's own,
 *   and `onError`, which is told what went wrong in a handler (otherwise a
 *   process warning tells it)
 * @throws {RouteError} ERR_ROUTER_INVALID, ERR_OPTION_INVALID
 */
export function createServer(router, options = {}) {
  if (!(router instanceof Router)) {
    throw new RouteError("ERR_ROUTER_INVALID", show(router));
  }
  const { onError = warn, ...others } = options;
  if (typeof onError !== "function") {
    const details = ["onError", "a function", show(onError)];
    throw new RouteError("ERR_OPTION_INVALID", ...details);
  }
  const nodeOptions = { ...others, IncomingMessage: Request };
  return http.createServer(nodeOptions, (req, res) => {
    /** @param {unknown} err */
    const fail = (err) => {
      refuse(res);
      onError(err, req);
    };
    try {
      const result = answer(router, req, res);
      if (isThenable(result)) result.then(undefined, fail);
    } catch (err) {
      fail(err);
    }
  });
}

/**
 * @param {Router} router
 * @param {Request} req
 * @param {ServerResponse} res
 * @returns {unknown} what the handler returns
 */
function answer(router, req, res) {
  const { method = "", url = "", headers } = req;
  const verdict = judge(router, method, url, headers.host);
  if (verdict.match === null) return answerWithout(verdict, res);
  req.path = verdict.path;
  req.params = verdict.match.params;
  return verdict.match.handler(req, res);
}

/**
 * @param {Verdict} verdict
 * @param {ServerResponse} res
 */
function answerWithout({ statusCode, allow }, res) {
  if (allow.length > 0) res.setHeader("allow", allow.join(", "));
  answerStatus(res, statusCode);
}

/**
 * Answers with a status and its name.
 *
 * @param {ServerResponse} res
 * @param {number} statusCode
 */
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

/**
 * Ends a response that its handler can't end. Once the head is sent the
 * status can't change any more: cutting the connection is the only way
 * left to say that something is missing.
 *
 * @param {ServerResponse} res
 */
function refuse(res) {
  if (res.writableEnded) return;
  if (res.headersSent) {
    res.req.socket.destroy();
    return;
  }
  for (const name of res.getHeaderNames()) res.removeHeader(name);
  res.statusMessage = "";
  answerStatus(res, 500);
}

/**
 * @param {unknown} value
 * @returns {value is PromiseLike<unknown>}
 */
function isThenable(value) {
  const { then } = /** @type {any} */ (value ?? {});
  return typeof then === "function";
}

/** @param {unknown} err */
function warn(err) {
  process.emitWarning(err instanceof Error ? err : `thrown: ${show(err)}`);
}
