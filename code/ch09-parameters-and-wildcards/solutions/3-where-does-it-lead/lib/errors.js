/**
 * A mistake in the program that uses velocy: thrown while it starts, at
 * the line that made it, never while a request is answered.
 */
export class RouteError extends TypeError {
  /**
   * @param {keyof typeof MESSAGES} code stable: programs may test for it
   * @param {string[]} details what fills the message's blanks
   */
  constructor(code, ...details) {
    /** @type {(...details: string[]) => string} */
    const message = MESSAGES[code];
    super(message(...details));
    this.name = "RouteError";
    this.code = code;
  }
}

/** @satisfies {Record<string, (...details: string[]) => string>} */
const MESSAGES = {
  ERR_METHOD_INVALID: (method) =>
    `a method is a token such as "GET", not ${method}`,
  ERR_PATTERN_INVALID: (pattern, why) =>
    `the pattern ${pattern} can't match any path: ${why}`,
  ERR_PARAMETER_INVALID: (pattern, segment) =>
    `"${segment}" in "${pattern}" is not a parameter: write ":" and a ` +
    "name of letters, digits, _ and $, as the whole segment",
  ERR_PARAMETER_REPEATED: (pattern, name) =>
    `"${pattern}" has two parameters called "${name}"`,
  ERR_WILDCARD_INVALID: (pattern, segment) =>
    `"${segment}" in "${pattern}" is not a wildcard: write "*" or "*" ` +
    "and a name, as the whole of the last segment",
  ERR_HANDLER_INVALID: (route, handler) =>
    `the handler of ${route} must be a function, not ${handler}`,
  ERR_ROUTE_CONFLICT: (route, at, other, otherAt) =>
    `${route} (added at ${at}) can never match: ` +
    `${other} (added at ${otherAt}) takes every path it could`,
  ERR_ROUTER_INVALID: (router) =>
    `createServer needs a Router, not ${router}`,
  ERR_PATTERN_UNKNOWN: (pattern) => `no route has the pattern ${pattern}`,
  ERR_VALUE_INVALID: (name, value) =>
    `the value of "${name}" can't be in a path: ${value}`,
  ERR_OPTION_INVALID: (option, expected, given) =>
    `the option ${option} must be ${expected}, not ${given}`,
};

/**
 * Shows a value as a message should: short, and telling its type.
 *
 * @param {unknown} value
 */
export function show(value) {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "function") return "a function";
  if (typeof value === "object" && value !== null) return "an object";
  return String(value);
}

/**
 * The place in the program that called `fn`.
 *
 * @param {Function} fn the public function that was called
 * @returns {string} `routes.js:12:8`, relative to the working folder
 */
export function callerOf(fn) {
  /** @type {{ stack?: string }} */
  const trace = {};
  Error.captureStackTrace?.(trace, fn);
  const frame = trace.stack?.split("\n")[1] ?? "an unknown place";
  const place = frame.replace(/^\s*at (?:.* \()?|\)$/g, "");
  const folder = globalThis.process?.cwd() ?? "";
  return place.replace("file://", "").replace(`${folder}/`, "");
}
