import { Push, RedisError, readReply } from "./reply.js";
import { Source } from "./source.js";

/** @import { Socket } from "node:net" */

// In milliseconds: to read what has come while we were busy.
const GRACE = 10;

/**
 * One connection to Redis. Commands are sent at once, and the replies come
 * in the same order. When one is late, the connection is given up.
 */
export class Connection {
  #socket;
  #deadline;
  #source = new Source();
  #reading = this.#readAll();
  /** Who waits for a reply, in order. @type {any[]} */
  #waiting = [];
  #outgoing = "";
  /** @type {any} null while nobody waits */
  #timer = null;
  /** @type {unknown} why it has ended */
  #cause = undefined;

  /** @param {Socket} socket @param {number} deadline in milliseconds */
  constructor(socket, deadline) {
    this.#socket = socket;
    this.#deadline = deadline;
    socket.on("data", (chunk) => this.#read(chunk));
    socket.on("error", (err) => {
      this.#cause = err;
    });
    /** Fulfilled when the connection has ended. */
    this.closed = new Promise((resolve) => {
      socket.on("close", () => resolve(this.#end()));
    });
  }

  /**
   * @param {(string | number)[]} words
   * @param {number} [askedAt] from when the deadline counts
   * @returns {Promise<any>}
   */
  send(words, askedAt = performance.now()) {
    return new Promise((resolve, reject) => {
      if (this.#socket.destroyed) throw new Error("not connected");
      // The commands of one turn are one write.
      if (this.#outgoing === "") setImmediate(() => this.#flush());
      this.#outgoing += encode(words);
      // Not before encode() has its words, for it may throw.
      this.#waiting.push({ resolve, reject, askedAt });
      const left = askedAt + this.#deadline - performance.now();
      this.#timer ??= setTimeout(() => this.#watch(), Math.max(0, left));
    });
  }

  close() {
    this.#socket.destroy();
  }

  #flush() {
    this.#socket.write(this.#outgoing);
    this.#outgoing = "";
  }

  #read(chunk) {
    this.#source.add(chunk);
    try {
      this.#reading.next();
    } catch (err) {
      this.#socket.destroy(err);
    }
  }

  *#readAll() {
    for (;;) {
      const reply = yield* readReply(this.#source);
      if (!(reply instanceof Push)) this.#settle(reply);
    }
  }

  #settle(reply) {
    const { resolve, reject } = this.#waiting.shift();
    if (reply instanceof RedisError) reject(reply);
    else resolve(reply);
  }

  #watch() {
    this.#timer = null;
    const [first] = this.#waiting;
    if (first === undefined) return;
    const left = first.askedAt + this.#deadline - performance.now();
    const look = () => setImmediate(() => this.#lookAgain(first));
    this.#timer =
      left > 0
        ? setTimeout(() => this.#watch(), left)
        : setTimeout(look, GRACE);
  }

  #lookAgain(first) {
    if (this.#waiting[0] !== first) this.#watch();
    else this.#socket.destroy(new Error("a reply is late"));
  }

  // Nobody knows whether Redis has carried out what it hasn't replied to.
  #end() {
    const cause = this.#cause;
    clearTimeout(this.#timer);
    for (const { reject } of this.#waiting.splice(0)) {
      reject(new Error("the connection to Redis has ended", { cause }));
    }
    return cause;
  }
}

function encode(words) {
  let text = `*${words.length}\r\n`;
  for (const word of words) {
    text += `$${Buffer.byteLength(String(word))}\r\n${word}\r\n`;
  }
  return text;
}
