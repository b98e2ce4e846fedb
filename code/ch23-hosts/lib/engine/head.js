import { HttpError } from "../errors.js";
import {
  COLON,
  CR,
  LF,
  SLASH,
  SPACE,
  TAB,
  TARGET,
  TOKEN,
  VALUE,
} from "./bytes.js";
import { Framing } from "./framing.js";
import {
  checkTarget,
  checkVersion,
  readMethod,
  readVersion,
} from "./request-line.js";

// A space, `HTTP/1.1`, CR and LF.
const LINE_END_BYTES = 11;

/**
 * @typedef {object} HeadLimits
 * @property {number} headBytes
 * @property {number} fieldCount
 */

/** Reads one head after another, of bytes that come in any pieces. */
export class HeadReader {
  /** @type {HeadLimits} */
  #limits;
  // How many bytes of the head have been read, in whole lines.
  #done = 0;
  #fieldCount = 0;
  #targetStart = 0;
  #targetEnd = 0;

  method = "";
  target = "";
  /** 1 for HTTP/1.1, 0 for HTTP/1.0 */
  minorVersion = 1;
  framing = new Framing();
  /** The head's bytes as text, and where in it the fields begin. */
  text = "";
  fieldsStart = 0;

  /** @param {HeadLimits} limits */
  constructor(limits) {
    this.#limits = limits;
  }

  /**
   * Reads as many whole lines as there are.
   *
   * @param {Buffer} bytes
   * @param {number} start of the head, also if it was read in part
   * @param {number} end of the bytes
   * @returns {number} the end of the head, or -1 if that hasn't come
   * @throws {HttpError} 400, 414, 431, 501, 505
   */
  read(bytes, start, end) {
    if (this.#done === 0) {
      const next = this.#readRequestLine(bytes, start, end);
      if (next === -1) return -1;
      this.#done = next - start;
    }
    for (;;) {
      const at = start + this.#done;
      const next = this.#readFieldLine(bytes, at, end);
      if (next === -1) {
        this.#checkSize(end - start);
        return -1;
      }
      this.#checkSize(next - start);
      this.#done = next - start;
      if (next !== at + 2) continue;
      this.#finish(bytes, start, next);
      return next;
    }
  }

  #checkSize(size) {
    if (size <= this.#limits.headBytes) return;
    throw new HttpError(431, "the fields are too long");
  }

  #checkLine(size) {
    if (size <= this.#limits.headBytes) return;
    throw new HttpError(414, "the request line is too long");
  }

  // Gives the end of the line, or -1 if that hasn't come.
  #readRequestLine(bytes, start, end) {
    this.#begin();
    let i = start;
    while (i < end && TOKEN[bytes[i]] === 1) i += 1;
    const methodEnd = i;
    if (i < end && (bytes[i] !== SPACE || i === start)) {
      throw new HttpError(400, "a request begins with a method");
    }
    i += 1;
    while (i < end && TARGET[bytes[i]] === 1) i += 1;
    this.#checkLine(i - start);
    if (i >= end) return -1;
    if (bytes[i] !== SPACE || i === methodEnd + 1) {
      throw new HttpError(400, "a method, a target and HTTP/1.1");
    }
    if (i + LINE_END_BYTES > end) {
      checkVersion(bytes, i + 1, end);
      return -1;
    }
    this.minorVersion = readVersion(bytes, i + 1);
    this.method = readMethod(bytes, start, methodEnd);
    if (bytes[methodEnd + 1] !== SLASH) {
      checkTarget(this.method, bytes.latin1Slice(methodEnd + 1, i));
    }
    this.#targetStart = methodEnd + 1 - start;
    this.#targetEnd = i - start;
    this.fieldsStart = i + LINE_END_BYTES - start;
    return i + LINE_END_BYTES;
  }

  #begin() {
    this.method = "";
    this.#fieldCount = 0;
    this.framing.begin();
  }

  // Gives the end of the line, or -1 if that hasn't come.
  #readFieldLine(bytes, start, end) {
    let i = start;
    while (i < end && TOKEN[bytes[i]] === 1) i += 1;
    if (i === end) return -1;
    if (i === start && bytes[i] === CR) return lineEnd(bytes, i, end);
    const nameEnd = i;
    if (bytes[i] !== COLON || i === start) {
      throw new HttpError(400, "a field is a name, a colon and a value");
    }
    i += 1;
    while (i < end && isWhite(bytes[i])) i += 1;
    const valueStart = i;
    while (i < end && VALUE[bytes[i]] === 1) i += 1;
    if (i === end) return -1;
    const next = lineEnd(bytes, i, end);
    if (next === -1) return -1;
    while (i > valueStart && isWhite(bytes[i - 1])) i -= 1;
    this.#fieldCount += 1;
    if (this.#fieldCount > this.#limits.fieldCount) {
      throw new HttpError(431, "there are too many fields");
    }
    this.framing.note(bytes, start, nameEnd, valueStart, i);
    return next;
  }

  #finish(bytes, start, end) {
    this.#done = 0;
    this.text = bytes.latin1Slice(start, end);
    this.target = this.text.slice(this.#targetStart, this.#targetEnd);
    this.framing.settle(this.minorVersion);
  }
}

function isWhite(byte) {
  return byte === SPACE || byte === TAB;
}

function lineEnd(bytes, i, end) {
  if (bytes[i] !== CR) {
    throw new HttpError(400, "a character has no place in a value");
  }
  if (i + 1 === end) return -1;
  if (bytes[i + 1] === LF) return i + 2;
  throw new HttpError(400, "a line ends in CR and LF");
}
