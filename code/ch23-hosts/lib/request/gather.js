import { HttpError } from "../errors.js";

// One buffer for all pieces: each Buffer needs memory of its own.
export class Gatherer {
  #bytes = Buffer.alloc(0);
  length = 0;

  append(piece) {
    const length = this.length + piece.length;
    if (length > this.#bytes.length) this.#growTo(length);
    piece.copy(this.#bytes, this.length);
    this.length = length;
  }

  #growTo(length) {
    const size = Math.max(length, 2 * this.#bytes.length);
    const larger = Buffer.allocUnsafeSlow(size);
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
 * @param {AsyncIterable<Buffer>} pieces
 * @param {number} mostBytes
 * @throws {HttpError} 413
 */
export async function gather(pieces, mostBytes) {
  const gatherer = new Gatherer();
  for await (const piece of pieces) {
    const length = gatherer.length + piece.length;
    if (length > mostBytes) throw new HttpError(413);
    gatherer.append(piece);
  }
  return gatherer.toBuffer();
}
