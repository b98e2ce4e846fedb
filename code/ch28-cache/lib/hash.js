/** Drawn by lot: which keys collide differs from run to run. */
export const START = Math.floor(Math.random() * 2 ** 32) | 0;

/** Adds a byte to a hash. This is FNV-1a. */
export function addByte(value, byte) {
  return Math.imul(value ^ byte, 0x01000193);
}

/** A number of 32 bits for some bytes. */
export function hash(bytes, start, end) {
  let value = START;
  for (let at = start; at < end; at++) value = addByte(value, bytes[at]);
  return value;
}
