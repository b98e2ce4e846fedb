import { HttpError } from "../errors.js";

/** @import { Handler } from "../router/route.js" */

const MOST_ERRORS = 100;

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
    req.json = async () => value;
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

// Says where by a JSON Pointer (RFC 6901, section 6).
function toError({ message, path = [] }) {
  const steps = path.map((step) => {
    // Half a surrogate pair has no bytes: it becomes U+FFFD.
    const key = Buffer.from(String(step?.key ?? step)).toString();
    const escaped = key.replaceAll("~", "~0").replaceAll("/", "~1");
    return `/${encodeURIComponent(escaped)}`;
  });
  return { pointer: `#${steps.join("")}`, message };
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
