/**
 * How many handlers should run at once, found by how long they take.
 */
export class Limit {
  #least;
  #most;
  #target;
  #limit;
  // How many handlers have to finish before it may shrink again.
  #patience = 0;

  /**
   * @param {object} options
   * @param {number} options.least
   * @param {number} options.most
   * @param {number} options.target milliseconds
   */
  constructor({ least, most, target }) {
    this.#least = least;
    this.#most = most;
    this.#target = target;
    this.#limit = least;
  }

  get current() {
    return Math.floor(this.#limit);
  }

  /** @param {number} latency milliseconds */
  finished(latency) {
    if (this.#patience > 0) this.#patience -= 1;
    if (latency <= this.#target) {
      const larger = this.#limit + 1 / this.current;
      this.#limit = Math.min(this.#most, larger);
      return;
    }
    if (this.#patience > 0) return;
    this.#patience = this.current;
    this.#limit = Math.max(this.#least, this.#limit * 0.9);
  }
}
