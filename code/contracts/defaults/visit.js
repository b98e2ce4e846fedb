import { ask, listen } from "../router/ask.js";

/** @import { TestContext } from "node:test" */

/**
 * Starts a server whose errors are collected.
 *
 * @param {TestContext} t
 * @param {any} velocy
 * @param {(router: any) => void} add what the router has
 * @param {object} [options] of the server
 */
export async function start(t, velocy, add, options = {}) {
  const router = new velocy.Router();
  add(router);
  /** @type {any[]} */
  const errors = [];
  const onError = (/** @type {unknown} */ err) => errors.push(err);
  const server = velocy.createServer(router, { onError, ...options });
  const port = await listen(t, server);
  /** @param {string} path @param {Record<string, any>} [fields] */
  const get = (path, fields = {}) =>
    ask(port, "GET", path, { headers: fields });
  /** @param {string} path @param {Record<string, any>} [fields] */
  const post = (path, fields = {}) =>
    ask(port, "POST", path, { headers: fields });
  return { port, errors, get, post };
}

/**
 * The cookies that an answer sets, as a browser would send them.
 *
 * @param {{ headers: import("node:http").IncomingHttpHeaders }} answer
 */
export function cookiesOf({ headers }) {
  const lines = headers["set-cookie"] ?? [];
  return lines.map((line) => line.split(";")[0]).join("; ");
}
