import { show, UsageError } from "../errors.js";

/**
 * @typedef {object} Part
 * @property {"static" | "parameter" | "wildcard"} kind
 * @property {string} text the text to match, or the parameter's name
 * @property {string} [suffix] what a parameter's segment has to end with
 */

// The length of match.js's arrays, which drop what is beyond it.
export const MOST_PARAMETERS = 64;

const NAME = /^[A-Za-z_$][\w$]*$/;
// A name, and maybe the text behind it.
const PARAMETER = /^:([A-Za-z_$][\w$]*)([.-][^:*?#]*)?$/;

/**
 * Cuts a pattern into its parts: `/users/:id/files/*` is the text
 * `/users/`, the parameter `id`, the text `/files/` and the wildcard `*`.
 */
export function parsePattern(pattern) {
  if (typeof pattern !== "string" || !pattern.startsWith("/")) {
    refusePattern(pattern, "it must be a string that starts with /");
  }
  /** @type {Part[]} */
  const parts = [];
  let text = "";
  const segments = pattern.slice(1).split("/");
  for (const [i, segment] of segments.entries()) {
    text += "/";
    const isLast = i === segments.length - 1;
    const part = parseSegment(pattern, segment, isLast);
    if (part.kind === "static") {
      text += part.text;
    } else {
      parts.push({ kind: "static", text }, part);
      text = "";
    }
  }
  if (text !== "") parts.push({ kind: "static", text });
  checkNames(namesOf(parts), pattern);
  return parts;
}

/** @returns {never} */
function refusePattern(pattern, why) {
  throw new UsageError("ERR_PATTERN_INVALID", show(pattern), why);
}

/** @returns {Part} */
function parseSegment(pattern, segment, isLast) {
  const name = segment.slice(1);
  if (segment.startsWith(":")) {
    const match = PARAMETER.exec(segment);
    if (match === null) {
      throw new UsageError("ERR_PARAMETER_INVALID", pattern, segment);
    }
    const [, text, suffix] = match;
    return { kind: "parameter", text, suffix };
  }
  if (segment.includes("*")) {
    const isWhole = segment === "*" || NAME.test(name);
    if (segment.startsWith("*") && isWhole && isLast) {
      return { kind: "wildcard", text: name || "*" };
    }
    throw new UsageError("ERR_WILDCARD_INVALID", pattern, segment);
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
  if (repeated !== undefined) {
    throw new UsageError("ERR_PARAMETER_REPEATED", pattern, repeated);
  }
  if (names.length <= MOST_PARAMETERS) return;
  refusePattern(pattern, `it has more than ${MOST_PARAMETERS} parameters`);
}
