/** Bytes that come in pieces, however small, kept in one place. */
export class GrowingBytes {
  #bytes = Buffer.alloc(0);
  #length = 0;

  get length() {
    return this.#length;
  }

  /** @param {Uint8Array} piece is copied */
  append(piece) {
    const length = this.#length + piece.length;
    if (length > this.#bytes.length) {
      const size = Math.max(length, 2 * this.#bytes.length);
      const larger = Buffer.allocUnsafeSlow(size);
      larger.set(this.bytes);
      this.#bytes = larger;
    }
    this.#bytes.set(piece, this.#length);
    this.#length = length;
  }

  get bytes() {
    return this.#bytes.subarray(0, this.#length);
  }
}
