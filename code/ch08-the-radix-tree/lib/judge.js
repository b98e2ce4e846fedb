/** @import { Match, Router } from "./router.js" */

/**
 * What is known of a request before any handler has run.
 *
 * @typedef {object} Verdict
 * @property {number} statusCode 200 if a handler is to answer
 * @property {string} path
 * @property {Match | null} match
 * @property {string[]} allow the methods for the Allow field
 */

/**
 * Decides who answers a request, or with which status nobody does.
 *
 * @param {Router} router
 * @param {string} method
 * @param {string} target
 * @returns {Verdict}
 */
export function judge(router, method, target) {
  if (method === "OPTIONS" && target === "*") {
    return without(204, "*", router.methods());
  }
  if (!target.startsWith("/")) return without(400, "");
  const mark = target.indexOf("?");
  const path = mark === -1 ? target : target.slice(0, mark);
  const match = router.find(method, path);
  if (match === null) return judgeWithoutRoute(router, method, path);
  return { statusCode: 200, path, match, allow: [] };
}

/**
 * @param {Router} router
 * @param {string} method
 * @param {string} path
 */
function judgeWithoutRoute(router, method, path) {
  if (!router.methods().includes(method)) return without(501, path);
  const allow = router.allowedMethods(path);
  if (allow.length === 0) return without(404, path);
  return without(method === "OPTIONS" ? 204 : 405, path, allow);
}

/**
 * @param {number} statusCode
 * @param {string} path
 * @param {string[]} [allow]
 * @returns {Verdict}
 */
function without(statusCode, path, allow = []) {
  return { statusCode, path, match: null, allow };
}
