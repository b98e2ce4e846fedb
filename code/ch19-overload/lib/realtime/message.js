import { isUtf8 } from "node:buffer";
import { Gatherer } from "../request/gather.js";
import { ProtocolError } from "./protocol-error.js";
import { Utf8Checker } from "./utf8.js";

/** A message that comes in. */
export class Message {
  #isText;
  #fragments = 0;
  /** @type {Gatherer | null} */
  #kept = null;
  /** @type {Utf8Checker | null} */
  #checker = null;

  /** @param {boolean} isText */
  constructor(isText) {
    this.#isText = isText;
  }

  addFragment(length, { messageBytes, fragments }) {
    this.#fragments += 1;
    if (this.#fragments > fragments) {
      throw new ProtocolError(1008, "the message has too many fragments");
    }
    if ((this.#kept?.length ?? 0) + length > messageBytes) {
      throw new ProtocolError(1009, "the message is too large");
    }
  }

  /** @returns {string | Buffer | null} all of it, once it is whole */
  add(piece, isWhole) {
    if (this.#isText && !this.#isUtf8(piece, isWhole)) {
      throw new ProtocolError(1007, "the text isn't UTF-8");
    }
    // Most messages come in one piece, and nothing is copied.
    if (isWhole && this.#kept === null) return this.#dataOf(piece);
    this.#kept ??= new Gatherer();
    this.#kept.append(piece);
    return isWhole ? this.#dataOf(this.#kept.toBuffer()) : null;
  }

  #dataOf(bytes) {
    return this.#isText ? bytes.toString() : bytes;
  }

  #isUtf8(piece, isWhole) {
    if (isWhole && this.#checker === null) return isUtf8(piece);
    this.#checker ??= new Utf8Checker();
    if (!this.#checker.push(piece)) return false;
    return !isWhole || this.#checker.isWhole;
  }
}
