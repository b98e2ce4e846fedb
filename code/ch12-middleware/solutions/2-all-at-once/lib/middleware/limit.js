import { HttpError } from "../errors.js";

/** @import { Middleware } from "./chain.js" */

/**
 * Lets so many requests through at a time, and answers the others with 503.
 *
 * @param {number} most
 * @returns {Middleware}
 */
export function limit(most) {
  const headers = { "retry-after": "1" };
  let count = 0;
  return (_req, res, next) => {
    // The client left while a guard waited: nothing would count down.
    if (res.closed) return next();
    if (count >= most) throw new HttpError(503, undefined, { headers });
    count += 1;
    // It comes once, whether the answer was sent or the client has left.
    res.once("close", () => {
      count -= 1;
    });
    return next();
  };
}
