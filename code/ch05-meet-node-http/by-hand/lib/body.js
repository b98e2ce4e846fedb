/** Gathers a body's bytes in one buffer that grows as they come. */
export class Body {
  #bytes = Buffer.alloc(0);
  #length = 0;

  /** How many bytes have come. */
  get length() {
    return this.#length;
  }

  /** @param {Buffer} piece */
  append(piece) {
    const length = this.#length + piece.length;
    if (length > this.#bytes.length) this.#growTo(length);
    piece.copy(this.#bytes, this.#length);
    this.#length = length;
  }

  #growTo(length) {
    const size = Math.max(length, 2 * this.#bytes.length);
    const larger = Buffer.alloc(size);
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }

  toBuffer() {
    return this.#bytes.subarray(0, this.#length);
  }
}
