/** With more letters to change, it is another word. */
const MOST_EDITS = 2;

/**
 * The word that is nearest to another one.
 *
 * @param {string} word
 * @param {string[]} known of two that are as near, the first wins
 * @returns {string | null} null if none is near
 */
export function nearest(word, known) {
  let best = null;
  let fewest = MOST_EDITS + 1;
  for (const candidate of known) {
    const edits = editDistance(word, candidate);
    if (edits < fewest) [best, fewest] = [candidate, edits];
  }
  return best;
}

/**
 * How many letters have to be inserted, deleted or replaced to make one
 * word of another (Levenshtein's distance).
 *
 * @param {string} from
 * @param {string} to
 * @returns {number}
 */
export function editDistance(from, to) {
  // row[i] is the distance to the first i letters of `to`: from nothing at
  // first, then from one letter of `from` after the other.
  let row = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (const letter of from) {
    const next = [row[0] + 1];
    for (let i = 1; i < row.length; i += 1) {
      const replaced = row[i - 1] + (letter === to[i - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[i] + 1, next[i - 1] + 1));
    }
    row = next;
  }
  return row[to.length];
}
