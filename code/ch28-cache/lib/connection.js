import { addByte, START } from "./hash.js";
import { Line, LONGEST_KEY } from "./line.js";

const NEWLINE = 10;
const RETURN = 13;
const SPACE = 32;
const LONGEST_LINE = 2048;
/** Characters of answers that are sent before more are made. */
const ENOUGH = 64 * 1024;
const BAD_LINE = "CLIENT_ERROR bad command line format\r\n";
// One for all: a command has taken its words out before the next begins.
const line = new Line();

/**
 * One client. Takes its bytes, cut anywhere, and sends answers.
 */
export class Connection {
  isClosed = false;
  isBlocked = false;
  #commands;
  #send;
  #answers = "";
  /** @type {Buffer | null} */
  #kept = null;
  #state = "line";
  #hasKeys = false;
  #answeredBefore = 0;
  #onKey;
  #onData;
  #into;
  #at = 0;
  #missing = 0;

  /**
   * @param {{ run: (connection: Connection, line: Line) => void }} commands
   * @param {(text: string) => boolean} send says whether the client takes
   *   more; if it doesn't, `resume` is called when it does
   */
  constructor(commands, send) {
    this.#commands = commands;
    this.#send = send;
  }

  /** Takes the bytes from `start` to before `end`, and uses them now. */
  read(bytes, start, end) {
    if (this.#kept === null) return this.#readAll(bytes, start, end);
    const all = Buffer.concat([this.#kept, bytes.subarray(start, end)]);
    this.#readAll(all, 0, all.length);
  }

  resume() {
    this.isBlocked = false;
    const kept = this.#kept;
    if (kept !== null) this.#readAll(kept, 0, kept.length);
  }

  /** Takes nothing more. */
  close() {
    if (this.isClosed) return;
    this.isClosed = true;
    if (this.#state === "data") this.#onData(false);
  }

  /** Adds to what is sent when all that came has been read. */
  answer(text) {
    this.#answers += text;
    if (this.#answers.length > ENOUGH) this.#flush();
  }

  /** From now on keys come, up to the end of the line. */
  awaitKeys(onKey) {
    this.#state = "keys";
    this.#hasKeys = false;
    this.#answeredBefore = this.#answers.length;
    this.#onKey = onKey;
  }

  /** Takes back what was answered to the keys before, if it can. */
  refuseKeys(answer) {
    this.#answers = this.#answers.slice(0, this.#answeredBefore);
    this.answer(answer);
    this.#state = "rest";
  }

  /** Then `length` bytes come, which are put `into` a buffer or nowhere. */
  awaitData(into, at, length, onData) {
    this.#state = "data";
    this.#into = into;
    this.#at = at;
    this.#missing = length;
    this.#onData = onData;
  }

  #flush() {
    if (this.#answers === "") return;
    const text = this.#answers;
    this.#answers = "";
    this.#answeredBefore = 0;
    if (!this.#send(text)) this.isBlocked = true;
  }

  #readAll(bytes, start, end) {
    this.#kept = null;
    let at = start;
    while (at < end && !this.isClosed && !this.isBlocked) {
      const next = this.#readSome(bytes, at, end);
      if (next === at) break;
      at = next;
    }
    if (at < end && !this.isClosed) {
      this.#kept = Buffer.from(bytes.subarray(at, end));
    }
    this.#flush();
  }

  /** Gives the place up to which it has read. */
  #readSome(bytes, at, end) {
    if (this.#state === "keys") return this.#readKeys(bytes, at, end);
    if (this.#state === "data") return this.#readData(bytes, at, end);
    if (this.#state === "rest") return this.#skipLine(bytes, at, end);
    return this.#readLine(bytes, at, end);
  }

  #readLine(bytes, start, end) {
    let at = start;
    while (at < end && bytes[at] !== NEWLINE) at++;
    const isLong = at - start >= LONGEST_LINE;
    if (at === end && !isLong) return start;
    let limit = bytes[at - 1] === RETURN ? at - 1 : at;
    if (isLong) limit = start + LONGEST_LINE;
    line.begin(bytes, start, limit);
    // A word that ends at the limit may be cut there.
    if (isLong && !(this.#commands.takesKeys(line) && line.end < limit)) {
      this.close();
      return end;
    }
    line.rewind();
    this.#commands.run(this, line);
    return this.#state === "keys" ? line.end : at + 1;
  }

  #readKeys(bytes, start, end) {
    let at = start;
    while (at < end && !this.isBlocked && this.#state === "keys") {
      if (bytes[at] === NEWLINE) return this.#endKeys(at + 1);
      if (bytes[at] <= SPACE) {
        at++;
        continue;
      }
      let to = at;
      let hashed = START;
      while (to < end && bytes[to] > SPACE) {
        hashed = addByte(hashed, bytes[to++]);
      }
      if (to - at > LONGEST_KEY) {
        this.refuseKeys(BAD_LINE);
        return to;
      }
      if (to === end) return at;
      this.#hasKeys = true;
      this.answer(this.#onKey(bytes, at, to, hashed));
      at = to;
    }
    return at;
  }

  #endKeys(at) {
    this.#state = "line";
    this.answer(this.#hasKeys ? "END\r\n" : "ERROR\r\n");
    return at;
  }

  #readData(bytes, start, end) {
    const count = Math.min(end - start, this.#missing);
    if (this.#into !== null) {
      copy(bytes, start, this.#into, this.#at, count);
    }
    this.#at += count;
    this.#missing -= count;
    if (this.#missing === 0) {
      this.#state = "line";
      this.#onData(true);
    }
    return start + count;
  }

  #skipLine(bytes, start, end) {
    const at = bytes.indexOf(NEWLINE, start);
    if (at === -1 || at >= end) return end;
    this.#state = "line";
    return at + 1;
  }
}

// For a few bytes a loop takes less time than a call of `copy`.
function copy(from, start, to, at, count) {
  if (count > 32) {
    from.copy(to, at, start, start + count);
    return;
  }
  for (let n = 0; n < count; n++) to[at + n] = from[start + n];
}
