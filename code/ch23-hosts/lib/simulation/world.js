import { Agenda } from "./agenda.js";
import { exponential, randomFrom } from "./random.js";

/** Time goes by in it, in milliseconds, as events happen. */
export class World {
  #agenda = new Agenda();

  /** @param {number} [seed] a whole number above 0 */
  constructor(seed = 1) {
    this.random = randomFrom(seed);
  }

  get now() {
    return this.#agenda.now;
  }

  /** Calls a function in so many milliseconds. */
  in(delay, act) {
    this.#agenda.add(delay, act);
  }

  /** A time by chance, which is `mean` on average. */
  someTime(mean) {
    return exponential(mean, this.random);
  }

  run() {
    this.#agenda.run();
  }
}
