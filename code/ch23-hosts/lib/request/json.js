import { HttpError } from "../errors.js";

const MOST_DEPTH = 100;

/**
 * Parses JSON that a client sent.
 *
 * @param {string} text
 * @throws {HttpError} 400
 */
export function parseJson(text) {
  const value = parse(text);
  checkValue(value, 0);
  return value;
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new HttpError(400, "the body isn't JSON", { cause });
  }
}

function checkValue(value, depth) {
  if (typeof value !== "object" || value === null) return;
  if (depth === MOST_DEPTH) {
    throw new HttpError(400, "the JSON is too deep");
  }
  if (Array.isArray(value)) {
    for (const item of value) checkValue(item, depth + 1);
    return;
  }
  for (const key in value) {
    if (key === "__proto__" || leadsToPrototype(key, value[key])) {
      throw new HttpError(400, `the JSON has the key "${key}"`);
    }
    checkValue(value[key], depth + 1);
  }
}

// A key "constructor" without a "prototype" below it may be honest.
function leadsToPrototype(key, value) {
  if (key !== "constructor" || value === null) return false;
  return Object.hasOwn(value, "prototype");
}
