const LINE_END = "\r\n";
const MOST_LINE = 64 * 1024;

/** Bytes that come in pieces. A reader that needs more bytes yields. */
export class Source {
  /** What came and wasn't taken. @type {Buffer[]} */
  #chunks = [];
  #length = 0;

  add(chunk) {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
  }

  // Called only when they are enough: joining each would be quadratic.
  #join() {
    if (this.#chunks.length > 1) {
      this.#chunks = [Buffer.concat(this.#chunks)];
    }
    return this.#chunks[0];
  }

  #take(length) {
    const bytes = this.#join();
    const rest = bytes.subarray(length + LINE_END.length);
    this.#chunks = [rest];
    this.#length = rest.length;
    return bytes.toString("utf8", 0, length);
  }

  /** Reads to the end of a line. */
  *line() {
    let looked = 0;
    while (!this.#chunks.slice(looked).some(hasNewline)) {
      if (this.#length > MOST_LINE) throw new Error("the line has no end");
      looked = this.#chunks.length;
      yield;
    }
    const end = this.#join().indexOf(LINE_END);
    if (end === -1) throw new Error("the line has half an end");
    return this.#take(end);
  }

  /** Reads so many bytes, and the line end behind them. */
  *text(length) {
    while (this.#length < length + LINE_END.length) yield;
    const end = this.#join().toString("latin1", length, length + 2);
    if (end !== LINE_END) throw new Error("the length is wrong");
    return this.#take(length);
  }
}

function hasNewline(chunk) {
  return chunk.includes("\n");
}
