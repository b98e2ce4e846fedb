import { checkOptions, checkWhole, refuseUnknown } from "../options.js";
import { Choices } from "./choices.js";
import { Coverage } from "./coverage.js";
import { mutate } from "./mutate.js";
import { failureOf } from "./property.js";
import { shrink } from "./shrink.js";

// One look at the coverage for so many inputs.
const BATCH = 50;

/**
 * Looks for bytes that a function fails with. Keeps inputs that make code
 * run which no input has run before, and changes them further.
 *
 * @param {(input: Buffer) => unknown} target throws, or gives a promise that
 *   is rejected, where it finds something wrong
 * @param {object} options
 * @param {RegExp} options.source addresses of the files that it listens to
 * @param {(Buffer | string)[]} [options.inputs] to begin with; a character
 *   of a string is a byte
 * @param {number} [options.runs] rounded up to fifties; 10,000 unless given
 * @param {number} [options.seed] from 1 to 2 ** 32 - 1
 * @returns {Promise<Buffer[]>} the corpus
 * @throws {UsageError} ERR_OPTIONS_INVALID, ERR_OPTION_INVALID,
 *   ERR_OPTION_UNKNOWN
 * @throws {Error} with an input that fails, made simpler; `cause` is what
 *   the function threw for it
 */
export async function fuzz(target, options) {
  checkOptions("fuzz", options);
  refuseUnknown(options, ["source", "inputs", "runs", "seed"]);
  const { source, inputs = [], runs = 10_000, seed = 1 } = options;
  checkWhole("runs", runs);
  const corpus = ["", ...inputs].map(bytesOf);
  const choices = Choices.byChance(seed);
  const coverage = new Coverage(source);
  for (const input of corpus) await attempt(target, input);
  coverage.takeNews();
  const words = coverage.words();
  for (let run = 0; run < runs; run += BATCH) {
    const batch = Array.from({ length: BATCH }, () => {
      // Nobody makes these choices again.
      choices.made = [];
      return mutate(choices, corpus, words);
    });
    for (const input of batch) await attempt(target, input);
    if (!coverage.hasNews()) continue;
    for (const input of batch) {
      await attempt(target, input);
      if (coverage.takeNews()) corpus.push(input);
    }
  }
  return corpus;
}

function bytesOf(input) {
  return typeof input === "string" ? Buffer.from(input, "latin1") : input;
}

async function attempt(target, input) {
  const copy = Buffer.from(input);
  if ((await failureOf(target, copy)) === null) return;
  const bytes = await shrink([...input], async (simpler) => {
    const failure = await failureOf(target, Buffer.from(simpler));
    return failure === null ? null : simpler;
  });
  const last = await failureOf(target, Buffer.from(bytes));
  throw new Error(`the input ${show(bytes)} fails`, { cause: last?.err });
}

function show(bytes) {
  const text = JSON.stringify(Buffer.from(bytes).toString("latin1"));
  const code = (char) => char.charCodeAt(0).toString(16);
  return text.replace(/[^ -~]/g, (char) => `\\u00${code(char)}`);
}
