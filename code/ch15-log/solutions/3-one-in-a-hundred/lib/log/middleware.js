import { show } from "../errors.js";
import { checkType } from "../options.js";
import { isSafeId, makeId } from "../request/id.js";
import { Access } from "./access.js";
import { runWith, setOutside } from "./context.js";
import { createLogger, Logger } from "./logger.js";
import { refuse } from "./options.js";
import { Trace } from "./trace.js";

/** @import { Middleware } from "../middleware/chain.js" */
/** @import { LoggerOptions } from "./options.js" */

/**
 * Makes middleware that gives each request an id and a logger, `req.id` and
 * `req.log`, and writes a line about its answer.
 *
 * @param {LoggerOptions & { logger?: Logger, trustId?: boolean,
 *   oneIn?: number }} [options]
 *   `trustId` takes the id from X-Request-Id, which any client can send
 * @returns {Middleware}
 * @throws {UsageError} ERR_OPTIONS_INVALID, ERR_OPTION_UNKNOWN,
 *   ERR_OPTION_INVALID
 */
export function log(options = {}) {
  const { logger, trustId = false, oneIn = 1, ...others } = options;
  checkType("trustId", trustId, "boolean");
  if (!Number.isInteger(oneIn) || oneIn < 1) {
    refuse("oneIn", "a whole number from 1", show(oneIn));
  }
  const sample = { oneIn, count: 0 };
  const isTheirs = logger !== undefined;
  if (isTheirs && !(logger instanceof Logger)) {
    refuse("logger", "made by createLogger", show(logger));
  }
  if (isTheirs) refuseSettings(others);
  const ours = isTheirs ? logger : createLogger(others);
  setOutside(ours);
  return (req, res, next) => {
    const { headers } = req;
    const id = trustId ? headers["x-request-id"] : undefined;
    req.id = isSafeId(id) ? id : makeId();
    req.trace = new Trace(headers.traceparent);
    req.log = ours.child({ request_id: req.id, ...req.trace.fields });
    res.access = new Access(req, res, sample);
    return runWith(req.log, next);
  };
}

function refuseSettings(settings) {
  for (const [name, value] of Object.entries(settings)) {
    if (value === undefined) continue;
    refuse(name, "given to createLogger", "beside a logger");
  }
}
