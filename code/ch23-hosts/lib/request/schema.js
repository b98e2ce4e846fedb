import { HttpError } from "../errors.js";

/** @import { Handler } from "../router/route.js" */

/** What an answer may say of a body that doesn't fit. Lengths in letters. */
const MOST_ERRORS = 100;
const MOST_POINTER = 200;
const MOST_MESSAGE = 1000;

export function isSchema(value) {
  const standard = value?.["~standard"];
  return standard?.version === 1 && typeof standard.validate === "function";
}

/**
 * A handler that runs if the body fits a schema. For it `req.json()` gives
 * what the schema has made of the body.
 *
 * @param {StandardSchema} schema
 * @param {Handler} handler
 * @returns {Handler}
 */
export function withBody(schema, handler) {
  return async (req, res) => {
    const value = await validate(schema, await req.json());
    const json = async () => value;
    req.json = json;
    return handler(req, res);
  };
}

async function validate(schema, value) {
  const result = await schema["~standard"].validate(value);
  if (result.issues === undefined) return result.value;
  const errors = result.issues.slice(0, MOST_ERRORS).map(toError);
  const lines = errors.map(({ pointer, message }) => {
    return `${pointer}: ${message}`;
  });
  throw new HttpError(422, lines.join("\n"), { errors });
}

function toError({ message, path = [] }) {
  const shown = String(message).slice(0, MOST_MESSAGE);
  return { pointer: pointerTo(path), message: shown };
}

// A JSON Pointer (RFC 6901, section 6). One that gets too long stops at a
// value around the wrong one.
function pointerTo(path) {
  let pointer = "#";
  for (const step of path) {
    const key = String(step?.key ?? step).slice(0, MOST_POINTER);
    // Half a surrogate pair has no bytes: it becomes U+FFFD.
    const whole = Buffer.from(key).toString();
    const escaped = whole.replaceAll("~", "~0").replaceAll("/", "~1");
    const next = `${pointer}/${encodeURIComponent(escaped)}`;
    if (next.length > MOST_POINTER) break;
    pointer = next;
  }
  return pointer;
}

/** @typedef {(value: unknown) => Result | Promise<Result>} Validate */

/**
 * What can check a body, by https://standardschema.dev.
 *
 * @typedef {{ "~standard": { version: 1, vendor: string,
 *   validate: Validate } }} StandardSchema
 */

/**
 * @typedef {object} Result
 * @property {unknown} [value]
 * @property {readonly Issue[]} [issues] what is wrong with the value
 */

/**
 * @typedef {object} Issue
 * @property {string} message
 * @property {readonly (PropertyKey | { key: PropertyKey })[]} [path]
 */
