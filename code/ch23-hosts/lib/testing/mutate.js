const MOST_BYTES = 4096;

/**
 * Changes an input of the corpus in a few places.
 *
 * @param {import("./choices.js").Choices} choices
 * @param {Buffer[]} corpus
 * @param {string[]} words
 */
export function mutate(choices, corpus, words) {
  let bytes = choices.pick(corpus);
  for (let left = 1 + choices.below(4); left > 0; left -= 1) {
    const [start, end] = cut(choices, bytes);
    const piece = bytes.subarray(start, end);
    const other = choices.pick(corpus);
    const instead = choices.pick([
      "",
      Buffer.concat([piece, piece]),
      Buffer.of(choices.below(256)),
      other.subarray(...cut(choices, other)),
      choices.pick(words),
    ]);
    const before = bytes.subarray(0, start);
    const behind = bytes.subarray(end);
    bytes = Buffer.concat([before, Buffer.from(instead), behind]);
  }
  return bytes.subarray(0, MOST_BYTES);
}

function cut(choices, { length }) {
  const start = choices.below(length + 1);
  const most = choices.pick([1, 2, 8, length + 1]);
  return [start, Math.min(length, start + choices.below(most))];
}
