import { show, UsageError } from "../errors.js";
import {
  checkLimit,
  checkOptions,
  checkType,
  refuseUnknown,
} from "../options.js";

/** @import { Writable } from "node:stream" */
/** @import { Roll } from "./roll.js" */

export const LEVELS = ["trace", "debug", "info", "warn", "error", "fatal"];

const MEGABYTE = 1024 * 1024;

/**
 * @typedef {object} LoggerOptions
 * @property {string | Writable} [destination] a file's path, or a stream;
 *   standard output unless set
 * @property {string} [level] the least that is written, `"info"` unless set
 * @property {string[]} [redact] more names whose values nobody may read
 * @property {object} [fields] what all lines have
 * @property {number} [bufferBytes] how much may wait, a megabyte unless set
 * @property {Roll} [roll] when another file is begun
 */

const NAMES = [
  "destination",
  "level",
  "redact",
  "fields",
  "bufferBytes",
  "roll",
];

export function checkLoggerOptions(options) {
  checkOptions("createLogger", options);
  refuseUnknown(options, NAMES);
  const { destination = process.stdout, level = "info" } = options;
  const { redact = [], fields = {}, bufferBytes = MEGABYTE } = options;
  const isPath = typeof destination === "string";
  const { write, on } = Object(destination);
  const isStream = typeof write === "function" && typeof on === "function";
  if (!isPath && !isStream) {
    refuse("destination", "a path or a stream", show(destination));
  }
  if (!LEVELS.includes(level)) {
    refuse("level", LEVELS.join(", "), show(level));
  }
  checkNames(redact);
  checkOptions("fields", fields);
  checkLimit("bufferBytes", bufferBytes);
  const roll = checkRoll(options.roll, isPath);
  return { destination, level, redact, fields, bufferBytes, roll };
}

function checkNames(redact) {
  const areNames = Array.isArray(redact) && redact.every(isText);
  if (!areNames) refuse("redact", "a list of names", show(redact));
}

function isText(value) {
  return typeof value === "string";
}

function checkRoll(roll, isPath) {
  if (roll === undefined) return null;
  if (!isPath) refuse("roll", "given with a path", "with a stream");
  checkOptions("roll", roll);
  refuseUnknown(roll, ["bytes", "daily", "keep"]);
  const { bytes = Infinity, daily = false, keep = 10 } = roll;
  checkLimit("bytes", bytes);
  checkType("daily", daily, "boolean");
  checkLimit("keep", keep);
  return { bytes, daily, keep };
}

/** @returns {never} */
export function refuse(option, expected, given) {
  throw new UsageError("ERR_OPTION_INVALID", option, expected, given);
}
