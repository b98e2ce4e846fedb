import { finished, Readable } from "node:stream";
import { HttpError } from "../errors.js";

const EMPTY = Buffer.alloc(0);

// One buffer for all pieces: each Buffer needs memory of its own.
export class Gatherer {
  #bytes = EMPTY;
  length = 0;

  append(piece) {
    const length = this.length + piece.length;
    if (length > this.#bytes.length) this.#growTo(length);
    piece.copy(this.#bytes, this.length);
    this.length = length;
  }

  #growTo(length) {
    const size = Math.max(length, 2 * this.#bytes.length);
    const larger = Buffer.allocUnsafe(size);
    this.#bytes.copy(larger, 0, 0, this.length);
    this.#bytes = larger;
  }

  toBuffer() {
    return this.#bytes.subarray(0, this.length);
  }
}

/**
 * Gathers pieces in one Buffer.
 *
 * @param {any} pieces async iterable, with takeReady() or without
 * @param {number} mostBytes
 * @throws {HttpError} 413
 */
export async function gather(pieces, mostBytes) {
  const gatherer = new Gatherer();
  const add = (piece) => {
    const length = gatherer.length + piece.length;
    if (length > mostBytes) throw new HttpError(413);
    gatherer.append(piece);
  };
  if (pieces instanceof Readable) await takeAll(pieces, add);
  else if (!takesReady(pieces, add)) {
    for await (const piece of pieces) add(piece);
  }
  return gatherer.toBuffer();
}

// Whether that was all.
function takesReady(pieces, add) {
  let piece = pieces.takeReady?.();
  for (; piece; piece = pieces.takeReady()) add(piece);
  return piece === null;
}

// For a small body an iterator costs more than all else that reads it.
function takeAll(stream, add) {
  stream.on("data", (piece) => {
    try {
      add(piece);
    } catch (err) {
      stream.destroy(err);
    }
  });
  return new Promise((resolve, reject) => {
    finished(stream, { writable: false }, (err) => {
      if (err) reject(err);
      else resolve(undefined);
    });
  });
}
