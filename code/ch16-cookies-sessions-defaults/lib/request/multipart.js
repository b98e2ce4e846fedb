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
  bytes() {
    return gather(this, this.#gatheredBytes);
  }

  /** @throws {HttpError} 400, 413, 415 */
  async text() {
    return decodeText(await this.bytes(), this.type);
  }
}

/**
 * Gives the parts of a body while it comes.
 *
 * @param {AsyncIterable<Buffer>} body
 * @param {string} boundary
 * @param {typeof partLimits} limits
 * @returns {AsyncGenerator<Part, void>}
 * @throws {HttpError} 400, 413
 */
export async function* readParts(body, boundary, limits) {
  const chunks = body[Symbol.asyncIterator]();
  const reader = new PartReader(chunks, boundary);
  try {
    for (let count = 0; ; count += 1) {
      const bytes = await reader.nextHead(limits.headBytes);
      if (bytes === null) break;
      if (count === limits.count) {
        throw new HttpError(413, "there are too many parts");
      }
      const head = parsePartHead(bytes);
      checkNames(head, limits.nameBytes);
      const pieces = reader.pieces(limits.partBytes);
      yield new Part(head, pieces, limits.gatheredBytes);
    }
    // What stands behind the last part means nothing, but it has to come.
    while (!(await chunks.next()).done);
  } finally {
    await chunks.return?.();
  }
}

function checkNames({ name, filename }, mostBytes) {
  const isShort = (text) => Buffer.byteLength(text) <= mostBytes;
  if (isShort(name) && isShort(filename ?? "")) return;
  throw new HttpError(413, "the name of a part is too long");
}
