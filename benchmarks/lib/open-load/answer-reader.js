/** A head of an answer has to end within so many bytes. */
const mostHead = 8192;

const endOfHead = "\r\n\r\n";

/**
 * The last answer that came in one piece. Most are the same as the one before
 * until the second of their Date is over: comparing is cheaper than reading.
 */
const last = { text: "", missing: 0, isGood: false };

/**
 * Finds the end of answers to requests of which one at a time is under way:
 * the head, and after it as many bytes as Content-Length says.
 */
export class AnswerReader {
  #head = "";
  #missing = 0;

  /** Whether the answer that has begun has a status of 2xx. */
  isGood = false;

  /**
   * @param {Buffer} buffer
   * @param {number} length how much of it has come
   * @returns {boolean} whether the answer is whole
   * @throws {Error} when this is no answer that it can read
   */
  take(buffer, length) {
    if (this.#missing > 0) return this.#takeBody(length);
    const piece = buffer.toString("latin1", 0, Math.min(length, mostHead));
    if (this.#head === "" && piece === last.text) {
      this.isGood = last.isGood;
      if (last.missing === 0 && length <= mostHead) return true;
    }
    const text = this.#head + piece;
    const end = text.indexOf(endOfHead);
    if (end < 0) {
      if (text.length >= mostHead) throw new Error("a head that has no end");
      this.#head = text;
      return false;
    }
    const head = text.slice(0, end + 2);
    this.isGood = /^HTTP\/1\.1 2\d\d /.test(head);
    const size = /\r\ncontent-length: *(\d+) *\r\n/i.exec(head);
    if (!size) throw new Error("an answer without Content-Length");
    this.#missing = end + endOfHead.length + Number(size[1]);
    const isWhole = this.#takeBody(this.#head.length + length);
    if (this.#head === "" && length <= mostHead) {
      Object.assign(last, { text: piece, missing: this.#missing, isGood: this.isGood });
    }
    this.#head = "";
    return isWhole;
  }

  /** @param {number} length of what has come of the whole answer */
  #takeBody(length) {
    this.#missing -= length;
    if (this.#missing < 0) throw new Error("more than one answer to a request");
    return this.#missing === 0;
  }
}
