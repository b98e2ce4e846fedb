/** @import { ServerResponse } from "node:http" */

/** A handler has not begun its answer in time. */
export class AnswerTimeoutError extends Error {
  name = "AnswerTimeoutError";
  code = "ERR_ANSWER_TIMEOUT";

  /** @param {number} limit milliseconds */
  constructor(limit) {
    super(`the handler had not begun its answer after ${limit} ms`);
  }
}

/**
 * Waits for a response to begin.
 *
 * @param {ServerResponse} res
 * @param {number | undefined} limit milliseconds; undefined for ever
 * @param {(err: AnswerTimeoutError) => void} giveUp is to answer in the
 *   handler's place; what the handler does after that has no effect
 */
export function limitPatience(res, limit, giveUp) {
  if (limit === undefined) return;
  const timer = setTimeout(() => {
    if (res.headersSent) return;
    giveUp(new AnswerTimeoutError(limit));
    Object.assign(res, DEAF);
  }, limit);
  // It comes for every response: finished, or broken off.
  res.once("close", () => clearTimeout(timer));
}

/**
 * What Node's own methods would throw at a handler that is too late, or
 * emit as an error that nobody listens to.
 */
const DEAF = {
  writeHead: returnThis,
  setHeader: returnThis,
  setHeaders: returnThis,
  appendHeader: returnThis,
  removeHeader: returnThis,
  flushHeaders: returnThis,
  write: () => true,
  end: returnThis,
};

/** @this {ServerResponse} */
function returnThis() {
  return this;
}
