import { HttpError } from "../errors.js";
import {
  CHUNK_LINE_BYTES,
  LineReader,
  parseChunkSize,
  parseTrailer,
} from "./chunks.js";

const SIZE = 0;
const DATA = 1;
const DATA_END = 2;
const TRAILERS = 3;
const COMPLETE = 4;

/** Finds the end of one body (RFC 9112, section 6.3). */
export class BodyReader {
  #limits;
  #state;
  // Of a chunk, or of the whole body.
  #missing = 0;
  #isChunked;
  #lines = new LineReader();
  #trailerBytes = 0;

  /** Names and values in turn. @type {string[]} */
  trailers = [];

  /** @param {number} length NaN if it comes in chunks */
  constructor(length, limits) {
    this.#limits = limits;
    this.#isChunked = Number.isNaN(length);
    this.#state = this.#isChunked ? SIZE : DATA;
    if (!this.#isChunked) this.#missing = length;
  }

  get isComplete() {
    return this.#state === COMPLETE;
  }

  /**
   * @param {Buffer} bytes
   * @param {(start: number, end: number) => void} take is told where data is
   * @returns {number} how far it has read
   * @throws {HttpError} 400, 431
   */
  read(bytes, start, end, take) {
    let at = start;
    while (at < end && this.#state !== COMPLETE) {
      at = this.#readOn(bytes, at, end, take);
    }
    return at;
  }

  #readOn(bytes, start, end, take) {
    if (this.#state === DATA) {
      const dataEnd = Math.min(end, start + this.#missing);
      take(start, dataEnd);
      this.#missing -= dataEnd - start;
      if (this.#missing === 0) {
        this.#state = this.#isChunked ? DATA_END : COMPLETE;
      }
      return dataEnd;
    }
    const isTrailer = this.#state === TRAILERS;
    const most = isTrailer ? this.#limits.headBytes : CHUNK_LINE_BYTES;
    const before = this.#lines.length;
    const line = this.#lines.read(
      bytes,
      start,
      end,
      most,
      isTrailer ? 431 : 400,
    );
    if (line === null) return end;
    this.#takeLine(line);
    return start + line.length - before + 2;
  }

  #takeLine(line) {
    switch (this.#state) {
      case SIZE:
        this.#missing = parseChunkSize(line);
        this.#state = this.#missing === 0 ? TRAILERS : DATA;
        return;
      case DATA_END:
        if (line !== "") throw new HttpError(400, "a chunk is too long");
        this.#state = SIZE;
        return;
      default:
        this.#takeTrailer(line);
    }
  }

  #takeTrailer(line) {
    if (line === "") {
      this.#state = COMPLETE;
      return;
    }
    this.#trailerBytes += line.length + 2;
    const { headBytes, fieldCount } = this.#limits;
    const isFull = this.trailers.length / 2 === fieldCount;
    if (isFull || this.#trailerBytes > headBytes) {
      throw new HttpError(431, "there are too many trailers");
    }
    this.trailers.push(...parseTrailer(line));
  }
}
