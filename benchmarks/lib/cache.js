import { estimate, noiseFloor } from "./statistics.js";

/** @import { Estimate } from "./statistics.js" */

/** What a cache is asked for. */
export const OPERATIONS = /** @type {const} */ (["set", "get"]);

/**
 * @typedef {object} CacheRun
 * @property {number} microseconds on a core, for a request
 * @property {number} rate requests a second
 * @property {number} server how busy its core was, 0 to 1
 * @property {number} busy the same of the client's
 *
 * @typedef {Record<string, Record<"set" | "get", CacheRun>>} CacheBlock
 */

/**
 * What each program's requests cost, beside memcached with one thread in the
 * same block.
 *
 * @param {CacheBlock[]} blocks
 * @param {string[]} [names] of the programs, in the order to show
 */
export function deriveCache(blocks, names = Object.keys(blocks[0])) {
  const cpu = (/** @type {string} */ name, /** @type {"set" | "get"} */ what) =>
    blocks.map((block) => block[name][what].microseconds);
  return Object.fromEntries(
    OPERATIONS.map((what) => {
      const base = cpu("memcached", what);
      const rows = names.map((name) => [name, deriveProgram(name, what, blocks, base)]);
      const twins = cpu("nodecached", what).map((one, n) => one / cpu("twin", what)[n]);
      return [what, { noise: noiseFloor(estimate(twins)), contenders: Object.fromEntries(rows) }];
    }),
  );
}

/**
 * @param {string} name
 * @param {"set" | "get"} what
 * @param {CacheBlock[]} blocks
 * @param {number[]} base memcached's
 * @returns {{ microseconds: Estimate, ratio: Estimate, rate: number, server: number, busy: number }}
 */
function deriveProgram(name, what, blocks, base) {
  const runs = blocks.map((block) => block[name][what]);
  const own = runs.map(({ microseconds }) => microseconds);
  return {
    microseconds: estimate(own),
    ratio: estimate(own.map((one, n) => one / base[n])),
    rate: estimate(runs.map(({ rate }) => rate)).median,
    server: estimate(runs.map(({ server }) => server)).median,
    busy: estimate(runs.map(({ busy }) => busy)).median,
  };
}
