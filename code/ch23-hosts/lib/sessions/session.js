/** @import { Visit } from "./visit.js" */

/**
 * What the program keeps about a visitor: fields of its own, with values
 * that JSON has a form for.
 */
export class Session {
  /** @type {Visit} */
  #visit;

  /** @param {Visit} visit @param {Record<string, any>} data */
  constructor(visit, data) {
    this.#visit = visit;
    Object.assign(this, data);
  }

  /**
   * Gives the session another id, and ends the old one. Call it whenever
   * somebody logs in, or gets more rights.
   *
   * @throws {HttpError} 409 if the session has ended meanwhile, 503
   */
  renew() {
    return this.#visit.renew();
  }

  /** Ends the session here and in the browser. @throws {HttpError} 503 */
  destroy() {
    return this.#visit.destroy();
  }
}

// So "__proto__" and "constructor" are fields like any other, and nobody
// overwrites renew().
Reflect.deleteProperty(Session.prototype, "constructor");
Object.setPrototypeOf(Session.prototype, null);
Object.freeze(Session.prototype);
