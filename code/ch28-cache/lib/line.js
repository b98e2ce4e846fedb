const SPACE = 32;
const MINUS = 45;
const ZERO = 48;
const LAST_OF_NOREPLY = 121;
/** In bytes. */
export const LONGEST_KEY = 250;

/** A number for a word, for a table. Others may have the same. */
export function codeOf(bytes, start, end) {
  let code = 0;
  for (let at = start; at < end; at++) code = (code * 31 + bytes[at]) | 0;
  return code;
}

/** The words of one command line, read from its bytes one after another. */
export class Line {
  bytes;
  /** Where the word is that `next` has found. */
  start = 0;
  end = 0;
  #first = 0;
  #limit = 0;

  begin(bytes, start, limit) {
    this.bytes = bytes;
    this.#first = start;
    this.end = start;
    this.#limit = limit;
  }

  /** Goes back to the first word. */
  rewind() {
    this.end = this.#first;
  }

  next() {
    const { bytes } = this;
    const limit = this.#limit;
    let at = this.end;
    while (at < limit && bytes[at] <= SPACE) at++;
    this.start = at;
    while (at < limit && bytes[at] > SPACE) at++;
    this.end = at;
    return at > this.start;
  }

  /** Whether the word is the one in these bytes. */
  is(word) {
    const { bytes, start } = this;
    if (this.end - start !== word.length) return false;
    for (let n = 0; n < word.length; n++) {
      if (bytes[start + n] !== word[n]) return false;
    }
    return true;
  }

  /** Whether the last word is `noreply`. */
  get isQuiet() {
    const { bytes } = this;
    let end = this.#limit;
    while (bytes[end - 1] <= SPACE) end--;
    if (bytes[end - 1] !== LAST_OF_NOREPLY) return false;
    const isWord = bytes[end - 8] <= SPACE;
    return isWord && bytes.latin1Slice(end - 7, end) === "noreply";
  }

  /** Whether the word is too long for a key. */
  get isTooLong() {
    return this.end - this.start > LONGEST_KEY;
  }

  /** The words that are still to come. */
  get rest() {
    const { start, end } = this;
    const words = [];
    while (this.next()) words.push(this.text);
    this.start = start;
    this.end = end;
    return words;
  }

  get text() {
    return this.bytes.latin1Slice(this.start, this.end);
  }

  /** The next word as a whole number up to `most`, or NaN. */
  nextNumber(most) {
    return this.next() ? this.#toNumber(this.start, most) : Number.NaN;
  }

  /** The next word as a time, which may be negative, or NaN. */
  nextTime() {
    return this.next() ? this.time : Number.NaN;
  }

  get time() {
    const most = 2 ** 31 - 1;
    if (this.bytes[this.start] !== MINUS) {
      return this.#toNumber(this.start, most);
    }
    return -this.#toNumber(this.start + 1, most);
  }

  #toNumber(start, most) {
    let value = start < this.end ? 0 : Number.NaN;
    for (let at = start; at < this.end; at++) {
      const digit = this.bytes[at] - ZERO;
      if (digit < 0 || digit > 9) return Number.NaN;
      value = value * 10 + digit;
    }
    return value <= most ? value : Number.NaN;
  }
}
