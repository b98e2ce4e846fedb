/**
 * Numbers from 0 to below 1: for the same seed the same ones (xorshift).
 *
 * @param {number} seed a whole number above 0
 * @returns {() => number}
 */
export function randomFrom(seed) {
  // Small seeds would begin alike: this spreads their bits.
  let state = Math.imul(seed, 0x9e3779b1) || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/**
 * A time by chance, whatever the times before it were.
 *
 * @param {number} mean
 * @param {() => number} random
 */
export function exponential(mean, random) {
  return -mean * Math.log(1 - random());
}
