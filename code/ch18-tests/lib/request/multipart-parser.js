import { HttpError } from "../errors.js";

const CR = 0x0d;
const DASH = 0x2d;
const END_OF_HEAD = Buffer.from("\r\n\r\n");

/**
 * Takes a multipart body apart (RFC 2046, section 5.1.1), in whatever
 * pieces it comes. What it takes is undefined where it needs more bytes.
 */
export class MultipartParser {
  #delimiter;
  /**
   * The first delimiter may come without the line end that begins it.
   *
   * @type {Buffer}
   */
  #bytes = Buffer.from("\r\n");
  #position = 0;
  // What stands before the first delimiter is taken like a part.
  #isInPart = true;
  // Whether the line end behind a head is still to be skipped.
  #isBehindHead = false;

  /** @param {string} boundary */
  constructor(boundary) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, "latin1");
  }

  /** @param {Buffer} chunk */
  push(chunk) {
    const rest = this.#bytes.subarray(this.#position);
    this.#bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    this.#position = 0;
  }

  /** Takes the next bytes of the part: null if there are no more. */
  takePiece() {
    if (!this.#isInPart) return null;
    const start = this.#position;
    const found = this.#bytes.indexOf(this.#delimiter, start);
    const isFound = found !== -1;
    const end = isFound ? found : this.#endOfContent(start);
    this.#position = isFound ? end + this.#delimiter.length : end;
    this.#isInPart = !isFound;
    const piece = this.#bytes.subarray(this.#skipLineEnd(start, end), end);
    if (piece.length > 0) return piece;
    return isFound ? null : undefined;
  }

  // Up to where the bytes can't be the beginning of a delimiter.
  #endOfContent(start) {
    const bytes = this.#bytes;
    const first = bytes.length - this.#delimiter.length + 1;
    let at = bytes.indexOf(CR, Math.max(start, first));
    while (at !== -1) {
      const tail = bytes.subarray(at);
      if (tail.equals(this.#delimiter.subarray(0, tail.length))) return at;
      at = bytes.indexOf(CR, at + 1);
    }
    return bytes.length;
  }

  #skipLineEnd(start, end) {
    if (!this.#isBehindHead || start === end) return start;
    this.#isBehindHead = false;
    return start + 2;
  }

  /**
   * Takes the head of the next part: null if there are no more.
   *
   * @param {number} mostBytes
   * @throws {HttpError} 413
   */
  takeHead(mostBytes) {
    const bytes = this.#bytes;
    const start = this.#position;
    if (bytes.length < start + 2) return undefined;
    if (bytes[start] === DASH && bytes[start + 1] === DASH) return null;
    const found = bytes.indexOf(END_OF_HEAD, start);
    // Three bytes of its end may be there already.
    const end = found === -1 ? bytes.length - 3 : found;
    if (end - start > mostBytes) {
      throw new HttpError(413, "the head of a part is too long");
    }
    if (found === -1) return undefined;
    // The second line end may also be the beginning of a delimiter.
    this.#position = end + 2;
    this.#isBehindHead = true;
    this.#isInPart = true;
    return bytes.subarray(start, end);
  }
}
