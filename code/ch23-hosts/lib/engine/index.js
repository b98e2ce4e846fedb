import { prepare } from "../server.js";
import { makeServer } from "./server.js";

/** @import { Router } from "../router/router.js" */

/**
 * Makes a server on velocy's own engine, that answers with a router's
 * routes.
 *
 * @param {Router} router
 * @param {any} [options] those of velocy's createServer
 * @throws {UsageError} ERR_ROUTER_INVALID, ERR_OPTIONS_INVALID
 * @throws {UsageError} ERR_OPTION_INVALID, ERR_OPTION_RESERVED,
 *   ERR_OPTION_UNKNOWN
 */
export function createServer(router, options = {}) {
  const { serverOptions, serve } = prepare(router, options);
  return serve(makeServer(serverOptions));
}
