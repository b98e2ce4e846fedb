import { STATUS_CODES } from "node:http";

/**
 * @typedef {object} Response
 * @property {number} statusCode
 * @property {Record<string, string>} fields
 * @property {string | Buffer} body
 */

/** So many bytes of the body in a chunk. */
const CHUNK_BYTES = 16;

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
    head += `${name}: ${value}\r\n`;
  }
  // A length or chunks, never both (RFC 9112, section 6.2).
  if (fields["transfer-encoding"] === undefined) {
    head += `content-length: ${Buffer.byteLength(body)}\r\n`;
  }
  head += `date: ${new Date().toUTCString()}\r\n`;
  head += `connection: ${isLast ? "close" : "keep-alive"}\r\n`;
  return `${head}\r\n`;
}

/**
 * Cuts the body into chunks (RFC 9112, section 7.1).
 *
 * @param {Response} response
 * @returns {Response} as an HTTP/1.1 client reads it
 */
export function inChunks({ statusCode, fields, body }) {
  const bytes = Buffer.from(body);
  const pieces = [];
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    const data = bytes.subarray(at, at + CHUNK_BYTES);
    const size = Buffer.from(`${data.length.toString(16)}\r\n`);
    pieces.push(size, data, Buffer.from("\r\n"));
  }
  pieces.push(Buffer.from("0\r\n\r\n"));
  return {
    statusCode,
    fields: { ...fields, "transfer-encoding": "chunked" },
    body: Buffer.concat(pieces),
  };
}
