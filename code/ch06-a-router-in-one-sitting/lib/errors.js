/** A mistake in the program that uses velocy, thrown while it starts. */
export class UsageError extends TypeError {
  constructor(code, ...details) {
    super(MESSAGES[code](...details));
    this.name = "UsageError";
    this.code = code;
  }
}

const MESSAGES = {
  ERR_METHOD_INVALID: (method, why) =>
    `no request can have the method ${method}: ${why}`,
  ERR_PATTERN_INVALID: (pattern, why) =>
    `the pattern ${pattern} can't be used: ${why}`,
  ERR_HANDLER_INVALID: (route, handler) =>
    `the handler of ${route} must be a function, not ${handler}`,
  ERR_ARGUMENTS_EXTRA: (route, extra) =>
    `${route} takes one handler: ${extra} behind it would be lost`,
  ERR_ROUTE_CONFLICT: (route, addedAt, other, otherAddedAt) =>
    `${route} (added at ${addedAt}) can never match: ` +
    `${other} (added at ${otherAddedAt}) takes every path it could`,
  ERR_ROUTER_INVALID: (router) =>
    `createServer needs a Router, not ${router}`,
  ERR_OPTIONS_INVALID: (options) =>
    `createServer needs its options in an object, not ${options}`,
  ERR_OPTION_INVALID: (option, expected, given) =>
    `the option ${option} must be ${expected}, not ${given}`,
  ERR_OPTION_RESERVED: (option) =>
    `the option ${option} can't be used: velocy sets it`,
  ERR_OPTION_UNKNOWN: (option, meant) =>
    `there is no option ${option}: did you mean ${meant}?`,
};

// Short, and telling the type.
export function show(value) {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "function") return "a function";
  if (typeof value === "object" && value !== null) return "an object";
  return String(value);
}

// In a stack: at file:///home/you/server.js:6:8, or, behind a function's
// name, (/home/you/server.js:6:8).
const PLACE = /(?:at |\()([a-z]+:\/\/\S+:\d+:\d+|\/.*:\d+:\d+)/;

// The place in the program that called `fn`, a public function of ours:
// `routes.js:12:8`, relative to the working folder.
export function callerOf(fn) {
  const trace = { stack: "" };
  Error.captureStackTrace?.(trace, fn);
  const [, frame = ""] = String(trace.stack).split("\n");
  const place = PLACE.exec(frame)?.[1] ?? "an unknown place";
  const isUrl = place.startsWith("file://");
  const file = isUrl ? decodeURIComponent(place.slice(7)) : place;
  const folder = `${globalThis.process?.cwd()}/`;
  return file.startsWith(folder) ? file.slice(folder.length) : file;
}
