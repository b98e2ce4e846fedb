/**
 * Makes a list of choices simpler, as long as something still fails: fewer
 * choices, and smaller ones.
 *
 * @param {number[]} choices
 * @param {(choices: number[]) => Promise<?number[]>} fails gives the
 *   choices that were really made, if it fails with them
 */
export async function shrink(choices, fails) {
  let best = choices;
  let simpler = await findSimpler(best, fails);
  while (simpler !== null) {
    best = simpler;
    simpler = await findSimpler(best, fails);
  }
  return best;
}

async function findSimpler(choices, fails) {
  for (const candidate of candidatesFor(choices)) {
    const made = await fails(candidate);
    if (made !== null && isSimpler(made, choices)) return made;
  }
  return null;
}

function* candidatesFor(choices) {
  for (let size = choices.length; size > 0; size = smaller(size)) {
    for (let at = 0; at + size <= choices.length; at += 1) {
      yield choices.toSpliced(at, size);
    }
  }
  for (const [index, choice] of choices.entries()) {
    for (let less = choice; less > 0; less = Math.floor(less / 2)) {
      yield choices.with(index, choice - less);
    }
  }
}

function smaller(size) {
  return size > 16 ? Math.floor(size / 2) : size - 1;
}

function isSimpler(made, choices) {
  if (made.length !== choices.length) return made.length < choices.length;
  const at = made.findIndex((choice, index) => choice !== choices[index]);
  return at !== -1 && made[at] < choices[at];
}
