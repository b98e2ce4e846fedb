import { RouteError, show } from "./errors.js";

/**
 * @typedef {object} Part
 * @property {"static" | "parameter"} kind
 * @property {string} text the text to match, or the parameter's name
 */

const NAME = /^[A-Za-z_$][\w$]*$/;

/**
 * Cuts a pattern into its parts: `/users/:id/posts` is the text `/users/`,
 * the parameter `id` and the text `/posts`.
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
  /** @type {Part[]} */
  const parts = [];
  let text = "";
  for (const segment of pattern.slice(1).split("/")) {
    text += "/";
    const part = parseSegment(pattern, segment);
    if (part.kind === "static") {
      text += part.text;
    } else {
      parts.push({ kind: "static", text }, part);
      text = "";
    }
  }
  if (text !== "") parts.push({ kind: "static", text });
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
  const name = segment.slice(1);
  if (NAME.test(name)) return { kind: "parameter", text: name };
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
