/** @import { Connection } from "./connection.js" */

/** Starts so many connections at a time, in the order they came in. */
export class Places {
  #limit;
  /** @type {Set<Connection>} */
  #started = new Set();
  /** @type {Set<Connection>} */
  #waiting = new Set();

  /** @param {number} limit */
  constructor(limit) {
    this.#limit = limit;
  }

  /** @param {Connection} connection */
  add(connection) {
    this.#waiting.add(connection);
    this.#fill();
  }

  /** @param {Connection} connection */
  remove(connection) {
    this.#waiting.delete(connection);
    this.#started.delete(connection);
    this.#fill();
  }

  #fill() {
    for (const connection of this.#waiting) {
      if (this.#started.size >= this.#limit) return;
      this.#waiting.delete(connection);
      // It may have been given up.
      if (!connection.isWaiting) continue;
      this.#started.add(connection);
      connection.start();
    }
  }
}
