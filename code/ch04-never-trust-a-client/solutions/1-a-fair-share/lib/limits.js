/** What one client may cost us. Sizes in bytes, times in milliseconds. */
export const defaultLimits = {
  /** The request line without its CR LF. */
  requestLineBytes: 8 * 1024,
  /** All field lines together, each with its CR LF. */
  fieldSectionBytes: 16 * 1024,
  fieldCount: 100,
  bodyBytes: 1024 * 1024,
  /** The line of one chunk: its size and its extensions. */
  chunkLineBytes: 256,
  /** Between two requests. */
  idleTimeout: 5_000,
  /** From a request's first byte to the end of its head. */
  headTimeout: 10_000,
  /** From a request's first byte to its last. */
  requestTimeout: 120_000,
  requestsPerConnection: Infinity,
  /** At the same time. */
  connectionsPerAddress: 100,
  /** To take all that waits, and again for each full mebibyte of it. */
  sendTimeout: 60_000,
  /** How long a client may go on sending behind its last answer. */
  lingerTimeout: 5_000,
};

/** @typedef {typeof defaultLimits} Limits */

/**
 * The defaults, and what is given in their place.
 *
 * @param {Partial<Limits>} [given]
 * @returns {Limits}
 * @throws {TypeError} for a name or a value that no limit can have
 */
export function readLimits(given = {}) {
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(defaultLimits, name)) {
      throw new TypeError(`${name} is not the name of a limit`);
    }
    if (typeof value !== "number" || !(value > 0)) {
      throw new TypeError(`${name} must be a number above 0: ${value}`);
    }
  }
  return { ...defaultLimits, ...given };
}
