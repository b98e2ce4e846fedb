import { Body } from "./body.js";
import { HttpError } from "./errors.js";
import { bodyLength, CHUNKED, parseChunkSize } from "./framing.js";
import {
  addField,
  checkBeginning,
  expectsContinue,
  parseFieldLine,
  parseRequestLine,
  settleHost,
} from "./head.js";
import { defaultLimits } from "./limits.js";

/** @import { Limits } from "./limits.js" */

/**
 * @typedef {object} Request
 * @property {string} method
 * @property {string} target
 * @property {string} version such as "1.1"
 * @property {Record<string, string | string[]>} fields
 * @property {Buffer} body
 */

// The states: what the next byte belongs to.
const REQUEST_LINE = 0;
const FIELD_LINE = 1;
const BODY = 2;
const CHUNK_SIZE = 3;
const CHUNK_DATA = 4;
const CHUNK_END = 5;
const TRAILER_LINE = 6;

/** The body of a request that has none. */
const EMPTY = Buffer.alloc(0);

/** Makes requests out of bytes that come in pieces of any size. */
export class RequestParser {
  #state = REQUEST_LINE;
  /** The beginning of a line whose end has not come. */
  #line = "";
  /** How many pieces of lines have come without an end. */
  #pieceCount = 0;
  /** @type {Request | null} */
  #request;
  #body = new Body();
  /** Bytes that the body, or the chunk, still lacks. */
  #missing = 0;
  #onRequest;
  #onContinue;
  #isStopped = false;
  #limits;
  /** One empty line is forgiven (RFC 9112, section 2.2). */
  #isLineSkipped = false;
  /** Bytes and lines that the field section may still have. */
  #fieldBytesLeft = 0;
  #fieldLinesLeft = 0;

  /**
   * @param {object} options
   * @param {(request: Request) => unknown} options.onRequest
   *   is called with each request once its last byte has come; gives
   *   false to have the rest of the chunk left alone
   * @param {() => void} [options.onContinue]
   *   is called when a client waits for a word to send the body
   * @param {Limits} [options.limits]
   */
  constructor({ onRequest, onContinue, limits = defaultLimits }) {
    this.#onRequest = onRequest;
    this.#onContinue = onContinue;
    this.#limits = limits;
  }

  /** True while no byte of the next request has come. */
  get isBetweenRequests() {
    return this.#state === REQUEST_LINE && this.#line === "";
  }

  /** True until the empty line after the fields. */
  get isInHead() {
    return this.#state === REQUEST_LINE || this.#state === FIELD_LINE;
  }

  /** Of the request at hand, as far as it has come. */
  get method() {
    return this.#request?.method;
  }

  /**
   * @param {Buffer} chunk the next bytes
   * @returns {number} how many of them have been read
   * @throws {HttpError} at bytes that are no request. Nobody knows where
   *   the next one begins, so push nothing more.
   */
  push(chunk) {
    // One character a byte: an index into the text fits the chunk too.
    let text;
    let at = 0;
    this.#isStopped = false;
    while (at < chunk.length && !this.#isStopped) {
      if (this.#state === BODY || this.#state === CHUNK_DATA) {
        at = this.#readBody(chunk, at);
      } else {
        text ??= chunk.toString("latin1");
        at = this.#readLine(text, at);
      }
    }
    return at;
  }

  /**
   * @param {string} text
   * @param {number} start
   * @returns {number} where the next line begins
   */
  #readLine(text, start) {
    if (this.#state === REQUEST_LINE && this.#line.length < 2) {
      checkBeginning(this.#line + text.slice(start, start + 2));
    }
    const newline = text.indexOf("\n", start);
    if (newline === -1) {
      this.#line += text.slice(start);
      this.#checkLine(this.#line);
      this.#packLine();
      return text.length;
    }
    const line = this.#line + text.slice(start, newline);
    this.#line = "";
    this.#checkLine(line);
    if (!line.endsWith("\r")) {
      throw new HttpError(400, "a line ends in CR and LF");
    }
    this.#takeLine(line.slice(0, -1));
    return newline + 1;
  }

  #packLine() {
    this.#pieceCount += 1;
    if (this.#pieceCount % 256 !== 0) return;
    this.#line = Buffer.from(this.#line, "latin1").toString("latin1");
  }

