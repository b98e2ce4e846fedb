import { AsyncLocalStorage } from "node:async_hooks";
import { createLogger } from "./logger.js";

/** @import { Logger } from "./logger.js" */

/** @type {AsyncLocalStorage<Logger>} */
const storage = new AsyncLocalStorage();

/** @type {Logger | null} */
let outside = null;

/** Runs `fn`, and what it awaits, with a request's logger. */
export function runWith(logger, fn) {
  return storage.run(logger, fn);
}

export function setOutside(logger) {
  outside = logger;
}

/**
 * The logger of the request that is being answered. Outside of all requests
 * it is the one that `log()` was given last, or one to standard output.
 *
 * @returns {Logger}
 */
export function requestLog() {
  const logger = storage.getStore() ?? outside;
  if (logger !== null) return logger;
  outside = createLogger();
  return outside;
}
