/**
 * A stretch of a text and what takes its place.
 *
 * @typedef {{ start: number, end: number, text: string }} Edit
 */

/**
 * Replaces stretches of a text. Of two that overlap, the one that begins first
 * is the one that counts: a number in a generated block is the block's affair.
 *
 * @param {string} text
 * @param {Edit[]} edits  in any order
 */
export function applyEdits(text, edits) {
  let result = "";
  let done = 0;
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    if (edit.start < done) continue;
    result += text.slice(done, edit.start) + edit.text;
    done = edit.end;
  }
  return result + text.slice(done);
}
