import { HttpError, show, UsageError } from "../errors.js";
import { isThenable } from "./chain.js";

/** @import { Middleware } from "./chain.js" */

// setTimeout takes no more.
const MOST = 2 ** 31 - 1;

/**
 * Answers 503 if no answer has begun in time; cuts one that has begun and
 * isn't all written. What is inside learns of it by `req.signal`.
 *
 * @param {number} timeout in milliseconds
 * @returns {Middleware}
 * @throws {UsageError} ERR_OPTION_INVALID
 */
export function deadline(timeout) {
  if (!Number.isInteger(timeout) || timeout < 1 || timeout > MOST) {
    const expected = `milliseconds, from 1 to ${MOST}`;
    const details = ["timeout", expected, show(timeout)];
    throw new UsageError("ERR_OPTION_INVALID", ...details);
  }
  // No late write to the socket may get into the next answer.
  const headers = { connection: "close" };
  return (req, res, next) => {
    // A guard took so long that the client has left.
    if (res.closed) return next();
    let giveError = next;
    const timer = setTimeout(() => {
      // It may be the client that takes its time.
      if (res.writableEnded) return;
      req.isTimedOut = true;
      giveError(new HttpError(503, undefined, { headers }));
      req.giveUp(new DOMException("too late", "TimeoutError"));
      dropLate(res);
    }, timeout);
    res.once("close", () => clearTimeout(timer));
    const inside = next();
    if (!isThenable(inside)) return inside;
    return new Promise((resolve, reject) => {
      giveError = reject;
      // A stream may come of it, and take its time: then next() fails.
      inside.then(resolve, reject).then(() => {
        giveError = next;
      });
    });
  };
}

// What changes an answer. Most of it throws once there is a head, and in a
// callback nobody would catch that.
const CHANGES = [
  "appendHeader",
  "html",
  "json",
  "redirect",
  "removeHeader",
  "setHeader",
  "setHeaders",
  "status",
  "text",
  "writeContinue",
  "writeEarlyHints",
  "writeHead",
  "writeInformation",
  "writeProcessing",
];

function dropLate(res) {
  // Node 20 has no writeInformation.
  for (const name of CHANGES.filter((change) => change in res)) {
    const change = res[name].bind(res);
    res[name] = (...args) => (res.headersSent ? res : change(...args));
  }
}
