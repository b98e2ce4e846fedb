/**
 * It fails by throwing, or by giving false.
 *
 * @typedef {(options: { signal: AbortSignal }) => unknown} CheckFunction
 */

/** A check that runs once at a time, however many ask. */
export class Check {
  #name;
  #check;
  #timeout;
  #onError;
  #every;
  #freshUntil = 0;
  /** @type {Promise<string> | null} */
  #running = null;

  /** @param {string} name @param {CheckFunction} check */
  constructor(name, check, { timeout, onError, every }) {
    this.#name = name;
    this.#check = check;
    this.#timeout = timeout;
    this.#onError = onError;
    this.#every = every;
  }

  /** @returns {Promise<[string, string]>} its name; ok, failed or late */
  async result() {
    if (performance.now() >= this.#freshUntil) this.#running = null;
    this.#running ??= this.#runOnce();
    return [this.#name, await this.#running];
  }

  #runOnce() {
    // Until it is over.
    this.#freshUntil = Infinity;
    return this.#run().finally(() => {
      this.#freshUntil = performance.now() + this.#every;
    });
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
