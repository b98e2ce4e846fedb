/**
 * @typedef {object} Range
 * @property {number} start the first byte
 * @property {number} end the byte after the last one
 */

// RFC 9110, section 14.1.2. Names of units have no case.
const RANGE = /^bytes=[\s,]*(?:(\d+)-(\d*)|-(\d+))[\s,]*$/i;

/**
 * Reads a Range field (RFC 9110, section 14.2).
 *
 * @param {string} field
 * @param {number} size of the whole, in bytes
 * @returns {Range | "none" | null} "none" if no byte is in the range; null
 *   if the whole is to be sent: for other units, several ranges, or rubbish
 */
export function parseRange(field, size) {
  const [, first = "", last = "", suffix = ""] = RANGE.exec(field) ?? [];
  // A Content-Range can't tell of a part of an empty file.
  if (size === 0 || first + suffix === "") return null;
  if (suffix !== "") {
    const length = Math.min(Number(suffix), size);
    return length === 0 ? "none" : { start: size - length, end: size };
  }
  const start = Number(first);
  const end = last === "" ? size : Number(last) + 1;
  if (last !== "" && Number(last) < start) return null;
  return start >= size ? "none" : { start, end: Math.min(end, size) };
}
