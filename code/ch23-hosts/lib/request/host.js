// From a thousand fields on, of two entries each, a Host may be lost.
export const FULL = 2000;

// Of several Host lines node:http keeps the first. Here they make a list,
// which is no host (RFC 9112, section 3.2).
export function hostOf(rawHeaders) {
  if (rawHeaders.length >= FULL) return ",";
  let host;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name.length !== 4 || name.toLowerCase() !== "host") continue;
    const value = rawHeaders[i + 1];
    host = host === undefined ? value : `${host}, ${value}`;
  }
  return host;
}
