/**
 * It fails by throwing, or by giving false.
 *
 * @typedef {(options: { signal: AbortSignal }) => unknown} CheckFunction
 */

/** A check: one run serves all who ask meanwhile. */
export class Check {
  #name;
  #check;
  #timeout;
  #onError;
  /** @type {Promise<string> | null} */
  #running = null;

  /** @param {string} name @param {CheckFunction} check */
  constructor(name, check, { timeout, onError }) {
    this.#name = name;
    this.#check = check;
    this.#timeout = timeout;
    this.#onError = onError;
  }

  /** @returns {Promise<[string, string]>} its name; ok, failed or late */
  async result() {
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
    return [this.#name, await this.#running];
  }

  async #run() {
    const controller = new AbortController();
    let timer;
    const late = new Promise((resolve) => {
      timer = setTimeout(() => {
        resolve("late");
        controller.abort();
      }, this.#timeout);
    });
    const result = this.#resultOf(controller.signal);
    return Promise.race([result, late]).finally(() => clearTimeout(timer));
  }

  async #resultOf(signal) {
    try {
      const result = await this.#check({ signal });
      return result === false ? "failed" : "ok";
    } catch (err) {
      // Who is late is told by `signal`, and may throw for it.
      if (!signal.aborted) this.#onError(err, this.#name);
      return "failed";
    }
  }
}
