const TEXTS = ["a", "-", "\r", "\n", "--b", "\r\n--b", "\r\n\r\n"];

export function anyBody(choices) {
  const text = choices.list(12, () => choices.pick(TEXTS)).join("");
  const body = `--b${text}`;
  const cuts = choices.list(4, () => choices.below(body.length + 1));
  return { body, cuts: cuts.sort((a, b) => a - b) };
}

export function cutAt({ body, cuts }) {
  const bytes = Buffer.from(body);
  const ends = [...cuts, bytes.length];
  return ends.map((end, i) => bytes.subarray(cuts[i - 1] ?? 0, end));
}
