import { STATUS_CODES } from "node:http";

/**
 * @typedef {object} Response
 * @property {number} statusCode
 * @property {Record<string, string>} fields
 * @property {string} body
 */

// A field's name and its value (RFC 9110, sections 5.1 and 5.5).
const NAME = /^[!#$%&'*+\-.^_`|~\w]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

// What the server writes itself, whatever the handler says.
const OURS = /^(?:connection|content-length|date|transfer-encoding)$/i;

// These end with their head (RFC 9112, section 6.3).
const HEAD_ONLY = new Set([204, 304]);

/**
 * Can it be the status of a whole answer? (RFC 9110, section 15)
 *
 * @param {number} statusCode
 */
export function isFinalStatus(statusCode) {
  const isInteger = Number.isInteger(statusCode);
  return isInteger && statusCode >= 200 && statusCode <= 599;
}

/**
 * Can it have a body? (RFC 9110, sections 6.4.1 and 15.3.6)
 *
 * @param {Response} response
 */
export function hasContent({ statusCode }) {
  return statusCode !== 205 && !HEAD_ONLY.has(statusCode);
}

/**
 * The bytes before the body: status line, field lines, empty line
 * (RFC 9112, section 2.1).
 *
 * @param {Response} response
 * @param {boolean} isLast will the connection close after it?
 * @returns {string}
 */
export function formatHead(response, isLast) {
  const { statusCode, fields, body } = response;
  if (!isFinalStatus(statusCode)) throw new Error("a bad status");
  if (typeof body !== "string") throw new Error("a body is a string");
  const reason = STATUS_CODES[statusCode] ?? "";
  let head = `HTTP/1.1 ${statusCode} ${reason}\r\n`;
  for (const [name, value] of Object.entries(fields)) {
    if (OURS.test(name)) continue;
    if (!NAME.test(name)) throw new Error(`${name} isn't a name`);
    if (!VALUE.test(value)) throw new Error(`${name} has a bad value`);
    head += `${name}: ${value}\r\n`;
  }
  if (!HEAD_ONLY.has(statusCode)) {
    const length = hasContent(response) ? Buffer.byteLength(body) : 0;
    head += `content-length: ${length}\r\n`;
  }
  head += `date: ${new Date().toUTCString()}\r\n`;
  head += `connection: ${isLast ? "close" : "keep-alive"}\r\n`;
  return `${head}\r\n`;
}
