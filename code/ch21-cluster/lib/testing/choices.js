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

  /**
   * The same seed gives the same numbers.
   *
   * @param {number} seed from 1 to 2 ** 32 - 1
   * @throws {UsageError} ERR_OPTION_INVALID
   */
  static byChance(seed) {
    checkNumber("seed", seed);
    let state = seed;
    // George Marsaglia, "Xorshift RNGs", 2003.
    return new Choices(() => {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      return state >>> 0;
    });
  }

  /** Makes these choices, and 0 after them. */
  static again(made) {
    let index = 0;
    return new Choices(() => made[index++] ?? 0);
  }

  /**
   * @param {number} limit from 1 to 2 ** 32 - 1
   * @returns {number} from 0, the simplest, and below the limit
   * @throws {UsageError} ERR_OPTION_INVALID
   */
  below(limit) {
    checkNumber("limit", limit);
    const choice = this.#next() % limit;
    this.made.push(choice);
    return choice;
  }

  /** @template T @param {T[]} values the simplest first @returns {T} */
  pick(values) {
    return values[this.below(values.length)];
  }

  /** @template T @param {number} most items @param {() => T} make one */
  list(most, make) {
    const items = [];
    while (items.length < most && this.below(8) > 0) items.push(make());
    return items;
  }
}

function checkNumber(name, value) {
  if (Number.isInteger(value) && value >= 1 && value <= MOST_SEED) return;
  const expected = `a whole number from 1 to ${MOST_SEED}`;
  throw new UsageError("ERR_OPTION_INVALID", name, expected, show(value));
}
