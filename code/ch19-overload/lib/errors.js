import {
  STATUS_CODES,
  validateHeaderName,
  validateHeaderValue,
} from "node:http";

/** A mistake in the program that uses velocy, thrown where it is made. */
export class UsageError extends TypeError {
  constructor(code, ...details) {
    super(MESSAGES[code](...details));
    this.name = "UsageError";
    this.code = code;
  }
}

/** An error that the client is told of, with its status and message. */
export class HttpError extends Error {
  /**
   * @param {number} statusCode 400 to 599
   * @param {string} [message] for the client
   * @param {Record<string, any>} [options] `headers` go with the answer,
   *   `cause` stays here, and the rest are members of the problem (RFC
   *   9457, section 3.2)
   * @throws {UsageError} ERR_STATUS_INVALID, ERR_HEADERS_INVALID
   * @throws {TypeError} ERR_INVALID_HTTP_TOKEN, ERR_INVALID_CHAR
   */
  constructor(statusCode, message, options = {}) {
    const { headers = {}, cause, ...members } = options;
    const isError = statusCode >= 400 && statusCode <= 599;
    if (!Number.isInteger(statusCode) || !isError) {
      throw new UsageError("ERR_STATUS_INVALID", show(statusCode), 400);
    }
    if (Symbol.iterator in headers) {
      throw new UsageError("ERR_HEADERS_INVALID");
    }
    for (const [name, value] of Object.entries(headers)) {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    }
    super(message ?? STATUS_CODES[statusCode], options);
    this.name = "HttpError";
    this.statusCode = statusCode;
    this.headers = headers;
    this.members = members;
  }
}

// Some packages of npm mark an error that is the client's in this way,
// with a status from 400 to 499.
export function asHttpError(err) {
  if (err instanceof HttpError) return err;
  if (err?.expose !== true) return null;
  const statusCode = err.statusCode ?? err.status;
  if (!Number.isInteger(statusCode)) return null;
  if (statusCode < 400 || statusCode > 499) return null;
  return new HttpError(statusCode, String(err.message), { cause: err });
}

const MESSAGES = {
  ERR_METHOD_INVALID: (method, why) =>
    `no request can have the method ${method}: ${why}`,
  ERR_PATTERN_INVALID: (pattern, why) =>
    `the pattern ${pattern} can't be used: ${why}`,
  ERR_PARAMETER_INVALID: (pattern, segment) =>
    `"${segment}" in "${pattern}" is not a parameter: write ":" and a ` +
    "name as the whole segment (A-Z, a-z, 0-9, _, $; no digit first)",
  ERR_PARAMETER_REPEATED: (pattern, name) =>
    `"${pattern}" has two parameters called "${name}"`,
  ERR_WILDCARD_INVALID: (pattern, segment) =>
    `"${segment}" in "${pattern}" is not a wildcard: write "*" or "*" ` +
    "and a name, as the whole of the last segment",
  ERR_TARGET_INVALID: (target) =>
    `a request's target is a string, not ${target}`,
  ERR_HANDLER_INVALID: (route, handler) =>
    `the handler of ${route} must be a function, not ${handler}`,
  ERR_HANDLER_REPEATED: (name) =>
    `${name} has a handler already, and the first one would be lost`,
  ERR_MIDDLEWARE_INVALID: (place, why) =>
    `the middleware of ${place} can't be used: ${why}`,
  ERR_ROUTE_CONFLICT: (route, addedAt, other, otherAddedAt) =>
    `${route} (added at ${addedAt}) can never match: ` +
    `${other} (added at ${otherAddedAt}) takes every path it could`,
  ERR_PARAMETER_AMBIGUOUS: (name, guard, guardAt, other, otherAt) =>
    `"${name}" is one segment in ${guard} (added at ${guardAt}) and ` +
    `another in ${other} (added at ${otherAt})`,
  ERR_MOUNT_INVALID: (path, why) =>
    `nothing can be mounted at ${path}: ${why}`,
  ERR_NEXT_TWICE: (addedAt) =>
    `the middleware added at ${addedAt} called next() twice`,
  ERR_NEXT_LATE: (addedAt) =>
    `the middleware added at ${addedAt} has answered, and called next()`,
  ERR_ROUTER_INVALID: (router) =>
    `createServer needs a Router, not ${router}`,
  ERR_OPTIONS_INVALID: (owner, options) =>
    `${owner} needs its options in an object, not ${options}`,
  ERR_OPTION_INVALID: (option, expected, given) =>
    `the option ${option} must be ${expected}, not ${given}`,
  ERR_OPTION_RESERVED: (option) =>
    `the option ${option} can't be used: velocy sets it`,
  ERR_BODY_TAKEN: (what) =>
    `this ${what} is being read, or has been: it can be read once`,
  ERR_PART_OVER: () =>
    "a part can be read only inside its loop, until the next one",
  ERR_OPTION_UNKNOWN: (option, meant, names) =>
    meant === undefined
      ? `there is no option ${option}, only ${names.join(" and ")}`
      : `there is no option ${option}: did you mean ${meant}?`,
  ERR_STATUS_INVALID: (code, least) =>
    `${code} can't be the status: use an integer from ${least} to 599`,
  ERR_LENGTH_INVALID: (length) =>
    `the Content-Length can't be ${length}: use one number of bytes`,
  ERR_BODY_INVALID: (value, why) => `${value} can't be sent: ${why}`,
  ERR_ANSWERED: () =>
    "this request has been answered already: each gets one answer",
  ERR_FOLDER_MISSING: (root, why) =>
    `files can't be sent from ${root}: ${why}`,
  ERR_INJECT_INVALID: (to) =>
    `inject() asks a Router or a server, and not ${to}`,
  ERR_WILDCARD_MISSING: (route) =>
    `files() answers routes that end in "*", and ${route} doesn't`,
  ERR_COOKIE_INVALID: (name, why) =>
    `the cookie ${name} can't be set: ${why}`,
  ERR_SESSION_LARGE: (bytes, most) =>
    `a session of ${bytes} bytes can't be kept: ${most} is the most`,
  ERR_NONCE_MISSING: () =>
    "nonceOf(res) needs secureFields() around the handler",
  ERR_LOCATION_INVALID: (location, why) =>
    `${location} is no place to redirect to: ${why}`,
  ERR_REDIRECT_INVALID: (code) =>
    `${code} is no redirect: use 301, 302, 303, 307 or 308`,
  ERR_EVENT_INVALID: (field, value, why) =>
    `the ${field} of an event can't be ${value}: ${why}`,
  ERR_MESSAGE_INVALID: (value) =>
    `${value} can't be sent: a message is a string or bytes`,
  ERR_CLOSE_INVALID: (value, why) =>
    `a WebSocket can't be closed with ${value}: ${why}`,
  ERR_HEADERS_INVALID: () =>
    "the headers of an HttpError have to stand in a plain object",
  ERR_VALIDATOR_INVALID: (value, why) =>
    `${value} can't tell versions apart: ${why}`,
};

// Short, and telling the type.
export function show(value) {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "function") return "a function";
  if (Array.isArray(value)) return "an array";
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
