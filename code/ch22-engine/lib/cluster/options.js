import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { show, UsageError } from "../errors.js";
import {
  checkOptions,
  checkTime,
  checkType,
  refuseUnknown,
} from "../options.js";
import { bestSharing, SHARINGS } from "./start-process.js";
import { KILL_AFTER } from "./worker-process.js";

/**
 * @typedef {object} SupervisorOptions
 * @property {string} script the server's file
 * @property {string[]} [args] its arguments
 * @property {number} [workers] how many processes; one for each core that
 *   this one may use
 * @property {string} [sharing] how they share a port: socket, round-robin
 *   or reuse-port
 * @property {number} [deadline] milliseconds that a worker has to finish
 * @property {number} [startTimeout] milliseconds until it has to listen
 * @property {number} [hungAfter] it is killed when it has said nothing for
 *   so many milliseconds
 * @property {number} [stableAfter] one that ends after so many milliseconds
 *   is replaced at once; others have to wait
 * @property {number | null} [metricsPort] where the supervisor tells what
 *   was counted, to this machine only
 * @property {(line: string) => void} [report] is told what happens; without
 *   it it goes to stderr
 */

const DEFAULTS = {
  script: "",
  args: [],
  sharing: bestSharing(),
  deadline: 8_000,
  startTimeout: 30_000,
  hungAfter: 10_000,
  stableAfter: 1_000,
  metricsPort: null,
  report: (line) => process.stderr.write(`${line}\n`),
};

const TIMES = ["startTimeout", "hungAfter", "stableAfter"];
const COUNTS = { least: 1, most: 1024 };
// A timer takes no more, and KILL_AFTER comes on top.
const DEADLINES = { least: 1, most: 2 ** 31 - 1 - KILL_AFTER };
const PORTS = { least: 1, most: 65_535 };

/** @param {SupervisorOptions} options */
export function readOptions(options) {
  checkOptions("supervise", options);
  const all = { workers: availableParallelism(), ...DEFAULTS };
  refuseUnknown(options, Object.keys(all));
  const settings = { ...all, ...options };
  const { script, args, workers } = settings;
  checkType("script", script, "string");
  if (script === "") refuse("script", "a server's file", script);
  if (!existsSync(script)) {
    throw new UsageError("ERR_SCRIPT_MISSING", script);
  }
  checkType("report", settings.report, "function");
  if (!Array.isArray(args) || !args.every(isString)) {
    refuse("args", "a list of nothing but strings", args);
  }
  checkBetween("workers", workers, COUNTS);
  for (const name of TIMES) checkTime(name, settings[name]);
  checkBetween("deadline", settings.deadline, DEADLINES);
  // Often enough that one that is lost or late does no harm.
  const beat = Math.min(1_000, Math.ceil(settings.hungAfter / 4));
  const { sharing } = settings;
  if (!SHARINGS.includes(sharing)) {
    refuse("sharing", `one of ${SHARINGS.join(", ")}`, sharing);
  }
  const isThere = sharing !== "socket" || bestSharing() === "socket";
  if (!isThere) refuse("sharing", "round-robin on this Node.js", sharing);
  const { metricsPort } = settings;
  if (metricsPort !== null) checkBetween("metricsPort", metricsPort, PORTS);
  return { ...settings, beat };
}

function isString(value) {
  return typeof value === "string";
}

function checkBetween(name, value, { least, most }) {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  refuse(name, `a whole number from ${least} to ${most}`, value);
}

function refuse(name, expected, value) {
  throw new UsageError("ERR_OPTION_INVALID", name, expected, show(value));
}
