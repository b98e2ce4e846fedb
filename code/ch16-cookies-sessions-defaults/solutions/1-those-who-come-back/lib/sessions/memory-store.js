import { checkLimit, refuseUnknown } from "../options.js";

const SHARE = 0.8;

/**
 * Keeps sessions in this process: as many as are allowed. Those that were
 * read have most of the room, and new ones can't push them out.
 */
export class MemoryStore {
  #most;
  /** What was used last stands last, in both. @type {Map<string, Kept>} */
  #fresh = new Map();
  /** @type {Map<string, Kept>} */
  #returning = new Map();

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
    return this.#fresh.size + this.#returning.size;
  }

  /** Gives a session's text, and lets it live for so many milliseconds. */
  async read(id, idle) {
    const kept = this.#find(id);
    if (kept === null) return null;
    this.#fresh.delete(id);
    this.#put(this.#returning, id, kept.text, idle);
    this.#makeRoom();
    return kept.text;
  }

  async add(id, text, idle) {
    this.#put(this.#fresh, id, text, idle);
    this.#makeRoom();
  }

  /** @returns {Promise<boolean>} whether it was there */
  async replace(id, text, idle) {
    const isThere = this.#find(id) !== null;
    const isFresh = this.#fresh.has(id);
    const map = isFresh ? this.#fresh : this.#returning;
    if (isThere) this.#put(map, id, text, idle);
    return isThere;
  }

  /** @returns {Promise<boolean>} whether it was there */
  async remove(id) {
    const isThere = this.#find(id) !== null;
    this.#fresh.delete(id);
    this.#returning.delete(id);
    return isThere;
  }

  #find(id) {
    const kept = this.#returning.get(id) ?? this.#fresh.get(id);
    return kept !== undefined && kept.endsAt > Date.now() ? kept : null;
  }

  #put(map, id, text, idle) {
    map.delete(id);
    map.set(id, { text, endsAt: Date.now() + idle });
  }

  #makeRoom() {
    for (const [id, kept] of this.#returning) {
      if (this.#returning.size <= this.#most * SHARE) break;
      this.#returning.delete(id);
      this.#fresh.set(id, kept);
    }
    for (const id of this.#fresh.keys()) {
      if (this.size <= this.#most) return;
      this.#fresh.delete(id);
    }
  }
}
