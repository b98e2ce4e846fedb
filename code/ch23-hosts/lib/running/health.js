import {
  checkOptions,
  checkTime,
  checkType,
  refuseUnknown,
} from "../options.js";
import { isLeaving } from "./closing.js";

/** @import { Request } from "../request/request.js" */
/** @import { Response } from "../response/response.js" */

/**
 * Fails by throwing, or by giving false.
 *
 * @typedef {(options: { signal: AbortSignal }) => unknown} Check
 */

/**
 * Makes two handlers for whoever watches the server. `alive` says that the
 * process answers; `ready` says whether it wants requests.
 *
 * @param {Record<string, Check>} [checks] what has to work
 * @param {{ timeout?: number }} [options] milliseconds for each check
 * @throws {UsageError} ERR_OPTIONS_INVALID, ERR_OPTION_UNKNOWN,
 *   ERR_OPTION_INVALID
 */
export function health(checks = {}, options = {}) {
  checkOptions("health", options);
  refuseUnknown(options, ["timeout"]);
  const { timeout = 1000 } = options;
  checkTime("timeout", timeout);
  checkOptions("health", checks);
  for (const [name, check] of Object.entries(checks)) {
    checkType(name, check, "function");
  }
  const all = Object.entries(checks).map(
    ([name, check]) => new Watched(name, check, timeout),
  );
  return {
    /** @param {Request} _req @param {Response} res */
    alive(_req, res) {
      return say(res, 200, { status: "alive" });
    },

    /** @param {Request} req @param {Response} res */
    async ready(req, res) {
      if (isLeaving(req.server)) return say(res, 503, { status: "leaving" });
      const results = await Promise.all(all.map((each) => each.result()));
      const isReady = results.every(([, result]) => result === "ok");
      const status = isReady ? "ready" : "not ready";
      const checked = Object.fromEntries(results);
      return say(res, isReady ? 200 : 503, { status, checks: checked });
    },
  };
}

function say(res, statusCode, value) {
  res.status(statusCode).setHeader("cache-control", "no-store");
  return value;
}

/** A check that is run once at a time, however many ask. */
class Watched {
  #name;
  #check;
  #timeout;
  /** @type {Promise<string> | null} */
  #running = null;

  constructor(name, check, timeout) {
    this.#name = name;
    this.#check = check;
    this.#timeout = timeout;
  }

  /** @returns {Promise<[string, string]>} its name; ok, failed or late */
  async result() {
    this.#running ??= this.#run();
    let timer;
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, this.#timeout, "late");
    });
    const result = await Promise.race([this.#running, late]);
    clearTimeout(timer);
    return [this.#name, result];
  }

  async #run() {
    try {
      const signal = AbortSignal.timeout(this.#timeout);
      const result = await this.#check({ signal });
      return result === false ? "failed" : "ok";
    } catch {
      return "failed";
    } finally {
      this.#running = null;
    }
  }
}
