import { show, UsageError } from "../errors.js";
import { CONDITIONS } from "./conditions.js";

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
 */
export function parsePattern(pattern) {
  if (typeof pattern !== "string" || !pattern.startsWith("/")) {
    refusePattern(pattern, "it must be a string that starts with /");
  }
  const segments = pattern.slice(1).split("/");
  const parts = segments.map((segment) => parseSegment(pattern, segment));
  checkNames(namesOf(parts), pattern);
  return parts;
}

/** @returns {never} */
function refusePattern(pattern, why) {
  throw new UsageError("ERR_PATTERN_INVALID", show(pattern), why);
}

/** @returns {Part} */
function parseSegment(pattern, segment) {
  if (segment.startsWith(":")) {
    const [, text, condition] = PARAMETER.exec(segment) ?? [];
    const isKnown = condition === undefined || CONDITIONS.has(condition);
    if (text !== undefined && isKnown) {
      return { kind: "parameter", text, condition };
    }
    throw new UsageError("ERR_PARAMETER_INVALID", pattern, segment);
  }
  if (/[?#]/.test(segment)) {
    refusePattern(pattern, "no path has a ? or # in it");
  }
  return { kind: "static", text: segment };
}

// The names of a pattern's parameters, from left to right.
export function namesOf(parts) {
  const named = parts.filter(({ kind }) => kind !== "static");
  return named.map(({ text }) => text);
}

function checkNames(names, pattern) {
  const repeated = names.find((name, i) => names.indexOf(name) < i);
  if (repeated === undefined) return;
  throw new UsageError("ERR_PARAMETER_REPEATED", pattern, repeated);
}
