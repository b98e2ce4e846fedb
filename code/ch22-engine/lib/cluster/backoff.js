const FIRST = 100;
const LONGEST = 30_000;

/** How long to wait until a worker that ended is started again. */
export class Backoff {
  /** How many ended early, one after the other. */
  failures = 0;
  #stableAfter;

  /** @param {number} stableAfter milliseconds; one that lives longer is healthy */
  constructor(stableAfter) {
    this.#stableAfter = stableAfter;
  }

  /**
   * @param {number} lifetime of the last one, milliseconds; 0: never ready
   * @returns {number} milliseconds
   */
  next(lifetime) {
    this.failures = lifetime > this.#stableAfter ? 0 : this.failures + 1;
    if (this.failures === 0) return 0;
    const longest = Math.min(FIRST * 2 ** (this.failures - 1), LONGEST);
    // Workers that fell together shouldn't all get up together.
    return Math.round(longest * (0.5 + Math.random() / 2));
  }
}
