import { show, UsageError } from "../errors.js";

export const MOST_SEED = 2 ** 32 - 1;

/** Numbers from which a test makes its values: by chance, or as before. */
export class Choices {
  /** @type {number[]} what was chosen so far */
  made = [];
  #next;

  /** @param {() => number} next gives a number from 0 to 2 ** 32 - 1 */
  constructor(next) {
    this.#next = next;
  }

  /** @param {number} seed from 1 to 2 ** 32 - 1: the same, the same again */
  static byChance(seed) {
    if (!Number.isInteger(seed) || seed < 1 || seed > MOST_SEED) {
      const expected = `a whole number from 1 to ${MOST_SEED}`;
      const details = ["seed", expected, show(seed)];
      throw new UsageError("ERR_OPTION_INVALID", ...details);
    }
    let state = seed;
    // George Marsaglia, "Xorshift RNGs", 2003.
    return new Choices(() => {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      return state >>> 0;
    });
  }

  /** Makes these choices, and 0 behind them. */
  static again(made) {
    let index = 0;
    return new Choices(() => made[index++] ?? 0);
  }

  /** @param {number} limit @returns {number} from 0, the simplest */
  below(limit) {
    const choice = this.#next() % limit;
    this.made.push(choice);
    return choice;
  }

  /** @template T @param {T[]} values the simplest first @returns {T} */
  pick(values) {
    return values[this.below(values.length)];
  }

  /** @template T @param {number} most @param {() => T} make */
  list(most, make) {
    const items = [];
    while (items.length < most && this.below(8) > 0) items.push(make());
    return items;
  }
}
