import { HttpError } from "./errors.js";
import { listMembers } from "./head.js";

/** @import { Request } from "./request-parser.js" */

/** The length of a body that comes in chunks: not known beforehand. */
export const CHUNKED = -1;

// The extensions of a chunk (RFC 9112, section 7.1.1).
const token = String.raw`[!#$%&'*+\-.^_\x60|~\w]+`;
const text = String.raw`[\t !#-\[\]-~\x80-\xff]`;
const quoted = String.raw`"(?:${text}|\\[\t -~\x80-\xff])*"`;
const value = String.raw`[\t ]*=[\t ]*(?:${token}|${quoted})`;
const extension = String.raw`[\t ]*;[\t ]*${token}(?:${value})?`;
const CHUNK_LINE = new RegExp(String.raw`^([\dA-Fa-f]+)(?:${extension})*$`);

/**
 * Reads off the head where the body ends (RFC 9112, section 6.3).
 *
 * @param {Request} request
 * @returns {number} bytes, or CHUNKED
 * @throws {HttpError} 400 or 501
 */
export function bodyLength({ version, fields }) {
  const coding = fields["transfer-encoding"];
  const length = fields["content-length"];
  if (coding !== undefined) {
    if (length !== undefined) {
      throw new HttpError(400, "both a length and a transfer coding");
    }
    if (version === "1.0") {
      throw new HttpError(400, "HTTP/1.0 has no transfer codings");
    }
    checkCodings(listMembers(coding));
    return CHUNKED;
  }
  if (length === undefined) return 0;
  if (!/^\d+$/.test(String(length))) {
    throw new HttpError(400, "Content-Length is one decimal number");
  }
  return Number(length);
}

function checkCodings(codings) {
  const others = codings.slice(0, -1);
  if (codings.at(-1) !== "chunked" || others.includes("chunked")) {
    throw new HttpError(400, "the last transfer coding is chunked, once");
  }
  if (others.length > 0) {
    throw new HttpError(501, "chunked is the only transfer coding here");
  }
}

/**
 * @param {string} line size in hexadecimal, perhaps with extensions,
 *   which a server may ignore (RFC 9112, section 7.1.1)
 * @returns {number} bytes
 * @throws {HttpError} 400
 */
export function parseChunkSize(line) {
  const match = CHUNK_LINE.exec(line);
  if (match === null) {
    throw new HttpError(400, "a chunk has a size, and extensions");
  }
  return Number.parseInt(match[1], 16);
}
