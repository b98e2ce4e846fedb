import process from "node:process";
import { parseArgs } from "node:util";
import { benchError } from "./lib/errors.js";
import { programs } from "./programs.js";

/** @import { Settings } from "./lib/measure.js" */

const programLines = Object.entries(programs)
  .map(([name, { does }]) => `npm run bench -- ${name.padEnd(12)} ${does}`)
  .join("\n");

export const help = `npm run bench -- SUITE [options]

  --quick           under four minutes; the result is marked as not publishable
  --only A,B        these contenders and the baseline, nothing else
  --machine NAME    the folder of benchmarks/results/ to write to (default: local,
                    which git ignores)
  --blocks N        how often each server runs (default 5)
  --seconds N       how long the load runs (default 8)
  --turns N         all servers of a block at once, loaded in N turns of so many
                    seconds that go round among them (default 1)
  --warm-up N       seconds of load before it (default 3)
  --connections N   default 256
  --rate N          requests a second that latency asks of all (default 10000)
  --tries N         how often at most to measure a server that other programs
                    disturb (default 3)
  --seed N          draws the order of the servers again
  --resume          go on with an unfinished result
  --stop-after N    run N blocks now and leave the rest to --resume

${programLines}
                          and what each takes: --help behind its name

npm run bench             what there is, and what is missing on this machine
npm run bench -- list     the suites and their contenders
npm run bench -- compare A B [--suite NAME] [--to SERVER]
                          two machines' ratios side by side
npm run bench -- best-of [MACHINE] [--suite NAME]
                          how a result looks when the runs to show are chosen
npm run bench -- report [MACHINE]
                          draws the charts and writes the tables anew
npm run bench -- page A B
                          a page with both machines' results, charts and verdicts
npm run bench -- history [MACHINE]
                          every run that there was, also those that weren't kept`;

/**
 * @param {string | undefined} text
 * @param {number} fallback
 * @param {string} name
 */
export function toNumber(text, fallback, name) {
  if (text === undefined) return fallback;
  const number = Number(text);
  // wrk takes no fractions of a second.
  if (!Number.isInteger(number) || number < 1) {
    throw benchError("ERR_BENCH_USAGE", `--${name} takes a whole number, not "${text}".`);
  }
  return number;
}

/**
 * @param {string[]} [args] without the program's name
 * @throws {UserError} ERR_BENCH_USAGE
 */
export function readCommandLine(args = process.argv.slice(2)) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        quick: { type: "boolean" },
        only: { type: "string" },
        machine: { type: "string", default: "local" },
        blocks: { type: "string" },
        seconds: { type: "string" },
        turns: { type: "string" },
        "warm-up": { type: "string" },
        connections: { type: "string" },
        rate: { type: "string" },
        tries: { type: "string" },
        seed: { type: "string" },
        resume: { type: "boolean" },
        "stop-after": { type: "string" },
        suite: { type: "string" },
        to: { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (err) {
    throw benchError("ERR_BENCH_USAGE", `${/** @type {Error} */ (err).message}\n\n${help}`);
  }
}

/** @typedef {ReturnType<typeof readCommandLine>["values"]} Values */

/**
 * @param {Partial<Values>} values
 * @param {number} [seed] of a result to go on with
 * @returns {Settings & { blocks: number, seed: number }}
 */
export function readSettings(values, seed) {
  const quick = values.quick ?? false;
  return {
    blocks: toNumber(values.blocks, quick ? 2 : 5, "blocks"),
    idleSeconds: quick ? 0.3 : 1,
    warmUpSeconds: toNumber(values["warm-up"], quick ? 1 : 3, "warm-up"),
    seconds: toNumber(values.seconds, quick ? 2 : 8, "seconds"),
    ...(values.turns ? { turns: toNumber(values.turns, 1, "turns") } : {}),
    connections: toNumber(values.connections, 256, "connections"),
    commonRate: toNumber(values.rate, 10_000, "rate"),
    secondsPerRate: toNumber(values.seconds, quick ? 2 : 5, "seconds"),
    seed: toNumber(values.seed, seed ?? 1 + Math.floor(Math.random() * 999_999), "seed"),
  };
}
