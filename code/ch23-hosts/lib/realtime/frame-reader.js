import { FIN } from "./frame.js";
import { headSize, payloadLength } from "./frame-head.js";
import { unmask } from "./mask.js";

/**
 * @typedef {object} FrameTaker
 * @property {(opcode: number, isLast: boolean, length: number) => void} begin
 * @property {(piece: Buffer, isEnd: boolean) => void} take
 */

const NOTHING = Buffer.alloc(0);
// Until the first frame: a client that listens needs no memory for one.
const NO_MASK = new Uint8Array(4);

/** Takes frames out of bytes that come in any pieces. */
export class FrameReader {
  #taker;
  // The beginning of a head.
  #rest = NOTHING;
  // Of the frame that is under way, if there is one.
  #mask = NO_MASK;
  #length = 0;
  #taken = 0;
  #isInFrame = false;
  #isStopped = false;

  /** @param {FrameTaker} taker */
  constructor(taker) {
    this.#taker = taker;
  }

  /** @param {Buffer} chunk the mask is taken off in it */
  push(chunk) {
    const hasRest = this.#rest.length > 0;
    const bytes = hasRest ? Buffer.concat([this.#rest, chunk]) : chunk;
    this.#rest = NOTHING;
    let at = 0;
    while (at < bytes.length && !this.#isStopped) {
      const end = this.#isInFrame
        ? this.#readPayload(bytes, at)
        : this.#readHead(bytes, at);
      if (end === at) {
        this.#rest = Buffer.from(bytes.subarray(at));
        return;
      }
      at = end;
    }
  }

  /** Reads no more, not even the rest of a chunk. */
  stop() {
    this.#isStopped = true;
  }

  // Gives back where the head ends, or `at` if it isn't all there: then
  // its bytes wait for the next chunk.
  #readHead(bytes, at) {
    if (bytes.length < at + 2) return at;
    const end = at + headSize(bytes, at);
    if (bytes.length < end) return at;
    const length = payloadLength(bytes, at);
    this.#taker.begin(bytes[at] & 0x0f, (bytes[at] & FIN) !== 0, length);
    if (this.#mask === NO_MASK) this.#mask = new Uint8Array(4);
    // A part of the chunk would keep all of it in memory.
    bytes.copy(this.#mask, 0, end - 4, end);
    this.#length = length;
    this.#taken = 0;
    this.#isInFrame = length > 0;
    if (length === 0) this.#taker.take(NOTHING, true);
    return end;
  }

  #readPayload(bytes, at) {
    const end = Math.min(bytes.length, at + this.#length - this.#taken);
    const piece = bytes.subarray(at, end);
    unmask(piece, this.#mask, this.#taken);
    this.#taken += piece.length;
    this.#isInFrame = this.#taken < this.#length;
    this.#taker.take(piece, !this.#isInFrame);
    return end;
  }
}
