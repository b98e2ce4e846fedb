import { connect } from "node:net";
import { AnswerReader } from "./answer-reader.js";

/** @import { Socket } from "node:net" */
/** @import { OpenLoop } from "./open-loop.js" */

/** Every read is looked at before the next, so all can have the same memory. */
const memory = Buffer.allocUnsafeSlow(65_536);

const nothing = -1;

/**
 * @typedef {object} Errors
 * @property {number} connect
 * @property {number} read connections that ended before their answer
 * @property {number} status answers that were not 2xx
 * @property {string[]} unreadable why an answer could not be read
 */

/**
 * A connection that is kept, with one request under way on it at a time. When
 * its server closes it, it is opened again.
 */
export class Connection {
  #where;
  #request;
  /** Whose request is under way, or was last. */
  #loop;
  /** Whose the next is. */
  #next;
  #errors;
  /** @type {Socket | undefined} */
  #socket;
  #reader = new AnswerReader();
  /** Of the request that is under way. */
  #number = nothing;
  #isEnding = false;

  isOpen = false;
  isFree = false;
  bytes = 0;
  /** How often it had to be opened again. */
  reopened = 0;

  /**
   * @param {object} options
   * @param {{ host: string, port: number }} options.where
   * @param {Buffer} options.request
   * @param {OpenLoop} options.loop
   * @param {Errors} options.errors to count in
   */
  constructor({ where, request, loop, errors }) {
    this.#where = where;
    this.#request = request;
    this.#loop = loop;
    this.#next = loop;
    this.#errors = errors;
  }

  /** @returns {Promise<void>} when it is open, or has failed to be */
  open() {
    const socket = connect({
      ...this.#where,
      noDelay: true,
      onread: {
        buffer: memory,
        callback: (size, buffer) => this.#read(size, /** @type {Buffer} */ (buffer)),
      },
    });
    this.#socket = socket;
    this.#reader = new AnswerReader();
    return new Promise((resolve) => {
      socket.once("connect", () => {
        this.isOpen = true;
        this.#release();
        resolve();
      });
      // What went wrong shows in what was under way.
      socket.on("error", () => {});
      socket.once("close", () => {
        if (!this.isOpen) this.#errors.connect += 1;
        this.#closed();
        resolve();
      });
    });
  }

  /**
   * Counts anew, and sends a loop's requests from now on. An answer that is
   * still under way is the other loop's.
   *
   * @param {OpenLoop} loop
   */
  serve(loop) {
    this.#next = loop;
    this.bytes = 0;
    this.reopened = 0;
    if (this.isOpen && this.#number === nothing) {
      this.isFree = false;
      this.#release();
    }
  }

  #release() {
    this.#loop = this.#next;
    this.#loop.release(this);
  }

  /** @param {number} number */
  send(number) {
    this.#number = number;
    /** @type {Socket} */ (this.#socket).write(this.#request);
  }

  end() {
    this.#isEnding = true;
    this.#socket?.destroy();
  }

  /**
   * @param {number} size
   * @param {Buffer} buffer
   * @returns {boolean} that more may come
   */
  #read(size, buffer) {
    this.bytes += size;
    try {
      if (this.#reader.take(buffer, size)) this.#answered();
    } catch (err) {
      this.#errors.unreadable.push(/** @type {Error} */ (err).message);
      this.#socket?.destroy();
    }
    return true;
  }

  #answered() {
    if (this.#number === nothing) throw new Error("an answer to no request");
    if (!this.#reader.isGood) this.#errors.status += 1;
    this.#loop.answer(this.#number);
    this.#number = nothing;
    this.#release();
  }

  #closed() {
    const wasOpen = this.isOpen;
    this.isOpen = false;
    if (this.#isEnding) return;
    if (this.#number !== nothing) {
      this.#errors.read += 1;
      this.#loop.lose();
      this.#number = nothing;
    }
    // A server that refuses would be asked again and again.
    if (!wasOpen) return;
    this.reopened += 1;
    this.open();
  }
}
