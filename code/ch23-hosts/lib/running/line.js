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
  /** @type {{ visit: Visit, since: number }[]} */
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

  /** @param {Visit} visit @param {number} now in milliseconds */
  add(visit, now) {
    if (this.#places.length === 0) this.#standsSince = now;
    this.#places.push({ visit, since: now });
  }

  /** @returns {Visit | undefined} who is next */
  take(now) {
    const isOldest = this.#isOldestNext(now);
    const place = isOldest ? this.#places.shift() : this.#places.pop();
    return place?.visit;
  }

  /** @returns {Visit | undefined} the oldest, if it can't wait any longer */
  refuse(now) {
    const isLong = this.#places.length > this.#waiting;
    const hasTime = now - this.#places[0]?.since < this.#age;
    if (!isLong && hasTime) return undefined;
    return this.#places.shift()?.visit;
  }

  #isOldestNext(now) {
    if (this.#order !== "adaptive") return this.#order === "oldest";
    return now - this.#standsSince < STANDING * this.#age;
  }
}
