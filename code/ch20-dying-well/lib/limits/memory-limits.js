import { checkLimit, refuseUnknown } from "../options.js";
import { take } from "./gcra.js";

/** @import { Limit, Taken } from "./gcra.js" */

/** Counts in this process, for as many clients as are allowed. */
export class MemoryLimits {
  #most;
  #clock;
  /** Each client's time. The client that came last stands last. */
  #paidUntil = new Map();
  #oldest = this.#paidUntil.keys();
  #hand = this.#paidUntil.entries();

  /**
   * @param {object} [options]
   * @param {number} [options.clients] 100,000 unless given
   * @param {() => number} [options.clock] in milliseconds
   * @throws {UsageError} ERR_OPTION_INVALID, ERR_OPTION_UNKNOWN
   */
  constructor(options = {}) {
    refuseUnknown(options, ["clients", "clock"]);
    const { clients = 100_000, clock = () => performance.now() } = options;
    checkLimit("clients", clients);
    this.#most = clients;
    this.#clock = clock;
  }

  get size() {
    return this.#paidUntil.size;
  }

  /** @param {string} key @param {Limit} limit @returns {Taken} */
  take(key, limit) {
    const now = Math.round(this.#clock() * 1000);
    const paidUntil = this.#paidUntil.get(key) ?? now;
    const taken = take(Math.max(0, paidUntil - now), limit);
    this.#paidUntil.delete(key);
    this.#paidUntil.set(key, now + taken.ahead);
    if (this.#paidUntil.size > this.#most) {
      this.#paidUntil.delete(this.#oldest.next().value);
    }
    this.#forget(now);
    this.#forget(now);
    return taken;
  }

  // Looks at one client.
  #forget(now) {
    const { value, done } = this.#hand.next();
    if (!done) {
      if (value[1] <= now) this.#paidUntil.delete(value[0]);
      return;
    }
    this.#hand = this.#paidUntil.entries();
    // One that never steps would keep all tables that the map has had.
    this.#oldest = this.#paidUntil.keys();
  }
}
