import { close, fstatSync, write, writeSync } from "node:fs";
import { promisify } from "node:util";
import { pause } from "./pause.js";

const closeLater = promisify(close);

/** An open file, or whatever else has a descriptor. */
export class Descriptor {
  #isFile;
  #isNonBlocking;

  constructor(fd, isNonBlocking = false) {
    const stats = fstatSync(fd);
    this.fd = fd;
    this.#isFile = stats.isFile();
    this.#isNonBlocking = isNonBlocking || stats.isFIFO();
    /** How long the file will be when what is under way is written. */
    this.size = stats.size;
  }

  prepare() {
    return undefined;
  }

  write(bytes, done) {
    if (this.#isNonBlocking) this.#writeNow(bytes, done);
    else this.#writeElsewhere(bytes, done);
  }

  // It takes what it has room for, or fails.
  #writeNow(bytes, done) {
    let writtenBytes = 0;
    /** @type {unknown} */
    let failure = null;
    try {
      writtenBytes = this.writeSync(bytes);
    } catch (err) {
      failure = err;
    }
    done(failure, writtenBytes);
  }

  // A thread of Node's waits for the disk.
  #writeElsewhere(bytes, done) {
    const { length } = bytes;
    this.size += length;
    write(this.fd, bytes, 0, length, null, (err, writtenBytes = 0) => {
      this.size -= length - writtenBytes;
      done(err, writtenBytes);
    });
  }

  writeSync(bytes) {
    return writeSync(this.fd, bytes);
  }

  // No callback comes any more, but the file gets longer.
  catchUp(bytes, end) {
    if (!this.#isFile) return bytes;
    for (;;) {
      const missing = this.size - fstatSync(this.fd).size;
      if (missing <= 0) return bytes;
      if (performance.now() >= end) return Math.max(bytes - missing, 0);
      pause(1);
    }
  }

  async close() {
    const { fd } = this;
    // Never 0 to 2, which are the whole process's, and nothing twice.
    this.fd = -1;
    if (fd > 2) await closeLater(fd);
  }
}
