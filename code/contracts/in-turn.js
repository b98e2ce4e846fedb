/**
 * node:http calls the handlers of all requests that come in one piece at
 * once, and keeps the later answers. A server that has `inTurn` begins a
 * request when the one before it is answered (RFC 9112, section 9.3.2, lets
 * it choose), so that a case in which both are under way can't be had.
 *
 * @param {{ inTurn?: boolean }} underTest
 * @returns {string | false} as node:test's `skip` takes it
 */
export function skipInTurn({ inTurn = false }) {
  return inTurn && "one request after another";
}
