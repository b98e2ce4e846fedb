import { LF } from "./bytes.js";

const NONE = Buffer.alloc(0);

/** Bytes that can't be read yet, in one buffer that grows as they come. */
export class HeldBytes {
  bytes = NONE;
  start = 0;
  end = 0;

  get length() {
    return this.end - this.start;
  }

  /** @returns {boolean} whether a line ends in what has come */
  append(bytes, start, end) {
    const before = this.end;
    const length = before + end - start;
    if (length > this.bytes.length) this.#growTo(length);
    bytes.copy(this.bytes, this.end, start, end);
    this.end = length;
    const found = this.bytes.indexOf(LF, before);
    return found !== -1 && found < length;
  }

  #growTo(length) {
    const size = Math.max(length, 2 * this.length);
    const larger = Buffer.allocUnsafeSlow(size);
    this.bytes.copy(larger, 0, 0, this.end);
    this.bytes = larger;
  }

  /** What is before `start` has been read. */
  keepFrom(start) {
    this.start = start;
    // The connection may live for hours, and must not keep the bytes.
    if (this.length === 0) this.clear();
  }

  clear() {
    this.bytes = NONE;
    this.start = 0;
    this.end = 0;
  }
}
