import { checkLimit, refuseUnknown } from "../options.js";

/**
 * Keeps sessions in this process: as many as are allowed, and of these the
 * ones that were used last.
 */
export class MemoryStore {
  #most;
  /** What was used last stands last. @type {Map<string, Kept>} */
  #kept = new Map();

  /** @typedef {{ text: string, endsAt: number }} Kept */

  /**
   * @param {{ sessions?: number }} [options] how many; 10,000 unless given
   * @throws {UsageError} ERR_OPTION_INVALID, ERR_OPTION_UNKNOWN
   */
  constructor(options = {}) {
    refuseUnknown(options, ["sessions"]);
    const { sessions = 10_000 } = options;
    checkLimit("sessions", sessions);
    this.#most = sessions;
  }

  get size() {
    return this.#kept.size;
  }

  /** Gives a session's text, and lets it live for so many milliseconds. */
  async read(id, idle) {
    const kept = this.#find(id);
    if (kept === null) return null;
    this.#put(id, kept.text, idle);
    return kept.text;
  }

  async add(id, text, idle) {
    this.#put(id, text, idle);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#most) return;
      this.#kept.delete(oldest);
    }
  }

  /** @returns {Promise<boolean>} whether it was there */
  async replace(id, text, idle) {
    const isThere = this.#find(id) !== null;
    if (isThere) this.#put(id, text, idle);
    return isThere;
  }

  /** @returns {Promise<boolean>} whether it was there */
  async remove(id) {
    const isThere = this.#find(id) !== null;
    this.#kept.delete(id);
    return isThere;
  }

  #find(id) {
    const kept = this.#kept.get(id);
    return kept !== undefined && kept.endsAt > Date.now() ? kept : null;
  }

  #put(id, text, idle) {
    this.#kept.delete(id);
    this.#kept.set(id, { text, endsAt: Date.now() + idle });
  }
}
