import { STATUS_CODES } from "node:http";

/**
 * @typedef {object} Response
 * @property {number} statusCode
 * @property {Record<string, string>} fields
 * @property {string} body
 */

// What a field line is made of (RFC 9110, sections 5.1 and 5.5).
const FIELD_LINE = /^[!#$%&'*+\-.^_`|~\w]+: [\t\x20-\x7e\x80-\xff]*$/;

// What the server writes itself, whatever the handler says.
const OURS = /^(?:connection|content-length|date|transfer-encoding)$/i;

/**
 * Can it have a body? (RFC 9110, section 6.4.1)
 *
 * @param {Response} response
 */
export function hasContent({ statusCode }) {
  return statusCode !== 204 && statusCode !== 304;
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
  let head = `HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}\r\n`;
  for (const [name, value] of Object.entries(fields)) {
    if (OURS.test(name)) continue;
    const line = `${name}: ${value}`;
    if (!FIELD_LINE.test(line)) throw new Error(`${name} has a bad value`);
    head += `${line}\r\n`;
  }
  if (hasContent(response)) {
    head += `content-length: ${Buffer.byteLength(body)}\r\n`;
  }
  head += `date: ${new Date().toUTCString()}\r\n`;
  head += `connection: ${isLast ? "close" : "keep-alive"}\r\n`;
  return `${head}\r\n`;
}
