import { HttpError, show, UsageError } from "../errors.js";
import { outlook, paceOf } from "../limits/gcra.js";
import { MemoryLimits } from "../limits/memory-limits.js";
import { checkOptions, checkType, refuseUnknown } from "../options.js";
import { networkOf } from "../request/address.js";
import { isThenable } from "./chain.js";

/** @import { Limit, Taken } from "../limits/gcra.js" */
/** @import { Request } from "../request/request.js" */
/** @import { Middleware } from "./chain.js" */

/**
 * Answers 429 to clients that send too much.
 *
 * @param {Limit & Partial<RateLimitOptions>} options
 * @returns {Middleware}
 * @throws {UsageError} ERR_OPTION_INVALID, ERR_OPTION_UNKNOWN
 *
 * @typedef {object} RateLimitOptions
 * @property {(req: Request) => string} key whose limit it is: by default
 *   the client's address, or the first half of one of IPv6
 * @property {{ take(key: string, limit: Limit): any }} store
 * @property {string} name what clients are told it is called; needed with
 *   a store, where two limits of one name count together
 */
export function rateLimit(options) {
  const { limit, name, key, store } = readOptions(options);
  const policy = `"${name}";q=${limit.requests};w=${limit.seconds}`;
  return (req, res, next) => {
    const goOn = (/** @type {Taken} */ { isAllowed, ahead }) => {
      const { remaining, allAfter, oneAfter } = outlook(ahead, limit);
      res.setHeader("ratelimit-policy", policy);
      res.setHeader("ratelimit", `"${name}";r=${remaining};t=${allAfter}`);
      if (isAllowed) return next();
      const headers = { "retry-after": String(oneAfter) };
      throw new HttpError(429, "that was too much at once", { headers });
    };
    const client = key(req);
    // As text, promises would be one client.
    checkType("key(req)", client, "string");
    const taken = store.take(`${name}:${client}`, limit);
    return isThenable(taken) ? taken.then(goOn) : goOn(taken);
  };
}

function networkOfClient(req) {
  return networkOf(req.ip ?? "");
}

function readOptions(options) {
  checkOptions("rateLimit", options);
  const { requests, seconds, ...more } = options;
  const {
    key = networkOfClient,
    name = more.store === undefined ? "default" : "",
    store = new MemoryLimits(),
    ...rest
  } = more;
  const names = ["requests", "seconds", "name", "key", "store"];
  refuseUnknown(rest, names);
  for (const [option, value] of Object.entries({ requests, seconds })) {
    if (Number.isInteger(value) && value > 0) continue;
    const details = [option, "a whole number above 0", show(value)];
    throw new UsageError("ERR_OPTION_INVALID", ...details);
  }
  if (paceOf({ requests, seconds }).each === 0) {
    const details = ["requests", "at most a million a second", requests];
    throw new UsageError("ERR_OPTION_INVALID", ...details);
  }
  checkType("key", key, "function");
  checkType("take of the store", store?.take, "function");
  if (!/^[\w-]+$/.test(name)) {
    const details = ["name", "letters, digits, _ and -", show(name)];
    throw new UsageError("ERR_OPTION_INVALID", ...details);
  }
  return { limit: { requests, seconds }, name, key, store };
}
