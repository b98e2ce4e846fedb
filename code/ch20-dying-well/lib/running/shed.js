import { show, UsageError } from "../errors.js";
import { isThenable } from "../middleware/chain.js";
import {
  checkLimit,
  checkOptions,
  checkTime,
  checkType,
  refuseUnknown,
} from "../options.js";
import { answerStatus } from "../response/status.js";
import { Gate } from "./gate.js";

/** @import { Middleware } from "../middleware/chain.js" */
/** @import { Request } from "../request/request.js" */

/**
 * @typedef {object} ShedOptions
 * @property {number} concurrent how many handlers may run at once
 * @property {number} age milliseconds that a request may wait
 * @property {number} waiting how many requests may wait
 * @property {number} retryAfter seconds until a refused client may come
 *   again; some are told up to three times as many
 * @property {(req: Request) => boolean} always which requests neither
 *   wait nor are refused
 */

/** @type {ShedOptions} */
const DEFAULTS = {
  concurrent: 100,
  age: 100,
  waiting: 1000,
  retryAfter: 1,
  always: () => false,
};

/**
 * Answers 503 to requests for which there is no time.
 *
 * @param {Partial<ShedOptions>} [options]
 * @returns {Middleware & { counts: Counts }}
 * @throws {UsageError} ERR_OPTIONS_INVALID, ERR_OPTION_UNKNOWN,
 *   ERR_OPTION_INVALID
 *
 * @typedef {{ running: number, waiting: number, refused: number }} Counts
 */
export function shed(options = {}) {
  const settings = readOptions(options);
  const { always, retryAfter } = settings;
  const gate = new Gate(settings);
  /** @type {Middleware} */
  const guard = (req, res, next) => {
    const mayPass = always(req);
    // A promise would be true for every request.
    checkType("always(req)", mayPass, "boolean");
    if (mayPass) return next();
    if (gate.tryEnter()) return run(gate, res, next);
    return new Promise((resolve) => {
      gate.wait({
        start: () => resolve(start(gate, res, next)),
        refuse: () => resolve(refuse(res, retryAfter)),
      });
    });
  };
  const get = () => gate.counts;
  return /** @type {any} */ (
    Object.defineProperty(guard, "counts", { get })
  );
}

function start(gate, res, next) {
  if (!res.closed && !res.writableEnded) return run(gate, res, next);
  // The client has left, or an outer middleware has answered.
  gate.leave();
  return undefined;
}

// It leaves when the handler is done, or the answer has begun.
function run(gate, res, next) {
  let isInside = true;
  const leave = () => {
    if (isInside) gate.leave();
    isInside = false;
  };
  const { writeHead } = res;
  const begin = (...args) => {
    leave();
    return writeHead.apply(res, args);
  };
  res.writeHead = begin;
  let inside;
  try {
    inside = next();
  } catch (err) {
    leave();
    throw err;
  }
  const settle = (value) => {
    const isLater = value === undefined || value === res;
    const isOpen = !res.headersSent && !res.closed;
    if (isLater && isOpen) res.once("close", leave);
    else leave();
  };
  if (isThenable(inside)) inside.then(settle, leave);
  else settle(inside);
  return inside;
}

// Async: a throw out of the gate's callbacks would end the process.
async function refuse(res, retryAfter) {
  if (res.closed || res.writableEnded) return;
  // Clients that are refused together shouldn't come back together.
  const more = Math.floor((2 * retryAfter + 1) * Math.random());
  res.setHeader("retry-after", String(retryAfter + more));
  answerStatus(res, 503, "too many requests are waiting");
}

function readOptions(options) {
  checkOptions("shed", options);
  refuseUnknown(options, Object.keys(DEFAULTS));
  const settings = { ...DEFAULTS, ...options };
  checkAmount("concurrent", settings.concurrent);
  checkAmount("retryAfter", settings.retryAfter);
  checkTime("age", settings.age);
  checkLimit("waiting", settings.waiting);
  checkType("always", settings.always, "function");
  return settings;
}

function checkAmount(option, value) {
  if (Number.isSafeInteger(value) && value > 0) return;
  const details = [option, "a whole number above 0", show(value)];
  throw new UsageError("ERR_OPTION_INVALID", ...details);
}
