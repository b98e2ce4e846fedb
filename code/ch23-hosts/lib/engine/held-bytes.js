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
    const more = end - start;
    if (this.end + more > this.bytes.length) this.#makeRoom(more);
    bytes.copy(this.bytes, this.end, start, end);
    this.end += more;
    return bytes.subarray(start, end).includes(LF);
  }

  // What has been read is left behind.
  #makeRoom(more) {
    const { length } = this;
    const size = Math.max(length + more, 2 * length);
    const next = Buffer.allocUnsafeSlow(size);
    this.bytes.copy(next, 0, this.start, this.end);
    this.bytes = next;
    this.start = 0;
    this.end = length;
  }

  /** What is before `start` has been read. */
  keepFrom(start) {
    this.start = start;
    // The connection may live for hours, and must not keep the bytes. They
    // may have been cleared meanwhile: then `end` is 0.
    if (this.length <= 0) this.clear();
  }

  clear() {
    this.bytes = NONE;
    this.start = 0;
    this.end = 0;
  }
}
