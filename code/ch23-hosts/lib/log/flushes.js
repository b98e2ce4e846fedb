import { LAST_WORDS } from "./pause.js";

/** Those who wait until so many lines are written. */
export class Flushes {
  /** @type {{ lines: number, settle: (isDone: boolean) => void }[]} */
  #all = [];

  get isEmpty() {
    return this.#all.length === 0;
  }

  /** @returns {Promise<boolean>} false when it takes too long */
  until(lines) {
    return new Promise((resolve) => {
      const settle = (isDone) => {
        clearTimeout(timer);
        this.#all = this.#all.filter((other) => other !== flush);
        resolve(isDone);
      };
      const timer = setTimeout(settle, LAST_WORDS, false);
      const flush = { lines, settle };
      this.#all.push(flush);
    });
  }

  settle(writtenLines) {
    for (const { lines, settle } of this.#all) {
      if (lines <= writtenLines) settle(true);
    }
  }
}
