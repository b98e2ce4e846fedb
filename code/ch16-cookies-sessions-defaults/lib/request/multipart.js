import { HttpError, UsageError } from "../errors.js";
import { decodeText } from "./content.js";
import { gather } from "./gather.js";
import { parsePartHead } from "./part-head.js";
import { PartReader } from "./part-reader.js";

/** What one body of parts may cost. Sizes in bytes. */
export const partLimits = {
  count: 1000,
  /** All fields of a part. */
  headBytes: 8 * 1024,
  /** The name of a part, or of its file. */
  nameBytes: 256,
  /** The content of a part, as far as it is read. */
  partBytes: Infinity,
  /** The content of a part that `text` or `bytes` gather. */
  gatheredBytes: 1024 * 1024,
};

/** A part of a body: an async iterable of its bytes. */
export class Part {
  #pieces;
  #gatheredBytes;
  #isTaken = false;

  constructor({ name, filename, type }, pieces, gatheredBytes) {
    /** @type {string} */
    this.name = name;
    /** @type {string | null} the name of a file, without folders */
    this.filename = filename;
    /** @type {string} what the client takes it for */
    this.type = type;
    this.#pieces = pieces;
    this.#gatheredBytes = gatheredBytes;
  }

  /** @throws {UsageError} ERR_BODY_TAKEN */
  [Symbol.asyncIterator]() {
    if (this.#isTaken) throw new UsageError("ERR_BODY_TAKEN", "part");
    this.#isTaken = true;
    return this.#pieces;
  }

  /** @returns {Promise<Buffer>} @throws {HttpError} 413 */
  async bytes() {
    return this.#gather();
  }

  /** @throws {HttpError} 400, 413, 415 */
  async text() {
    return decodeText(await this.#gather(), this.type);
  }

  #gather() {
    return gather(this[Symbol.asyncIterator](), this.#gatheredBytes);
  }
}

/**
 * Gives the parts of a body while it comes.
 *
 * @param {AsyncIterable<Buffer>} body
 * @param {string} boundary
 * @param {typeof partLimits} limits
 * @returns {AsyncIterableIterator<Part>}
 * @throws {HttpError} 400, 413
 */
export function readParts(body, boundary, limits) {
  return new Parts(body[Symbol.asyncIterator](), boundary, limits);
}

class Parts {
  #chunks;
  #reader;
  #limits;
  #count = 0;
  #isOver = false;

  constructor(chunks, boundary, limits) {
    this.#chunks = chunks;
    this.#reader = new PartReader(chunks, boundary);
    this.#limits = limits;
  }

  [Symbol.asyncIterator]() {
    return this;
  }

  /** @returns {Promise<IteratorResult<Part>>} */
  async next() {
    try {
      let part = this.#takePart();
      while (part === undefined) {
        await this.#reader.fetch();
        part = this.#takePart();
      }
      if (part !== null) return { value: part, done: false };
      // What stands behind the last part means nothing, but has to come.
      while (!(await this.#chunks.next()).done);
    } catch (err) {
      await this.return();
      throw err;
    }
    return this.return();
  }

  /** @returns {Promise<IteratorReturnResult<undefined>>} */
  async return() {
    this.#isOver = true;
    this.#reader.end();
    await this.#chunks.return?.();
    return { value: undefined, done: true };
  }

  #takePart() {
    if (this.#isOver) return null;
    const limits = this.#limits;
    const bytes = this.#reader.takeHead(limits.headBytes);
    if (!bytes) return bytes;
    if (this.#count === limits.count) {
      throw new HttpError(413, "there are too many parts");
    }
    this.#count += 1;
    const head = parsePartHead(bytes);
    checkNames(head, limits.nameBytes);
    const pieces = this.#reader.pieces(limits.partBytes);
    return new Part(head, pieces, limits.gatheredBytes);
  }
}

function checkNames({ name, filename }, mostBytes) {
  const isShort = (text) => Buffer.byteLength(text) <= mostBytes;
  if (isShort(name) && (filename === null || isShort(filename))) return;
  throw new HttpError(413, "the name of a part is too long");
}