  #checkLine(line) {
    // The last character may be the CR.
    const length = line.length - 1;
    switch (this.#state) {
      case REQUEST_LINE:
        if (length > this.#limits.requestLineBytes) {
          throw new HttpError(414, "the request line is too long");
        }
        break;
      case FIELD_LINE:
      case TRAILER_LINE:
        // Counted with CR LF. The empty line at the end is free.
        if (length > 0 && length + 2 > this.#fieldBytesLeft) {
          throw new HttpError(431, "the fields are too long");
        }
        break;
      default:
        // A chunk's size, or the empty line that must follow its data.
        if (length > this.#limits.chunkLineBytes) {
          throw new HttpError(400, "the line of a chunk is too long");
        }
    }
  }

  /** @param {string} line without its CR LF */
  #takeLine(line) {
    switch (this.#state) {
      case REQUEST_LINE:
        return this.#takeRequestLine(line);
      case FIELD_LINE:
        return this.#takeFieldLine(line);
      case CHUNK_SIZE:
        return this.#takeChunkSize(line);
      case CHUNK_END:
        return this.#takeChunkEnd(line);
      case TRAILER_LINE:
        return this.#takeTrailerLine(line);
    }
  }

  /** @param {string} line */
  #takeRequestLine(line) {
    if (line === "" && !this.#isLineSkipped) {
      this.#isLineSkipped = true;
      return;
    }
    const { method, target, version } = parseRequestLine(line);
    // A client chooses the names, so none may be there beforehand.
    const fields = { __proto__: null };
    this.#request = { method, target, version, fields, body: EMPTY };
    this.#fieldBytesLeft = this.#limits.fieldSectionBytes;
    this.#fieldLinesLeft = this.#limits.fieldCount;
    this.#state = FIELD_LINE;
  }

  /** @param {string} line */
  #takeFieldLine(line) {
    if (line === "") return this.#endHead();
    this.#countFieldLine(line);
    const { name, value } = parseFieldLine(line);
    addField(this.#request.fields, name, value);
  }

  #countFieldLine(line) {
    // Counted with the CR LF, which it has lost.
    this.#fieldBytesLeft -= line.length + 2;
    this.#fieldLinesLeft -= 1;
    if (this.#fieldLinesLeft < 0) {
      throw new HttpError(431, "there are too many fields");
    }
  }

  #endHead() {
    settleHost(this.#request);
    const wantsContinue = expectsContinue(this.#request);
    const length = bodyLength(this.#request);
    if (length === 0) return this.#endRequest();
    if (length === CHUNKED) {
      this.#state = CHUNK_SIZE;
    } else {
      this.#checkBodyLength(length);
      this.#missing = length;
      this.#state = BODY;
    }
    if (wantsContinue) this.#onContinue?.();
  }

  #checkBodyLength(length) {
    if (length > this.#limits.bodyBytes) {
      throw new HttpError(413, "the body is too large");
    }
  }

  /**
   * @param {Buffer} chunk
   * @param {number} start
   * @returns {number} where the bytes begin that are not of this body
   */
  #readBody(chunk, start) {
    const end = Math.min(start + this.#missing, chunk.length);
    this.#body.append(chunk.subarray(start, end));
    this.#missing -= end - start;
    if (this.#missing === 0) {
      if (this.#state === CHUNK_DATA) this.#state = CHUNK_END;
      else this.#endBody();
    }
    return end;
  }

  /** @param {string} line */
  #takeChunkSize(line) {
    const size = parseChunkSize(line);
    this.#checkBodyLength(this.#body.length + size);
    this.#fieldBytesLeft -= line.length - size.toString(16).length;
    if (this.#fieldBytesLeft < 0) {
      throw new HttpError(431, "the lines of the chunks are too long");
    }
    this.#missing = size;
    this.#state = size === 0 ? TRAILER_LINE : CHUNK_DATA;
  }

  /** @param {string} line */
  #takeChunkEnd(line) {
    if (line !== "") {
      throw new HttpError(400, "a chunk does not end where its size says");
    }
    this.#state = CHUNK_SIZE;
  }

  /** @param {string} line */
  #takeTrailerLine(line) {
    if (line === "") return this.#endBody();
    this.#countFieldLine(line);
    // It has to be a field line, but nobody here has a use for it.
    parseFieldLine(line);
  }

  #endBody() {
    this.#request.body = this.#body.toBuffer();
    // The connection may live for hours, and must not keep the bytes.
    this.#body = new Body();
    this.#endRequest();
  }

  #endRequest() {
    this.#state = REQUEST_LINE;
    this.#isLineSkipped = false;
    this.#isStopped = this.#onRequest(this.#request) === false;
    this.#request = null;
  }
}
