import { HttpError } from "./errors.js";
import { addField, parseFieldLine, parseRequestLine } from "./head.js";

/**
 * @typedef {object} Request
 * @property {string} method
 * @property {string} target
 * @property {string} version such as "1.1"
 * @property {Record<string, string | string[]>} fields
 * @property {Buffer} body
 */

/**
 * @param {Buffer} chunk the bytes of one request
 * @returns {Request}
 * @throws {HttpError} 400
 */
export function parseRequest(chunk) {
  const headEnd = chunk.indexOf("\r\n\r\n");
  if (headEnd === -1) {
    throw new HttpError(400, "the head has no end");
  }
  const head = chunk.toString("latin1", 0, headEnd);
  const [requestLine, ...fieldLines] = head.split("\r\n");
  const { method, target, version } = parseRequestLine(requestLine);
  // A client chooses the names, so none may be there beforehand.
  const fields = { __proto__: null };
  for (const line of fieldLines) {
    const { name, value } = parseFieldLine(line);
    addField(fields, name, value);
  }
  const body = chunk.subarray(headEnd + "\r\n\r\n".length);
  return { method, target, version, fields, body };
}
