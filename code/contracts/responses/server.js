import { listen } from "../router/ask.js";
import { exchange } from "./exchange.js";

/** @import { TestContext } from "node:test" */

/**
 * @typedef {(req: any, res: any) => unknown} Handler
 * @typedef {object} Router under test
 * @property {(pattern: string, handler: Handler) => Router} get
 * @property {(pattern: string, handler: Handler) => Router} all
 * @property {(handler: Handler) => Router} notFound
 * @property {(handler: (err: any, req: any, res: any) => unknown) => Router} onError
 */

/**
 * @typedef {object} Velocy what is under test: the package's exports
 * @property {new (options?: any) => Router} Router
 * @property {(router: any, options?: any) => import("node:http").Server} createServer
 * @property {boolean} [inTurn] it begins a request when the one before is
 *   answered
 * @property {any} [HttpError]
 */

/**
 * A server with one handler for all paths, and a way to ask it.
 *
 * @param {TestContext} t
 * @param {Velocy} velocy
 * @param {(req: any, res: any) => unknown} handler
 */
export function serve(t, velocy, handler) {
  return serveRouter(t, velocy, new velocy.Router().all("/*", handler));
}

/**
 * @param {TestContext} t
 * @param {Velocy} velocy
 * @param {any} router
 */
export async function serveRouter(t, velocy, router) {
  /** @type {any[]} what `onError` was told */
  const told = [];
  const server = velocy.createServer(router, {
    onError: (/** @type {unknown} */ err) => told.push(err),
  });
  const port = await listen(t, server);
  /**
   * @param {string} [method]
   * @param {string} [target]
   * @param {Record<string, string>} [fields]
   */
  const ask = (method = "GET", target = "/", fields = {}) =>
    exchange(port, method, target, fields);
  return { ask, port, told };
}

/**
 * @param {import("./exchange.js").Answer} answer
 * @param {string} name
 */
export function field({ fields }, name) {
  return fields.get(name)?.join(", ");
}
