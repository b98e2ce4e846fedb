import { show, UsageError } from "../errors.js";
import { isThenable } from "../middleware/chain.js";
import {
  checkLimit,
  checkOptions,
  checkTime,
  refuseUnknown,
} from "../options.js";
import { answerStatus } from "../response/status.js";
import { Gate } from "./gate.js";

/** @import { Middleware } from "../middleware/chain.js" */

/**
 * @typedef {object} ShedOptions
 * @property {number} concurrent how many handlers may run at once
 * @property {number} age milliseconds that a request may wait
 * @property {number} waiting how many requests may wait
 */

/** @type {ShedOptions} */
const DEFAULTS = { concurrent: 100, age: 100, waiting: 1000 };

/**
 * Answers 503 to requests for which there is no time.
 *
 * @param {Partial<ShedOptions>} [options]
 * @throws {UsageError} ERR_OPTIONS_INVALID, ERR_OPTION_UNKNOWN,
 *   ERR_OPTION_INVALID
 */
export function shed(options = {}) {
  const settings = readOptions(options);
  const gate = new Gate(settings);
  /** @type {Middleware} */
  const guard = (_req, res, next) => {
    if (gate.tryEnter()) return run(gate, res, next);
    return new Promise((resolve) => {
      gate.wait({
        start: () => resolve(start(gate, res, next)),
        refuse: () => resolve(refuse(res)),
      });
    });
  };
  return guard;
}

function start(gate, res, next) {
  if (!res.closed) return run(gate, res, next);
  // The client has left.
  gate.leave();
  return undefined;
}

// It leaves when the handler is done, or the answer has begun.
function run(gate, res, next) {
  const leave = () => gate.leave();
  let inside;
  try {
    inside = next();
  } catch (err) {
    leave();
    throw err;
  }
  const isHere = inside !== undefined && inside !== res;
  if (isThenable(inside)) inside.then(leave, leave);
  else if (isHere || res.headersSent) leave();
  else res.once("close", leave);
  return inside;
}

function refuse(res) {
  if (res.closed) return;
  answerStatus(res, 503, "too many requests are waiting");
}

function readOptions(options) {
  checkOptions("shed", options);
  refuseUnknown(options, Object.keys(DEFAULTS));
  const settings = { ...DEFAULTS, ...options };
  checkAmount("concurrent", settings.concurrent);
  checkTime("age", settings.age);
  checkLimit("waiting", settings.waiting);
  return settings;
}

function checkAmount(option, value) {
  if (Number.isSafeInteger(value) && value > 0) return;
  const details = [option, "a whole number above 0", show(value)];
  throw new UsageError("ERR_OPTION_INVALID", ...details);
}
