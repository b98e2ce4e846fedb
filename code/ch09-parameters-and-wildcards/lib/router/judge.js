/** @import { Match } from "./router.js" */

/**
 * @typedef {object} Verdict what is decided before any handler has run
 * @property {number} statusCode 200 if a handler is to answer
 * @property {string} path empty if there is none
 * @property {Match | null} match
 * @property {string[]} allow the methods for the Allow field
 * @property {string} reason for people
 */

// `allow` are the methods that the path answers.
export function judgeMiss(method, path, allow) {
  if (allow.length === 0) {
    return verdictWithoutMatch(404, path, "no route has the path");
  }
  if (method === "OPTIONS") {
    const reason = "asked for the path's methods";
    return verdictWithoutMatch(204, path, reason, allow);
  }
  const reason = "the path has routes for other methods only";
  return verdictWithoutMatch(405, path, reason, allow);
}

/** @returns {Verdict} */
export function verdictWithoutMatch(statusCode, path, reason, allow = []) {
  return { statusCode, path, match: null, allow, reason };
}
