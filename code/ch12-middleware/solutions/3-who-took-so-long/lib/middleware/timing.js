import { isThenable } from "./chain.js";

/** @import { Middleware } from "./chain.js" */

/**
 * Tells in Server-Timing how long the inside took, in milliseconds.
 *
 * @param {string} name
 * @returns {Middleware}
 */
export function timing(name) {
  return (_req, res, next) => {
    const start = performance.now();
    const note = (value) => {
      const duration = (performance.now() - start).toFixed(1);
      if (!res.headersSent) {
        res.appendHeader("server-timing", `${name};dur=${duration}`);
      }
      return value;
    };
    const inside = next();
    return isThenable(inside) ? inside.then(note) : note(inside);
  };
}
