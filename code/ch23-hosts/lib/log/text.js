// Beside what JSON escapes: control characters that a terminal obeys, what
// some programs take for the end of a line, marks that turn the direction
// of text, and halves of surrogate pairs.
const UNSAFE =
  "\\x7f-\\x9f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069";
const SPECIAL = new RegExp(`["\\\\\\x00-\\x1f${UNSAFE}\\ud800-\\udfff]`);
const UNSAFE_ALL = new RegExp(`[${UNSAFE}]`, "g");

const MOST_LENGTH = 8192;

/** Writes a text as JSON: on one line, well-formed, and not too long. */
export function quote(text) {
  const short = text.length > MOST_LENGTH ? cut(text, MOST_LENGTH) : text;
  if (!SPECIAL.test(short)) return `"${short}"`;
  const json = JSON.stringify(short.toWellFormed());
  return json.replace(UNSAFE_ALL, escapeUnsafe);
}

export function cut(text, length) {
  if (text.length <= length) return text;
  return `${text.slice(0, length)}[${text.length - length} more]`;
}

function escapeUnsafe(character) {
  const code = character.charCodeAt(0).toString(16);
  return `\\u${code.padStart(4, "0")}`;
}
