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
 * @param {LoggerOptions & { logger?: Logger, trustId?: boolean }} [options]
 *   `trustId` takes the id from X-Request-Id, which any client can send
 * @returns {Middleware}
 * @throws {UsageError} ERR_OPTIONS_INVALID, ERR_OPTION_UNKNOWN,
 *   ERR_OPTION_INVALID
 */
export function log(options = {}) {
  const { logger, trustId = false, ...loggerOptions } = options;
  checkType("trustId", trustId, "boolean");
  const isTheirs = logger !== undefined;
  if (isTheirs && !(logger instanceof Logger)) {
    refuse("logger", "made by createLogger", show(logger));
  }
  if (isTheirs) refuseSettings(loggerOptions);
  const ours = isTheirs ? logger : createLogger(loggerOptions);
  setOutside(ours);
  return (req, res, next) => {
    const { headers } = req;
    const id = trustId ? headers["x-request-id"] : undefined;
    req.id = isSafeId(id) ? id : makeId();
    req.trace = new Trace(headers.traceparent);
    req.log = ours.child({ request_id: req.id, ...req.trace.fields });
    res.access = new Access(req, res);
    return runWith(req.log, next);
  };
}

function refuseSettings(settings) {
  for (const [name, value] of Object.entries(settings)) {
    if (value === undefined) continue;
    refuse(name, "given to createLogger", "beside a logger");
  }
}
