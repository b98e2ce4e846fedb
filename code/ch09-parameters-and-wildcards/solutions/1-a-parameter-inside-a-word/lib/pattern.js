import { RouteError, show } from "./errors.js";

/**
 * @typedef {object} Part
 * @property {"static" | "parameter" | "wildcard"} kind
 * @property {string} text the text to match, or the parameter's name
 * @property {string} [suffix] what a parameter's segment has to end with
 */

/** How many parameters a pattern can have: match.js has room for them. */
export const MOST_PARAMETERS = 64;

const NAME = /^[A-Za-z_$][\w$]*$/;

// A name, and maybe the text behind it.
const PARAMETER = /^:([A-Za-z_$][\w$]*)([.-][^:*]*)?$/;

/**
 * Cuts a pattern into its parts: `/users/:id/files/*` is the text
 * `/users/`, the parameter `id`, the text `/files/` and the wildcard `*`.
 *
 * @param {unknown} pattern
 * @returns {Part[]}
 * @throws {RouteError} ERR_PATTERN_INVALID, ERR_PARAMETER_INVALID,
 *   ERR_PARAMETER_REPEATED, ERR_WILDCARD_INVALID
 */
export function parsePattern(pattern) {
  if (typeof pattern !== "string" || !pattern.startsWith("/")) {
    const why = "it must be a string that starts with /";
    throw new RouteError("ERR_PATTERN_INVALID", show(pattern), why);
  }
  /** @type {Part[]} */
  const parts = [];
  let text = "";
  for (const [segment, isLast] of segmentsOf(pattern)) {
    text += "/";
    const part = parseSegment(pattern, segment, isLast);
    if (part.kind === "static") {
      text += part.text;
    } else {
      parts.push({ kind: "static", text }, part);
      text = "";
    }
  }
  if (text !== "") parts.push({ kind: "static", text });
  refuseRepeatedNames(parts, pattern);
  if (namesOf(parts).length > MOST_PARAMETERS) {
    const why = `it has more than ${MOST_PARAMETERS} parameters`;
    throw new RouteError("ERR_PATTERN_INVALID", show(pattern), why);
  }
  return parts;
}

/**
 * @param {string} pattern
 * @returns {[segment: string, isLast: boolean][]}
 */
function segmentsOf(pattern) {
  const segments = pattern.slice(1).split("/");
  return segments.map((segment, i) => [segment, i === segments.length - 1]);
}

/**
 * @param {string} pattern
 * @param {string} segment
 * @param {boolean} isLast
 * @returns {Part}
 */
function parseSegment(pattern, segment, isLast) {
  const name = segment.slice(1);
  if (segment.startsWith(":")) {
    const match = PARAMETER.exec(segment);
    if (match === null) {
      throw new RouteError("ERR_PARAMETER_INVALID", pattern, segment);
    }
    const [, text, suffix] = match;
    return { kind: "parameter", text, suffix };
  }
  if (segment.includes("*")) {
    const isWhole = segment === "*" || NAME.test(name);
    if (segment.startsWith("*") && isWhole && isLast) {
      return { kind: "wildcard", text: name || "*" };
    }
    throw new RouteError("ERR_WILDCARD_INVALID", pattern, segment);
  }
  return { kind: "static", text: segment };
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
