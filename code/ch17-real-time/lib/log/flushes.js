import { LAST_WORDS } from "./pause.js";

/** Those who wait until so many lines are written. */
export class Flushes {
  /** @type {{ lines: number, finish: (isDone: boolean) => void }[]} */
  #all = [];

  get isEmpty() {
    return this.#all.length === 0;
  }

  /** @returns {Promise<boolean>} false when it takes too long */
  until(lines) {
    return new Promise((resolve) => {
      const finish = (isDone) => {
        clearTimeout(timer);
        this.#all = this.#all.filter((other) => other !== flush);
        resolve(isDone);
      };
      const timer = setTimeout(finish, LAST_WORDS, false);
      const flush = { lines, finish };
      this.#all.push(flush);
    });
  }

  reach(writtenLines) {
    for (const { lines, finish } of this.#all) {
      if (lines <= writtenLines) finish(true);
    }
  }
}
