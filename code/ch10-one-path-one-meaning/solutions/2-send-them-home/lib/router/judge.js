import { canonicalTarget, isHost, pathOf, TargetError } from "./path.js";

/** @import { Match } from "./router.js" */

/**
 * @typedef {object} Verdict what is decided before any handler has run
 * @property {number} statusCode 200 if a handler is to answer
 * @property {string} path what req.path will be; empty if there is none
 * @property {Match | null} match
 * @property {string[]} allow the methods for the Allow field
 * @property {string} reason for people
 * @property {string} [location] where to ask instead
 */

// The canonical path of a target; `*` if the whole server is meant; or no
// path, and the reason why.
export function readTarget(method, target, host) {
  if (host !== undefined && !isHost(host)) {
    return { path: "", reason: "the Host field doesn't name one host" };
  }
  const isWholeServer = method === "OPTIONS" && target === "*";
  if (isWholeServer) return { path: "*", reason: "" };
  try {
    return { path: pathOf(target, host), reason: "" };
  } catch (err) {
    if (!(err instanceof TargetError)) throw err;
    return { path: "", reason: `the target has ${err.message}` };
  }
}

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

// `other` is the path that has a route; the query goes along.
export function elsewhere(path, other, target) {
  const mark = target.indexOf("?");
  const query = mark === -1 ? "" : target.slice(mark);
  const verdict = verdictWithoutMatch(
    308,
    path,
    `the route is at ${other}`,
  );
  return { ...verdict, location: canonicalTarget(other) + query };
}

/** @returns {Verdict} */
export function verdictWithoutMatch(statusCode, path, reason, allow = []) {
  return { statusCode, path, match: null, allow, reason };
}
