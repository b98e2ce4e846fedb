/**
 * @typedef {object} LineOptions
 * @property {"oldest" | "newest" | "adaptive"} [order] who is next;
 *   adaptive: the oldest, until the line has stood for ten ages
 * @property {number} [age] milliseconds that one may wait
 * @property {number} [waiting] how many may wait
 */

// For how many ages a line may stand and still be a crowd that passes.
const STANDING = 10;

/**
 * Those who wait, as they came. It has no clock, and is told the time.
 *
 * @template Visit
 */
export class Line {
  /** @type {{ visit: Visit, since: number, priority: number }[]} */
  #places = [];
  #order;
  #age;
  #waiting;
  // Since when it has not been empty.
  #standsSince = 0;

  /** @param {LineOptions} [options] */
  constructor(options = {}) {
    this.#order = options.order ?? "adaptive";
    this.#age = options.age ?? Infinity;
    this.#waiting = options.waiting ?? Infinity;
  }

  get length() {
    return this.#places.length;
  }

  /** Since when the oldest waits; undefined in an empty line. */
  get oldest() {
    return this.#places[0]?.since;
  }

  /**
   * @param {Visit} visit
   * @param {number} now in milliseconds
   * @param {number} [priority] the highest is next
   */
  add(visit, now, priority = 0) {
    if (this.#places.length === 0) this.#standsSince = now;
    this.#places.push({ visit, since: now, priority });
  }

  /** @returns {Visit | undefined} who is next */
  take(now) {
    const priorities = this.#places.map(({ priority }) => priority);
    const highest = Math.max(...priorities);
    const index = this.#isOldestNext(now)
      ? priorities.indexOf(highest)
      : priorities.lastIndexOf(highest);
    return this.#remove(index);
  }

  #remove(index) {
    if (index === -1) return undefined;
    const [{ visit }] = this.#places.splice(index, 1);
    return visit;
  }

  /** @returns {Visit | undefined} the oldest, if it can't wait any longer */
  refuse(now) {
    const places = this.#places;
    if (places.length > 0 && now - places[0].since >= this.#age) {
      return this.#remove(0);
    }
    if (places.length <= this.#waiting) return undefined;
    const priorities = places.map(({ priority }) => priority);
    return this.#remove(priorities.indexOf(Math.min(...priorities)));
  }

  #isOldestNext(now) {
    if (this.#order !== "adaptive") return this.#order === "oldest";
    return now - this.#standsSince < STANDING * this.#age;
  }
}
