import { Ring } from "./ring.js";

/**
 * What an OpenLoop sends requests over.
 *
 * @typedef {object} Connection
 * @property {boolean} isOpen
 * @property {boolean} isFree in the line of those that wait for a request; kept
 *   by the loop
 * @property {(number: number) => void} send a request of this number
 */

/**
 * Requests at a constant rate, whatever becomes of them. Each is timed from
 * when it was due: also while it waits for us, or for a connection that is
 * free, since whoever asks in earnest waits then too.
 *
 * It has no clock and no sockets of its own, so that a test can play years of
 * both in a moment.
 */
export class OpenLoop {
  #gap;
  #start = 0;
  #now;
  /** How many have been due so far, and how many of these were sent. */
  #due = 0;
  #sent = 0;
  /** @type {Ring<Connection>} */
  #free;

  /** Milliseconds from when each was due to its answer; NaN without one. */
  latencies;
  /** Milliseconds from when each was due until we came to it. */
  lateness;
  /** How many were due when no connection was free. */
  waited = 0;
  answered = 0;
  lost = 0;
  /** When the last answer came. */
  lastAnswer = 0;

  /**
   * @param {object} options
   * @param {number} options.rate requests a second
   * @param {number} options.seconds
   * @param {number} options.connections how many there will be
   * @param {() => number} options.now milliseconds
   */
  constructor({ rate, seconds, connections, now }) {
    const total = Math.round(rate * seconds);
    this.#gap = 1000 / rate;
    this.#now = now;
    this.#free = new Ring(connections);
    this.latencies = new Float64Array(total).fill(Number.NaN);
    this.lateness = new Float64Array(total);
  }

  /** @param {number} at when the first is due */
  start(at) {
    this.#start = at;
    this.lastAnswer = at;
  }

  get total() {
    return this.latencies.length;
  }

  /** Whether all were due, and each was answered or lost. */
  get isOver() {
    return this.answered + this.lost === this.total;
  }

  /** How many were due so far. */
  get due() {
    return this.#due;
  }

  /**
   * @param {number} number of a request, from 0
   * @returns {number} when it is due
   */
  dueAt(number) {
    return this.#start + number * this.#gap;
  }

  /** Sends what is due by now. To be called as often as can be. */
  turn() {
    while (this.#due < this.total) {
      const late = this.#now() - this.dueAt(this.#due);
      if (late < 0) return;
      this.lateness[this.#due] = late;
      this.#due += 1;
      this.#sendNext();
      if (this.#sent < this.#due) this.waited += 1;
    }
  }

  /**
   * @param {Connection} connection that is open, with nothing under way on it
   */
  release(connection) {
    if (connection.isFree) return;
    connection.isFree = true;
    this.#free.push(connection);
    this.#sendNext();
  }

  /** @param {number} number of the request that has its whole answer */
  answer(number) {
    this.lastAnswer = this.#now();
    this.latencies[number] = this.lastAnswer - this.dueAt(number);
    this.answered += 1;
  }

  /** Counts a request whose answer can't come any more. */
  lose() {
    this.lost += 1;
  }

  /** The connection that was free for longest takes what was due first. */
  #sendNext() {
    while (this.#sent < this.#due) {
      const connection = this.#free.shift();
      if (connection === undefined) return;
      connection.isFree = false;
      // Its server may have closed it meanwhile.
      if (connection.isOpen) connection.send(this.#sent++);
    }
  }
}
