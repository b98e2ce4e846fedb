// Names and values in turn. The text has been checked: every line has a
// colon, and white space only around its value.
export function splitFields(text, start) {
  const fields = [];
  let at = start;
  for (;;) {
    const end = text.indexOf("\r\n", at);
    if (end === at) return fields;
    const colon = text.indexOf(":", at);
    fields.push(text.slice(at, colon), trim(text, colon + 1, end));
    at = end + 2;
  }
}

// String.prototype.trim would also cut the byte 0xa0, a part of the value.
function trim(text, start, end) {
  let from = start;
  let to = end;
  while (from < to && isWhite(text.charCodeAt(from))) from += 1;
  while (to > from && isWhite(text.charCodeAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

function isWhite(code) {
  return code === 0x20 || code === 0x09;
}
