/** @import { Socket } from "node:net" */
/** @import { EngineResponse } from "./response.js" */

/** Gathers answers, so that those of one read go out in one write. */
export class Output {
  #socket;
  // One character is one byte.
  #text = "";
  // Whose bytes these are, the last first.
  /** @type {EngineResponse | null} */
  #last = null;

  /** Whether the client takes less than it gets. */
  isFull = false;

  /** @param {Socket} socket */
  constructor(socket) {
    this.#socket = socket;
  }

  /**
   * @param {EngineResponse | null} res
   * @param {string} head
   * @param {string | Uint8Array} body
   * @param {boolean} isAscii whether the body is text of one-byte characters
   */
  add(res, head, body, isAscii) {
    if (res !== null) {
      res.sentBefore = this.#last;
      this.#last = res;
    }
    if (isAscii) {
      this.#text += head + body;
      return;
    }
    this.#socket.cork();
    this.#write(this.#text + head, "latin1");
    this.#write(body);
    this.#text = "";
    this.#socket.uncork();
  }

  flush() {
    const text = this.#text;
    this.#text = "";
    if (text !== "") this.#write(text, "latin1");
    if (this.#last === null) return;
    process.nextTick(closeAll, this.#last);
    this.#last = null;
  }

  #write(chunk, encoding) {
    if (!this.#socket.write(chunk, encoding)) this.isFull = true;
  }
}

function closeAll(last) {
  for (let res = last; res !== null; res = res.sentBefore) {
    res.destroyed = true;
    res._closed = true;
  }
}
