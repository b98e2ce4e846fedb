import { isUtf8 } from "node:buffer";
import { HttpError } from "../errors.js";
import { parseField } from "./field.js";

const BOM = 0xfeff;

/**
 * Refuses a body that has none of the types.
 *
 * @param {string | undefined} contentType the field
 * @param {...string} types a whole type, or `+` and how it must end
 * @returns {Map<string, string>} the type's parameters
 * @throws {HttpError} 415 (RFC 9110, section 15.5.16)
 */
export function requireType(contentType, ...types) {
  const type = parseField(contentType ?? "");
  if (type !== null && types.some((wanted) => isOf(type.value, wanted))) {
    return type.parameters;
  }
  const [accept] = types;
  const headers = { accept };
  throw new HttpError(415, `the body must be ${accept}`, { headers });
}

function isOf(type, wanted) {
  if (!wanted.startsWith("+")) return type === wanted;
  return type.includes("/") && type.endsWith(wanted);
}

/**
 * Reads bytes as text, which has to be UTF-8.
 *
 * @param {Buffer} bytes
 * @param {string} [contentType] the field
 * @throws {HttpError} 400 for other bytes, 415 for another charset
 */
export function decodeText(bytes, contentType) {
  if (contentType !== undefined) requireUtf8(contentType);
  if (!isUtf8(bytes)) throw new HttpError(400, "the body isn't UTF-8");
  const text = bytes.toString();
  return text.charCodeAt(0) === BOM ? text.slice(1) : text;
}

function requireUtf8(contentType) {
  // What a part is that doesn't say its type.
  if (contentType === "text/plain") return;
  const type = parseField(contentType);
  const charset = type?.parameters.get("charset") ?? "utf-8";
  if (type === null || !/^(utf-?8|us-ascii)$/i.test(charset)) {
    throw new HttpError(415, "the body's charset must be utf-8");
  }
}
