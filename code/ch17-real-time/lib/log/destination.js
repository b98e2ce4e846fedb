import { LineBuffer } from "./buffer.js";
import { Flushes } from "./flushes.js";
import { LAST_WORDS, pause, warn } from "./pause.js";

/**
 * Where a destination's bytes go to.
 *
 * @typedef {object} Sink
 * @property {() => Promise<unknown> | undefined} prepare what has to be done
 *   before the next write; true if that goes to another file
 * @property {(bytes: Buffer, done: Done) => void} write all or a part
 * @property {(bytes: Buffer) => number} writeSync all or a part
 * @property {(bytes: number, end: number) => number} catchUp waits for a
 *   write that is under way, and tells how many of its bytes are written
 * @property {() => unknown} close
 *
 * @typedef {(err: any, writtenBytes: number) => void} Done
 */

// Lines are written when they have so many bytes, or have waited so long.
const ENOUGH_BYTES = 16_384;
const PATIENCE = 50;

// After a failure it is tried again, less and less often.
const FIRST_PAUSE = 5;
const LONGEST_PAUSE = 250;

const NOTHING = { bytes: Buffer.alloc(0), lines: 0 };

/** Takes lines, and writes them later, many at once. */
export class Destination {
  #sink;
  #bufferBytes;
  #describeLoss;
  #waiting = new LineBuffer();
  #chunk = NOTHING;
  /** How many of the chunk's bytes are written. */
  #offset = 0;
  #isWriting = false;
  #underWay = 0;
  #isOver = false;
  #end = Infinity;
  #pause = 0;
  #hasWarned = false;
  #lost = 0;
  /** @type {NodeJS.Timeout | null} */
  #timer = null;
  #flushes = new Flushes();

  written = 0;
  dropped = 0;

  /**
   * @param {Sink} sink
   * @param {number} bufferBytes
   * @param {(lines: number) => string} describeLoss makes a line of it
   */
  constructor(sink, bufferBytes, describeLoss) {
    this.#sink = sink;
    this.#bufferBytes = bufferBytes;
    this.#describeLoss = describeLoss;
  }

