/**
 * Where two lists of lines part.
 *
 * @param {string[]} expected
 * @param {string[]} got
 * @returns {number} index of the first line that differs; the length of the
 *   shorter list where it is the other's beginning; -1 when they are equal
 */
export function firstDifference(expected, got) {
  const length = Math.max(expected.length, got.length);
  for (let index = 0; index < length; index++) {
    if (expected[index] !== got[index]) return index;
  }
  return -1;
}

/**
 * The two lines of a message that show what should be and what is.
 *
 * @param {string | undefined} expected
 * @param {string | undefined} got
 * @param {string} [end]  what stands for a line that isn't there
 * @returns {string[]}
 */
export function showDifference(expected, got, end = "(nothing more)") {
  const show = (/** @type {string | undefined} */ line) => {
    if (line === undefined) return end;
    return line === "" ? "(an empty line)" : line;
  };
  return [`expected  ${show(expected)}`, `got       ${show(got)}`];
}
