import { Agenda } from "./agenda.js";
import { exponential, randomFrom } from "./random.js";

/** Time goes by in it, in milliseconds, as events happen. */
export class World {
  now = 0;
  #agenda = new Agenda();

  /** @param {number} [seed] a whole number above 0 */
  constructor(seed = 1) {
    this.random = randomFrom(seed);
  }

  /** Calls a function in so many milliseconds. */
  in(delay, act) {
    this.#agenda.add(this.now + delay, act);
  }

  /** A time by chance, which is `mean` on average. */
  someTime(mean) {
    return exponential(mean, this.random);
  }

  run() {
    while (!this.#agenda.isEmpty) {
      const { at, act } = this.#agenda.take();
      this.now = at;
      act();
    }
  }
}
