import { show, UsageError } from "../errors.js";
import { canonicalPath, TargetError } from "./path.js";

/**
 * @typedef {object} Part
 * @property {"static" | "parameter" | "wildcard"} kind
 * @property {string} text the text to match, or the parameter's name
 */

// The length of match.js's arrays, which drop what is beyond it.
export const MOST_PARAMETERS = 64;

const NAME = /^[A-Za-z_$][\w$]*$/;

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
      parts.push({ kind: "static", text: canonical(text, pattern) }, part);
      text = "";
    }
  }
  if (text !== "") {
    parts.push({ kind: "static", text: canonical(text, pattern) });
  }
  checkNames(namesOf(parts), pattern);
  return parts;
}

/** @returns {never} */
export function refusePattern(pattern, why) {
  throw new UsageError("ERR_PATTERN_INVALID", show(pattern), why);
}

/** @returns {Part} */
function parseSegment(pattern, segment, isLast) {
  const name = segment.slice(1);
  if (segment.startsWith(":")) {
    if (NAME.test(name)) return { kind: "parameter", text: name };
    throw new UsageError("ERR_PARAMETER_INVALID", pattern, segment);
  }
  if (segment.includes("*")) {
    const isWhole = segment === "*" || NAME.test(name);
    if (segment.startsWith("*") && isWhole && isLast) {
      return { kind: "wildcard", text: name || "*" };
    }
    throw new UsageError("ERR_WILDCARD_INVALID", pattern, segment);
  }
  return { kind: "static", text: segment };
}

// The text as it stands in canonical paths, which is what a route is
// compared with. A pattern is written like a target.
function canonical(text, pattern) {
  try {
    return canonicalPath(text.replace(/[^!-~]/gu, encodeURIComponent));
  } catch (err) {
    const isTarget = err instanceof TargetError;
    const what = isTarget ? err.message : "a broken character";
    return refusePattern(pattern, `no path has ${what}`);
  }
}

/** @typedef {Part} Segment whose text has no slash */

// A pattern's segments, from left to right.
export function segmentsOf(parts) {
  /** @type {Segment[]} */
  const segments = [];
  for (const part of parts) {
    if (part.kind === "static") {
      const [, ...texts] = part.text.split("/");
      segments.push(...texts.map((text) => ({ ...part, text })));
    } else {
      // The text before a parameter ends in the slash before it.
      segments[segments.length - 1] = part;
    }
  }
  return segments;
}

// Which segment each parameter's name stands for.
export function placesOf(segments, names) {
  const places = [];
  for (const [index, { kind }] of segments.entries()) {
    if (kind === "static") continue;
    const isRest = kind === "wildcard";
    places.push({ name: names[places.length], index, isRest });
  }
  return places;
}

// What a pattern is below the path that its router is mounted at.
export function mountedPattern(path, pattern) {
  if (pattern === "/") return path;
  return (path.endsWith("/") ? path.slice(0, -1) : path) + pattern;
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
