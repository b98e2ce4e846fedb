/** @returns {string} the text from `start` to `end`, without white space */
export function trim(text, start, end) {
  let from = start;
  let to = end;
  while (from < to && isWhite(text.charCodeAt(from))) from += 1;
  while (to > from && isWhite(text.charCodeAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

// String.prototype.trim would also cut the byte 0xa0, a part of the value.
function isWhite(code) {
  return code === 0x20 || code === 0x09;
}
