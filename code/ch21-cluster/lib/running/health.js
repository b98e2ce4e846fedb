import { show } from "../errors.js";
import {
  checkOptions,
  checkTime,
  checkType,
  checkWhole,
  refuseUnknown,
} from "../options.js";
import { Check } from "./check.js";
import { isLeaving } from "./closing.js";

/** @import { Request } from "../request/request.js" */
/** @import { Response } from "../response/response.js" */
/** @import { CheckFunction } from "./check.js" */

/**
 * @typedef {object} HealthOptions
 * @property {number} [timeout] milliseconds for each check
 * @property {(err: unknown, name: string) => void} [onError] is told what a
 *   check throws in time; without it a process warning tells it
 */

/**
 * Makes two handlers for whoever watches a server. `alive` says that the
 * process answers, `ready` whether the server wants requests.
 *
 * @param {Record<string, CheckFunction>} [checks] what has to work
 * @param {HealthOptions} [options]
 * @throws {UsageError} ERR_OPTIONS_INVALID, ERR_OPTION_UNKNOWN,
 *   ERR_OPTION_INVALID
 */
export function health(checks = {}, options = {}) {
  checkOptions("health", checks);
  checkOptions("health", options);
  refuseUnknown(options, ["timeout", "onError"]);
  const { timeout = 1000, onError = warn } = options;
  checkWhole("timeout", timeout);
  checkTime("timeout", timeout);
  checkType("onError", onError, "function");
  const all = Object.entries(checks).map(([name, check]) => {
    checkType(name, check, "function");
    return new Check(name, check, { timeout, onError });
  });
  return {
    /** @param {Request} _req @param {Response} res */
    alive: (_req, res) => say(res, true, { status: "alive" }),

    /** @param {Request} req @param {Response} res */
    ready: async (req, res) => {
      const checks = isLeaving(req.server) ? [] : all;
      const results = await Promise.all(
        checks.map((each) => each.result()),
      );
      // It may have been told to leave while the checks ran.
      if (isLeaving(req.server)) {
        return say(res, false, { status: "leaving" });
      }
      const isReady = results.every(([, result]) => result === "ok");
      const status = isReady ? "ready" : "not ready";
      return say(res, isReady, {
        status,
        checks: Object.fromEntries(results),
      });
    },
  };
}

function say(res, isGood, value) {
  res.status(isGood ? 200 : 503).setHeader("cache-control", "no-store");
  return value;
}

function warn(err, name) {
  const reason = err instanceof Error ? err.message : show(err);
  process.emitWarning(`the check ${name}: ${reason}`);
}
