import { Gatherer } from "../request/gather.js";
import { CLOSE, CONTINUATION, TEXT } from "./frame.js";
import { Message } from "./message.js";
import { ProtocolError } from "./protocol-error.js";

/**
 * @typedef {object} MessageTaker
 * @property {(data: string | Buffer) => void} message
 * @property {(opcode: number, payload: Buffer) => void} control
 */

/** Puts messages together from their frames. */
export class Messages {
  #taker;
  #limits;
  /** @type {Message | null} the one that is under way */
  #message = null;
  // Of the frame that is under way.
  #opcode = 0;
  #isLast = true;
  /** @type {Gatherer | null} a control frame that isn't whole yet */
  #control = null;

  /**
   * @param {MessageTaker} taker
   * @param {{ messageBytes: number, fragments: number }} limits
   */
  constructor(taker, limits) {
    this.#taker = taker;
    this.#limits = limits;
  }

  begin(opcode, isLast, length) {
    this.#opcode = opcode;
    if (opcode >= CLOSE) return;
    const isMore = opcode === CONTINUATION;
    if (isMore !== (this.#message !== null)) {
      const why = isMore
        ? "there is nothing to continue"
        : "the last message isn't whole";
      throw new ProtocolError(1002, why);
    }
    this.#isLast = isLast;
    this.#message ??= new Message(opcode === TEXT);
    this.#message.addFragment(length, this.#limits);
  }

  take(piece, isEnd) {
    if (this.#opcode >= CLOSE) {
      this.#takeControl(piece, isEnd);
      return;
    }
    const message = /** @type {Message} */ (this.#message);
    const isWhole = isEnd && this.#isLast;
    if (isWhole) this.#message = null;
    const data = message.add(piece, isWhole);
    if (data !== null) this.#taker.message(data);
  }

  // It may come between the fragments of a message.
  #takeControl(piece, isEnd) {
    let payload = piece;
    if (!isEnd || this.#control !== null) {
      this.#control ??= new Gatherer();
      this.#control.append(piece);
      payload = this.#control.toBuffer();
    }
    if (!isEnd) return;
    this.#control = null;
    this.#taker.control(this.#opcode, payload);
  }
}
