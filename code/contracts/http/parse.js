import assert from "node:assert/strict";
import { DEFAULT_LIMITS } from "./cases/building-blocks.js";

/**
 * @typedef {object} RequestLike what a parser hands on
 * @property {string} method
 * @property {string} target
 * @property {string} version
 * @property {Record<string, string | string[]>} fields
 * @property {string | Uint8Array} body
 *
 * @typedef {new (options: {
 *   limits?: import("./cases/building-blocks.js").Limits,
 *   onRequest: (request: any) => void,
 * }) => { push(bytes: Buffer): void }} RequestParserClass
 *
 * @typedef {object} ParseResult
 * @property {RequestLike[]} requests with their bodies as text
 * @property {number} [status] of the error that ended it
 */

/** Every status with which a server of the book refuses a request. */
const STATUSES = [400, 408, 413, 414, 417, 431, 501, 505];

/**
 * Feeds pieces to a new parser, one after the other, up to the first error.
 *
 * @param {RequestParserClass} RequestParser
 * @param {Iterable<Buffer>} pieces
 * @param {import("./cases/building-blocks.js").Limits} [limits]
 * @returns {ParseResult}
 * @throws whatever the parser throws that is no answer to a client
 */
export function parse(RequestParser, pieces, limits = {}) {
  /** @type {RequestLike[]} */
  const requests = [];
  const parser = new RequestParser({
    limits: { ...DEFAULT_LIMITS, ...limits },
    onRequest: (request) => requests.push(copyOf(request)),
  });
  try {
    // A copy of each piece: the reader of a socket uses its memory again.
    for (const piece of pieces) parser.push(Buffer.from(piece));
  } catch (error) {
    return { requests, status: statusOf(error) };
  }
  return { requests };
}

/**
 * @param {RequestLike} request
 * @returns {RequestLike}
 */
function copyOf({ method, target, version, fields, body }) {
  return {
    method,
    target,
    version,
    fields: Object.assign(Object.create(null), fields),
    body: typeof body === "string" ? body : Buffer.from(body).toString(),
  };
}

/** @param {unknown} error */
function statusOf(error) {
  const { statusCode } = /** @type {{ statusCode?: number }} */ (error);
  if (statusCode === undefined) throw error;
  assert.ok(STATUSES.includes(statusCode), `no status is ${statusCode}`);
  return statusCode;
}

/**
 * @param {Buffer} bytes
 * @param {number[]} offsets rising
 * @returns {Buffer[]} the bytes, cut there
 */
export function cutAt(bytes, offsets) {
  const ends = [...offsets, bytes.length];
  return ends.map((end, i) => bytes.subarray(ends[i - 1] ?? 0, end));
}
