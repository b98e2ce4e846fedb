// Times are whole microseconds: sums of fractions would be a little off.
const SECOND = 1_000_000;

/**
 * @typedef {object} Limit
 * @property {number} requests how many may come at once
 * @property {number} seconds until as many may come again
 *
 * @typedef {object} Taken
 * @property {boolean} isAllowed
 * @property {number} ahead by how many microseconds the client's time is
 *   ahead of now
 */

/** @param {Limit} limit @returns {{ each: number, window: number }} */
export function paceOf({ requests, seconds }) {
  const each = Math.floor((seconds * SECOND) / requests);
  return { each, window: each * requests };
}

/**
 * Takes one request of what a client may send, by the generic cell rate
 * algorithm.
 *
 * @param {number} ahead before this request, 0 or more
 * @param {Limit} limit
 * @returns {Taken}
 */
export function take(ahead, limit) {
  const { each, window } = paceOf(limit);
  const isAllowed = ahead + each <= window;
  return { isAllowed, ahead: isAllowed ? ahead + each : ahead };
}

/**
 * What to tell the client: how many more may come now, in how many seconds
 * the whole limit is free again, and in how many one request passes.
 *
 * @param {number} ahead after the request
 * @param {Limit} limit
 */
export function outlook(ahead, limit) {
  const { each, window } = paceOf(limit);
  return {
    // Below zero if the limit has become smaller.
    remaining: Math.max(0, Math.floor((window - ahead) / each)),
    allAfter: Math.ceil(ahead / SECOND),
    oneAfter: Math.ceil(Math.max(0, ahead + each - window) / SECOND),
  };
}
