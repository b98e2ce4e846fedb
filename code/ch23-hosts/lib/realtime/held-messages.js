import { ProtocolError } from "./protocol-error.js";

/** Messages that have come before somebody listens. */
export class HeldMessages {
  /** @type {(string | Buffer)[]} */
  messages = [];
  #bytes = 0;
  #limits;

  /** @param {{ messageBytes: number, fragments: number }} limits */
  constructor(limits) {
    this.#limits = limits;
  }

  /** @param {string | Buffer} data @throws {ProtocolError} 1008 */
  add(data) {
    const { messageBytes, fragments } = this.#limits;
    this.#bytes += Buffer.byteLength(data);
    if (this.#bytes > messageBytes || this.messages.length >= fragments) {
      throw new ProtocolError(1008, "nobody listens to so much");
    }
    // A copy: the chunk isn't kept for the sake of a few bytes.
    const isText = typeof data === "string";
    this.messages.push(isText ? data : Buffer.from(data));
  }
}
