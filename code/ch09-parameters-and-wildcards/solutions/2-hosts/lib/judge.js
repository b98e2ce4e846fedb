/** @import { Match, Router } from "./router.js" */

/**
 * What is known of a request before any handler has run.
 *
 * @typedef {object} Verdict
 * @property {number} statusCode 200 if a handler is to answer
 * @property {string} path empty if there is none
 * @property {Match | null} match
 * @property {string[]} allow the methods for the Allow field
 * @property {string} reason for people
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
  if (!target.startsWith("/")) {
    return without(400, "", "the target is not a path");
  }
  const mark = target.indexOf("?");
  const path = mark === -1 ? target : target.slice(0, mark);
  const match = router.find(method, path, host);
  if (match === null) {
    return judgeWithoutRoute(router, method, path, host);
  }
  return { statusCode: 200, path, match, allow: [], reason: "" };
}

/**
 * @param {Router} router
 * @param {string} method
 * @param {string} path
 * @param {string} [host]
 */
function judgeWithoutRoute(router, method, path, host) {
  if (!router.methods().includes(method)) {
    return without(501, path, `no route has the method ${method}`);
  }
  const allow = router.allowedMethods(path, host);
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
