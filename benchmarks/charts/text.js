import { readFileSync } from "node:fs";

/** Size of text in pixels: that of a page. */
export const textSize = 18;

export const face = "'Source Sans 3', 'Segoe UI', system-ui, sans-serif";

/**
 * How wide characters are in DejaVu Sans, in thousandths of the text's size.
 * Where the book's own face is missing, this is about the widest that takes
 * its place. What has room in it has room in all.
 *
 * @type {{ regular: Record<string, number>, bold: Record<string, number> }}
 */
const widths = JSON.parse(readFileSync(new URL("text-widths.json", import.meta.url), "utf8"));

/**
 * @param {string} text
 * @param {{ isBold?: boolean, size?: number }} [how]
 * @returns {number} pixels that it takes at most
 */
export function widthOf(text, { isBold = false, size = textSize } = {}) {
  const table = isBold ? widths.bold : widths.regular;
  let sum = 0;
  // A space that doesn't break a line is as wide as one that does.
  for (const character of text.replaceAll("\u00a0", " ")) sum += table[character] ?? 1000;
  return (sum * size) / 1000;
}

/**
 * @param {string} text
 * @param {number} room in pixels
 * @param {{ isBold?: boolean }} [how]
 * @returns {string[]} lines that have room, as far as words can be parted
 */
export function wrap(text, room, how) {
  const lines = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && widthOf(longer, how) > room) {
      lines.push(line);
      line = word;
    } else {
      line = longer;
    }
  }
  return [...lines, line];
}
