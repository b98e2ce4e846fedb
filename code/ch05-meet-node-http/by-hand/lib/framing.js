import { HttpError } from "./errors.js";

/** @import { Request } from "./request-parser.js" */

/** The length of a body that comes in chunks: not known beforehand. */
export const CHUNKED = -1;

/**
 * Reads off the head where the body ends (RFC 9112, section 6.3).
 *
 * @param {Request} request
 * @returns {number} bytes, or CHUNKED
 * @throws {HttpError} 400 or 501
 */
export function bodyLength({ version, fields }) {
  const length = fields["content-length"];
  const coding = fields["transfer-encoding"];
  if (coding !== undefined) {
    if (length !== undefined) {
      throw new HttpError(400, "both a length and a transfer coding");
    }
    if (version === "1.0") {
      throw new HttpError(400, "HTTP/1.0 has no transfer codings");
    }
    checkCoding(String(coding).toLowerCase());
    return CHUNKED;
  }
  if (length === undefined) return 0;
  if (!/^\d+$/.test(String(length))) {
    throw new HttpError(400, "Content-Length is one decimal number");
  }
  return Number(length);
}

/** @param {string} coding in lower case */
function checkCoding(coding) {
  if (coding === "chunked") return;
  const codings = coding.split(",").map((name) => name.trim());
  if (codings.indexOf("chunked") !== codings.length - 1) {
    throw new HttpError(400, "the last transfer coding is chunked, once");
  }
  throw new HttpError(501, "chunked is the only transfer coding here");
}

/**
 * @param {string} line size in hexadecimal, perhaps with extensions,
 *   which a server may ignore (RFC 9112, section 7.1.1)
 * @returns {number} bytes
 * @throws {HttpError} 400
 */
export function parseChunkSize(line) {
  const match = /^([\dA-Fa-f]+)(;[\t\x20-\x7e\x80-\xff]*)?$/.exec(line);
  if (match === null) {
    throw new HttpError(400, "a chunk size is a hexadecimal number");
  }
  return Number.parseInt(match[1], 16);
}
