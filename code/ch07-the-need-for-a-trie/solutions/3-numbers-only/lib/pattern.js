import { CONDITIONS } from "./conditions.js";
import { RouteError, show } from "./errors.js";

/**
 * @typedef {object} Part
 * @property {"static" | "parameter"} kind
 * @property {string} text the text to match, or the parameter's name
 * @property {string} [condition] what a parameter's segment has to be
 */

// A name, and maybe a condition.
const PARAMETER = /^:([A-Za-z_$][\w$]*)(?:\((\w+)\))?$/;

/**
 * Cuts a pattern into its segments.
 *
 * @param {unknown} pattern
 * @returns {Part[]}
 * @throws {RouteError} ERR_PATTERN_INVALID, ERR_PARAMETER_INVALID,
 *   ERR_PARAMETER_REPEATED
 */
export function parsePattern(pattern) {
  if (typeof pattern !== "string" || !pattern.startsWith("/")) {
    throw new RouteError("ERR_PATTERN_INVALID", show(pattern));
  }
  const segments = pattern.slice(1).split("/");
  const parts = segments.map((segment) => parseSegment(pattern, segment));
  refuseRepeatedNames(parts, pattern);
  return parts;
}

/**
 * @param {string} pattern
 * @param {string} segment
 * @returns {Part}
 */
function parseSegment(pattern, segment) {
  if (!segment.startsWith(":")) return { kind: "static", text: segment };
  const [, text, condition] = PARAMETER.exec(segment) ?? [];
  const isKnown = condition === undefined || CONDITIONS.has(condition);
  if (text !== undefined && isKnown) {
    return { kind: "parameter", text, condition };
  }
  throw new RouteError("ERR_PARAMETER_INVALID", pattern, segment);
}

/**
 * The names of a pattern's parameters, from left to right.
 *
 * @param {Part[]} parts
 */
export function namesOf(parts) {
  const named = parts.filter(({ kind }) => kind !== "static");
  return named.map(({ text }) => text);
}

/**
 * @param {Part[]} parts
 * @param {string} pattern
 */
function refuseRepeatedNames(parts, pattern) {
  const names = namesOf(parts);
  const repeated = names.find((name, i) => names.indexOf(name) < i);
  if (repeated === undefined) return;
  throw new RouteError("ERR_PARAMETER_REPEATED", pattern, repeated);
}
