import { writeText } from "./writing.js";

/** @import { Socket } from "node:net" */
/** @import { EngineResponse } from "./response.js" */

// In characters: what is longer goes out at once.
const MOST_TEXT = 64 * 1024;

/** Gathers answers, so that those of one read go out in one write. */
export class Output {
  #socket;
  #onGone;
  // One character is one byte.
  #text = "";
  // Whose bytes these are, the last first.
  /** @type {EngineResponse | null} */
  #last = null;

  /** Whether the client takes less than it gets. */
  isFull = false;

  /** @param {Socket} socket @param {() => void} onGone */
  constructor(socket, onGone) {
    this.#socket = socket;
    this.#onGone = onGone;
  }

  /** Whether the kernel hasn't taken everything. */
  get isSending() {
    const { writableEnded, writableFinished, writableLength } =
      this.#socket;
    if (writableEnded) return !writableFinished;
    return this.isFull || writableLength > 0;
  }

  /**
   * @param {EngineResponse | null} res
   * @param {string} head
   * @param {string | Uint8Array} body
   * @param {boolean} isAscii whether the body is a string, all of it ASCII
   */
  add(res, head, body, isAscii) {
    if (res !== null) {
      res.sentBefore = this.#last;
      this.#last = res;
    }
    if (isAscii) {
      this.#text += head + body;
      if (this.#text.length > MOST_TEXT) this.#writeText();
      return;
    }
    this.#socket.cork();
    this.#write(this.#text + head, "latin1");
    this.#write(body);
    this.#text = "";
    this.#socket.uncork();
  }

  flush() {
    if (this.#text !== "") this.#writeText();
    /** @type {EngineResponse[] | null} */
    let late = null;
    for (let res = this.#last; res !== null; ) {
      const before = res.sentBefore;
      res.sentBefore = null;
      if (res.isTouchedLate) {
        late ??= [];
        late.push(res);
      } else close(res);
      res = before;
    }
    this.#last = null;
    if (late === null) return;
    // They are told in the order in which they were sent.
    for (const res of late.reverse()) this.#closeLate(res);
  }

  // Somebody may listen. An empty text goes after what is on its way.
  #closeLate(res) {
    const tell = (err) => {
      close(res);
      if (!err) res.emit("finish");
      res.emit("close");
    };
    if (this.#socket.writable) this.#socket.write("", "latin1", tell);
    else process.nextTick(tell, new Error("the client has gone"));
  }

  #writeText() {
    const text = this.#text;
    this.#text = "";
    if (!writeText(this.#socket, text, this.#onGone)) this.isFull = true;
  }

  #write(chunk, encoding) {
    if (!this.#socket.write(chunk, encoding)) this.isFull = true;
  }
}

function close(res) {
  res.destroyed = true;
  res._closed = true;
}
