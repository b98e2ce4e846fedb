/**
 * Takes a client's mask off, in place (RFC 6455, section 5.3).
 *
 * @param {Uint8Array} bytes of a payload
 * @param {Uint8Array} mask four bytes
 * @param {number} before how many bytes of the payload came before
 */
export function unmask(bytes, mask, before) {
  for (let i = 0; i < bytes.length; i += 1) {
    bytes[i] ^= mask[(before + i) & 3];
  }
}