  add(line) {
    if (this.#lost > 0) this.#tellLoss();
    if (!this.#keep(line)) this.lose();
    else if (this.#isOver) this.flushSync();
    else this.#writeSoon();
  }

  lose() {
    this.dropped += 1;
    this.#lost += 1;
  }

  #keep(line) {
    const room = this.#bufferBytes - this.#chunk.bytes.length;
    return this.#waiting.keep(line, room);
  }

  #tellLoss() {
    if (this.#keep(this.#describeLoss(this.#lost))) this.#lost = 0;
  }

  #writeSoon() {
    if (this.#isWriting || this.#pause > 0) return;
    if (this.#waiting.bytes >= ENOUGH_BYTES) this.#writeNext();
    else if (this.#timer === null) this.#wakeAfter(PATIENCE);
  }

  #wakeAfter(milliseconds) {
    if (this.#timer !== null) clearTimeout(this.#timer);
    const wake = () => {
      this.#timer = null;
      this.#writeNext();
    };
    this.#timer = setTimeout(wake, milliseconds).unref();
  }

  #writeNext() {
    if (this.#isWriting || this.#isOver) return;
    const prepared = this.#sink.prepare();
    if (prepared === undefined) {
      this.#writeChunk();
      return;
    }
    this.#isWriting = true;
    prepared.then((isAnother) => {
      this.#isWriting = false;
      if (isAnother) this.#goBackToLine();
      this.#writeChunk();
    });
  }

  #writeChunk() {
    if (this.#isOver || !this.#hasChunk()) return;
    const rest = this.#rest();
    this.#isWriting = true;
    this.#underWay = rest.length;
    this.#sink.write(rest, (err, writtenBytes) =>
      this.#afterWrite(err, writtenBytes),
    );
  }

  #hasChunk() {
    const isNeeded = this.#chunk === NOTHING && this.#waiting.lines > 0;
    if (isNeeded) this.#chunk = this.#waiting.take();
    return this.#chunk !== NOTHING;
  }

  #rest() {
    return this.#chunk.bytes.subarray(this.#offset);
  }

  #afterWrite(err, writtenBytes) {
    this.#isWriting = false;
    this.#underWay = 0;
    this.#advance(writtenBytes);
    if (err !== null) {
      this.#tryLater(err);
      return;
    }
    this.#pause = 0;
    this.#hasWarned = false;
    if (this.#lost > 0) this.#tellLoss();
    const isUrgent = this.#chunk !== NOTHING || !this.#flushes.isEmpty;
    if (isUrgent) this.#writeNext();
    else if (this.#waiting.lines > 0) this.#writeSoon();
  }

  #advance(writtenBytes) {
    this.#offset += writtenBytes;
    if (this.#offset < this.#chunk.bytes.length) return;
    this.written += this.#chunk.lines;
    this.#chunk = NOTHING;
    this.#offset = 0;
    this.#flushes.reach(this.written);
  }

  #tryLater(err) {
    // A pipe that is full is no failure.
    if (err.code !== "EAGAIN" && !this.#hasWarned) {
      this.#hasWarned = true;
      warn(err);
    }
    this.#pause = Math.min(this.#pause * 2 || FIRST_PAUSE, LONGEST_PAUSE);
    this.#wakeAfter(this.#pause);
  }

  // A part of a line mustn't stand alone in the next file.
  #goBackToLine() {
    const { bytes } = this.#chunk;
    if (this.#offset === 0) return;
    this.#offset = bytes.lastIndexOf(0x0a, this.#offset - 1) + 1;
  }

  /**
   * @returns {Promise<boolean>} true when all lines so far are written;
   *   false when they aren't after a second
   */
  flush() {
    const lines = this.written + this.#chunk.lines + this.#waiting.lines;
    if (lines === this.written) return Promise.resolve(true);
    const flushed = this.#flushes.until(lines);
    this.#writeNext();
    return flushed;
  }

  /** Writes what it can while the process ends: nobody is called back. */
  flushSync(end = performance.now() + LAST_WORDS) {
    this.#isOver = true;
    // A line that another listener adds gets no second of its own.
    this.#end = Math.min(this.#end, end);
    if (!this.#finishWrite() || !this.#writeRest()) this.#giveUp();
  }

  #finishWrite() {
    const bytes = this.#underWay;
    this.#isWriting = false;
    this.#underWay = 0;
    if (bytes === 0) return true;
    const writtenBytes = this.#sink.catchUp(bytes, this.#end);
    this.#advance(writtenBytes);
    return writtenBytes === bytes;
  }

  #writeRest() {
    for (;;) {
      if (this.#lost > 0) this.#tellLoss();
      if (!this.#hasChunk()) return true;
      try {
        this.#advance(this.#sink.writeSync(this.#rest()));
      } catch (/** @type {any} */ err) {
        const isFull = err.code === "EAGAIN";
        if (!isFull || performance.now() >= this.#end) return false;
        pause(FIRST_PAUSE);
      }
    }
  }

  // Lines that were written whole count, and the others are dropped.
  #giveUp() {
    const { bytes, lines } = this.#chunk;
    const whole = bytes.subarray(0, this.#offset).filter(isLineFeed).length;
    this.written += whole;
    this.dropped += lines - whole + this.#waiting.take().lines;
    this.#chunk = NOTHING;
    this.#offset = 0;
    this.#bufferBytes = 0;
  }

  /** Has the sink look for the file of its name. */
  reopen() {
    this.#sink.reopen();
    this.#writeNext();
  }

  /** Writes what waits, and then takes no more. */
  async close() {
    const isDone = await this.flush();
    this.#isOver = true;
    this.#bufferBytes = 0;
    this.dropped += this.#waiting.take().lines;
    if (this.#isWriting) return isDone;
    this.#giveUp();
    await this.#sink.close();
    return isDone;
  }
}

function isLineFeed(byte) {
  return byte === 0x0a;
}
