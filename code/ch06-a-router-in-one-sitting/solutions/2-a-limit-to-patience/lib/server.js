import http from "node:http";
import { RouteError, show } from "./errors.js";
import { judge } from "./judge.js";
import { limitPatience } from "./patience.js";
import { Request } from "./request.js";
import { Router } from "./router.js";

/** @import { ServerResponse } from "node:http" */
/** @import { Verdict } from "./judge.js" */

/**
 * @callback OnError
 * @param {unknown} err what a handler threw, or rejected with
 * @param {Request} req
 * @returns {void}
 */

/**
 * @typedef {object} OwnOptions
 * @property {OnError} [onError] is told what went wrong in a handler;
 *   otherwise a process warning tells it
 * @property {number} [answerTimeout] how long a handler may take to begin
 *   its answer, in milliseconds; Infinity if not given
 */

/**
 * Makes a node:http server that answers with a router's routes.
 *
 * @param {Router} router
 * @param {http.ServerOptions & OwnOptions} [options] Node's own, and ours
 * @throws {RouteError} ERR_ROUTER_INVALID, ERR_OPTION_INVALID
 */
export function createServer(router, options = {}) {
  if (!(router instanceof Router)) {
    throw new RouteError("ERR_ROUTER_INVALID", show(router));
  }
  const { onError = warn, answerTimeout = Infinity, ...others } = options;
  if (typeof onError !== "function") {
    const details = ["onError", "a function", show(onError)];
    throw new RouteError("ERR_OPTION_INVALID", ...details);
  }
  if (typeof answerTimeout !== "number" || !(answerTimeout > 0)) {
    const expected = "a number of milliseconds above zero";
    const details = ["answerTimeout", expected, show(answerTimeout)];
    throw new RouteError("ERR_OPTION_INVALID", ...details);
  }
  const nodeOptions = { ...others, IncomingMessage: Request };
  return http.createServer(nodeOptions, (req, res) => {
    /** @param {unknown} err */
    const fail = (err) => {
      refuse(res, 500);
      onError(err, req);
    };
    limitPatience(res, answerTimeout, (err) => {
      refuse(res, 503);
      onError(err, req);
    });
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
  const verdict = judge(router, req.method ?? "", req.url ?? "");
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
 * @param {number} statusCode
 */
function refuse(res, statusCode) {
  if (res.writableEnded) return;
  if (res.headersSent) {
    res.destroy();
    return;
  }
  for (const name of res.getHeaderNames()) res.removeHeader(name);
  answerStatus(res, statusCode);
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
