import { STATUS_CODES } from "node:http";

/**
 * @typedef {object} Response
 * @property {number} statusCode
 * @property {Record<string, string>} fields
 * @property {string} body
 */

// RFC 9110, section 5.5: a value has no control characters but the tab.
const FORBIDDEN = /[^\t\x20-\x7e\x80-\xff]/;

/**
 * The bytes before the body: status line, field lines, empty line
 * (RFC 9112, section 2.1).
 *
 * @param {Response} response
 * @param {boolean} isLast will the connection close after it?
 * @returns {string}
 */
export function formatHead({ statusCode, fields, body }, isLast) {
  let head = `HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}\r\n`;
  for (const [name, value] of Object.entries(fields)) {
    if (FORBIDDEN.test(value)) throw new Error(`${name} has a bad value`);
    head += `${name}: ${value}\r\n`;
  }
  head += `content-length: ${Buffer.byteLength(body)}\r\n`;
  head += `date: ${new Date().toUTCString()}\r\n`;
  head += `connection: ${isLast ? "close" : "keep-alive"}\r\n`;
  return `${head}\r\n`;
}
