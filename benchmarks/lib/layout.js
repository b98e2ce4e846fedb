/**
 * Which cores serve and which load. The harness keeps to the generator's.
 *
 * @typedef {object} Layout
 * @property {number[]} server
 * @property {number[]} generator
 * @property {boolean} shared both use the same cores, for want of more
 * @property {boolean} pinned whether the system lets us hold them there
 * @property {number} threads of the generator
 */

/**
 * @param {object} options
 * @param {number} options.cores how many the machine has
 * @param {number} options.workers processes or threads that serve
 * @param {boolean} options.canPin
 * @returns {Layout}
 */
export function layOut({ cores, workers, canPin }) {
  const all = Array.from({ length: cores }, (_, core) => core);
  if (cores <= workers)
    return { server: all, generator: all, shared: true, pinned: false, threads: 1 };
  // The first cores get the system's own work too, so the server has the last.
  const generator = all.slice(0, cores - workers);
  return {
    server: all.slice(cores - workers),
    generator,
    shared: false,
    pinned: canPin,
    threads: Math.min(generator.length, 4),
  };
}
