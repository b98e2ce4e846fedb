import { inspect } from "node:util";
import { checkOptions, checkWhole, refuseUnknown } from "../options.js";
import { Choices, MOST_SEED } from "./choices.js";
import { shrink } from "./shrink.js";

/**
 * Looks for a value that contradicts a property of all of them.
 *
 * @template T
 * @param {(choices: Choices) => T} make a value
 * @param {(value: T) => unknown} check throws, or gives a promise that is
 *   rejected, where the value contradicts
 * @param {{ runs?: number, seed?: number }} [options] 100 runs, and a seed
 *   by chance, unless given
 * @throws {UsageError} ERR_OPTIONS_INVALID, ERR_OPTION_INVALID,
 *   ERR_OPTION_UNKNOWN
 * @throws {Error} that tells the value and the seed; `cause` is what
 *   `check` threw, or `make`
 */
export async function checkProperty(make, check, options = {}) {
  checkOptions("checkProperty", options);
  refuseUnknown(options, ["runs", "seed"]);
  const { runs = 100, seed = anySeed() } = options;
  checkWhole("runs", runs);
  const seeds = Choices.byChance(seed);
  for (let run = 1; run <= runs; run += 1) {
    const choices = Choices.byChance(1 + seeds.below(MOST_SEED));
    const where = `run ${run} of seed ${seed}`;
    const value = makeValue(make, choices, where);
    const failure = await failureOf(check, value);
    if (failure === null) continue;
    const best = await shrink(choices.made, async (simpler) => {
      const again = Choices.again(simpler);
      return (await isFailing(make, check, again)) ? again.made : null;
    });
    const found = make(Choices.again(best));
    const last = await failureOf(check, make(Choices.again(best)));
    throw new Error(`${where} fails with ${show(found)}`, {
      cause: last?.err,
    });
  }
}

// Choices of which nothing can be made haven't failed in `check`.
async function isFailing(make, check, choices) {
  let value;
  try {
    value = make(choices);
  } catch {
    return false;
  }
  return (await failureOf(check, value)) !== null;
}

function makeValue(make, choices, where) {
  try {
    return make(choices);
  } catch (err) {
    throw new Error(`${where} can't make a value`, { cause: err });
  }
}

function anySeed() {
  return 1 + Math.floor(Math.random() * MOST_SEED);
}

function show(value) {
  return inspect(value, { depth: 9, breakLength: Infinity });
}

/** @returns {Promise<?{ err: unknown }>} null if nothing failed */
export async function failureOf(check, value) {
  try {
    await check(value);
    return null;
  } catch (err) {
    return { err };
  }
}
