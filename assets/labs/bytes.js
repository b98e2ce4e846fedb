/** Bytes as a reader types and sees them: those of a request, a few hundred. */

const escapes = /** @type {Record<string, string>} */ ({
  r: "\r",
  n: "\n",
  t: "\t",
  0: "\0",
  "\\": "\\",
});

/**
 * Text with escapes as bytes, by the rules of the book's raw.js.
 *
 * @param {string} text such as `GET / HTTP/1.1\r\n`
 * @returns {Buffer}
 */
export function bytesOf(text) {
  const repeat = /^(\d+)\*(.+)$/s.exec(text);
  const [, count, repeated] = repeat ?? ["", "1", text];
  const bytes = Buffer.from(repeated)
    .toString("latin1")
    .replace(/\\(?:x([0-9a-fA-F]{2})|([rnt0\\]))/g, (_, hex, letter) =>
      hex ? String.fromCharCode(Number.parseInt(hex, 16)) : escapes[letter],
    );
  return Buffer.from(bytes.repeat(Number(count)), "latin1");
}

/**
 * A byte in the width of two characters: itself, its escape, or its number.
 *
 * @param {number} byte
 */
export function glyphOf(byte) {
  const known = { 9: "\\t", 10: "\\n", 13: "\\r" }[byte];
  if (known !== undefined) return known;
  return byte >= 0x20 && byte < 0x7f
    ? String.fromCharCode(byte)
    : byte.toString(16).padStart(2, "0");
}

/**
 * A byte in words.
 *
 * @param {number} byte
 */
export function nameOf(byte) {
  const name = { 9: "tab", 10: "LF", 13: "CR", 32: "space" }[byte];
  if (name !== undefined) return name;
  return byte > 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `byte ${glyphOf(byte)}`;
}

/**
 * Text as code shows it, so that each of its bytes can be told.
 *
 * @param {string} text one character a byte
 */
export function quote(text) {
  const shown = [...text].map((character) => {
    const glyph = glyphOf(character.charCodeAt(0));
    return glyph.length > 1 && !glyph.startsWith("\\") ? `\\x${glyph}` : glyph;
  });
  return `"${shown.join("")}"`;
}

/**
 * @param {number} number
 * @param {string} unit
 */
export function count(number, unit) {
  return `${number.toLocaleString("en")} ${unit}${number === 1 ? "" : "s"}`;
}
