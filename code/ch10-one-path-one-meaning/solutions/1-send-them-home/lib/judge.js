import { BadTarget, canonicalTarget, pathOf } from "./path.js";

/** @import { Match, Router } from "./router.js" */

/**
 * What is known of a request before any handler has run.
 *
 * @typedef {object} Verdict
 * @property {number} statusCode 200 if a handler is to answer
 * @property {string} path canonical; empty if there is none
 * @property {Match | null} match
 * @property {string[]} allow the methods for the Allow field
 * @property {string} reason for people
 * @property {string} [location] where to ask instead
 */

/**
 * Decides who answers a request, or with which status nobody does.
 *
 * @param {Router} router
 * @param {string} method
 * @param {string} target
 * @param {string} [host] the Host field
 * @returns {Verdict}
 */
export function judge(router, method, target, host) {
  if (method === "OPTIONS" && target === "*") {
    const reason = "asked for the whole server";
    return without(204, "*", reason, router.methods());
  }
  let path = "";
  try {
    path = pathOf(target, host);
  } catch (err) {
    if (!(err instanceof BadTarget)) throw err;
    return without(400, "", `the target has ${err.message}`);
  }
  const match = router.find(method, path);
  path = router.fold(path);
  if (match === null) {
    const other = router.otherForm(method, path);
    if (other !== null) return elsewhere(path, other, target);
    return judgeWithoutRoute(router, method, path);
  }
  return { statusCode: 200, path, match, allow: [], reason: "" };
}

/**
 * @param {string} path
 * @param {string} other that has a route
 * @param {string} target with the query
 * @returns {Verdict}
 */
function elsewhere(path, other, target) {
  const mark = target.indexOf("?");
  const query = mark === -1 ? "" : target.slice(mark);
  const location = canonicalTarget(other) + query;
  const reason = `the route is at ${other}`;
  return { ...without(308, path, reason), location };
}

/**
 * @param {Router} router
 * @param {string} method
 * @param {string} path
 */
function judgeWithoutRoute(router, method, path) {
  if (!router.methods().includes(method)) {
    return without(501, path, `no route has the method ${method}`);
  }
  const allow = router.allowedMethods(path);
  if (allow.length === 0) {
    return without(404, path, "no route has the path");
  }
  if (method === "OPTIONS") {
    return without(204, path, "asked for the path's methods", allow);
  }
  return without(405, path, "the path has routes for others only", allow);
}

/**
 * @param {number} statusCode
 * @param {string} path
 * @param {string} reason
 * @param {string[]} [allow]
 * @returns {Verdict}
 */
function without(statusCode, path, reason, allow = []) {
  return { statusCode, path, match: null, allow, reason };
}
