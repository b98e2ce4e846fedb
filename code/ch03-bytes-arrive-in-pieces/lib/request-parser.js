import { HttpError } from "./errors.js";
import { bodyLength, CHUNKED, parseChunkSize } from "./framing.js";
import { addField, parseFieldLine, parseRequestLine } from "./head.js";

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
  /** @type {Request} */
  #request;
  /** The pieces of the body so far. @type {Buffer[]} */
  #pieces = [];
  /** Bytes that the body still lacks. */
  #missing = 0;
  #onRequest;

  /**
   * @param {object} options
   * @param {(request: Request) => void} options.onRequest
   *   is called with each request once its last byte has come
   */
  constructor({ onRequest }) {
    this.#onRequest = onRequest;
  }

  /** True while no byte of the next request has come. */
  get isBetweenRequests() {
    return this.#state === REQUEST_LINE && this.#line === "";
  }

  /** @param {Buffer} chunk the next bytes */
  push(chunk) {
    // One character a byte: an index into the text fits the chunk too.
    let text;
    let at = 0;
    while (at < chunk.length) {
      if (this.#state === BODY || this.#state === CHUNK_DATA) {
        at = this.#readBody(chunk, at);
      } else {
        text ??= chunk.toString("latin1");
        at = this.#readLine(text, at);
      }
    }
  }

  /**
   * @param {string} text
   * @param {number} start
   * @returns {number} where the next line begins
   */
  #readLine(text, start) {
    const newline = text.indexOf("\n", start);
    if (newline === -1) {
      this.#line += text.slice(start);
      return text.length;
    }
    const line = this.#line + text.slice(start, newline);
    this.#line = "";
    if (!line.endsWith("\r")) {
      throw new HttpError(400, "a line ends in CR and LF");
    }
    this.#takeLine(line.slice(0, -1));
    return newline + 1;
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
    const { method, target, version } = parseRequestLine(line);
    // A client chooses the names, so none may be there beforehand.
    const fields = { __proto__: null };
    this.#request = { method, target, version, fields, body: EMPTY };
    this.#state = FIELD_LINE;
  }

  /** @param {string} line */
  #takeFieldLine(line) {
    if (line === "") return this.#endHead();
    const { name, value } = parseFieldLine(line);
    addField(this.#request.fields, name, value);
  }

  #endHead() {
    const length = bodyLength(this.#request);
    if (length === 0) return this.#endRequest();
    if (length === CHUNKED) {
      this.#state = CHUNK_SIZE;
    } else {
      this.#missing = length;
      this.#state = BODY;
    }
  }

  /**
   * @param {Buffer} chunk
   * @param {number} start
   * @returns {number} where the bytes begin that are not of this body
   */
  #readBody(chunk, start) {
    const end = Math.min(start + this.#missing, chunk.length);
    this.#pieces.push(chunk.subarray(start, end));
    this.#missing -= end - start;
    if (this.#missing === 0) {
      if (this.#state === CHUNK_DATA) this.#state = CHUNK_END;
      else this.#endBody();
    }
    return end;
  }

  /** @param {string} line */
  #takeChunkSize(line) {
    this.#missing = parseChunkSize(line);
    this.#state = this.#missing === 0 ? TRAILER_LINE : CHUNK_DATA;
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
    // It has to be a field line, but nobody here has a use for it.
    parseFieldLine(line);
  }

  #endBody() {
    this.#request.body = Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#endRequest();
  }

  #endRequest() {
    this.#state = REQUEST_LINE;
    this.#onRequest(this.#request);
  }
}
