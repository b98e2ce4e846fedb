/** Something that others wait for: whoever changes it says so. */
export class Condition {
  /** @type {Set<() => void>} */
  #listeners = new Set();

  /** Has all who wait look again. */
  changed() {
    for (const listener of [...this.#listeners]) listener();
  }

  /**
   * Waits until something holds; looks now and at every change.
   *
   * @param {() => boolean} holds
   * @param {number} limit  milliseconds
   * @returns {Promise<boolean>} whether it holds
   */
  waitUntil(holds, limit) {
    if (holds()) return Promise.resolve(true);
    return new Promise((resolve) => {
      const finish = (/** @type {boolean} */ outcome) => {
        clearTimeout(timer);
        this.#listeners.delete(look);
        resolve(outcome);
      };
      const look = () => {
        if (holds()) finish(true);
      };
      const timer = setTimeout(() => finish(holds()), limit);
      this.#listeners.add(look);
    });
  }
}
