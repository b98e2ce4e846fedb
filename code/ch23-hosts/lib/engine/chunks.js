import { HttpError } from "../errors.js";
import { trim } from "./white-space.js";

// The line of a chunk (RFC 9112, section 7.1): a size, and extensions.
const token = String.raw`[!#$%&'*+\-.^_\x60|~\w]+`;
const text = String.raw`[\t !#-\[\]-~\x80-\xff]`;
const quoted = String.raw`"(?:${text}|\\[\t -~\x80-\xff])*"`;
const value = String.raw`[\t ]*=[\t ]*(?:${token}|${quoted})`;
const extension = String.raw`[\t ]*;[\t ]*${token}(?:${value})?`;
const TOKEN_ONLY = new RegExp(`^${token}$`);
const CHUNK_LINE = new RegExp(`^([\\dA-Fa-f]+)(?:${extension})*$`);

export const CHUNK_LINE_BYTES = 256;

/** @param {string} line @throws {HttpError} 400 */
export function parseChunkSize(line) {
  const size = parseInt(CHUNK_LINE.exec(line)?.[1] ?? "", 16);
  if (Number.isSafeInteger(size)) return size;
  throw new HttpError(400, "a chunk has a size, and extensions");
}

/** @param {string} line @returns {[string, string]} name and value */
export function parseTrailer(line) {
  const colon = line.indexOf(":");
  const name = line.slice(0, Math.max(colon, 0));
  if (!TOKEN_ONLY.test(name)) {
    throw new HttpError(400, "a field is a name, a colon and a value");
  }
  const fieldValue = trim(line, colon + 1, line.length);
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(fieldValue)) {
    throw new HttpError(400, "a character has no place in a value");
  }
  return [name, fieldValue];
}

/** Gathers a line that comes in pieces. */
export class LineReader {
  #line = "";

  /** What is left of a line that isn't complete. */
  get length() {
    return this.#line.length;
  }

  /**
   * @param {Buffer} bytes
   * @param {number} most how long the line may be
   * @param {number} statusCode if it is longer
   * @returns {string | null} null if the bytes end before the line does
   */
  read(bytes, start, end, most, statusCode) {
    const found = bytes.subarray(start, end).indexOf("\n");
    const lineEnd = found === -1 ? end : start + found;
    this.#line += bytes.toString("latin1", start, lineEnd);
    if (this.#line.length > most + 1) {
      throw new HttpError(statusCode, "a line is too long");
    }
    if (found === -1) return null;
    const line = this.#line;
    this.#line = "";
    if (!line.endsWith("\r")) {
      throw new HttpError(400, "a line ends in CR and LF");
    }
    return line.slice(0, -1);
  }
}
