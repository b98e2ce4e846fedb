import { Choices } from "../../code/ch18-tests/lib/testing/choices.js";
import { shrink } from "../../code/ch18-tests/lib/testing/shrink.js";

/** @import { Canvas } from "./lib.js" */

/** @param {Choices} choices */
const make = (choices) => choices.list(4, () => choices.below(100));

/** What fails: a list with an item of 70 or more. @param {number[]} list */
const isWrong = (list) => list.some((item) => item >= 70);

/** The first choices that fail, and each that the shrinker keeps after them. */
async function simulate() {
  let seed = 40;
  let choices = Choices.byChance(seed);
  while (!isWrong(make(choices)) || choices.made.length < 8) {
    seed += 1;
    choices = Choices.byChance(seed);
  }
  const kept = [choices.made];
  await shrink(choices.made, async (simpler) => {
    const again = Choices.again(simpler);
    if (!isWrong(make(again))) return null;
    const last = kept[kept.length - 1];
    const at = again.made.findIndex((choice, index) => choice !== last[index]);
    const { length } = again.made;
    const isSmaller = at !== -1 && again.made[at] < last[at];
    if (length < last.length || (length === last.length && isSmaller)) kept.push(again.made);
    return again.made;
  });
  return kept.map((made) => ({ made, list: make(Choices.again(made)) }));
}

const rows = await simulate();

/** @param {Canvas} canvas @param {{ cell: number, step: number }} measures */
function draw(canvas, { cell, step }) {
  const size = canvas.textSize;
  const stacked = canvas.width < 400;
  let y = 4;
  for (const [index, { made, list }] of rows.entries()) {
    const isLast = index === rows.length - 1;
    for (const [place, choice] of made.entries()) {
      canvas.labelledBox(1 + place * cell, y, cell - 4, 34, String(choice), {
        fill: isLast ? "accent-fill" : "blue-fill",
        stroke: isLast ? "accent" : "blue",
        text: { mono: true },
      });
    }
    const text = `[${list.join(", ")}]`;
    if (stacked) canvas.text(1, y + 34 + size * 1.15, text, { mono: true, color: "soft" });
    else {
      canvas.text(canvas.width - 2, y + 17 + size * 0.34, text, {
        mono: true,
        anchor: "end",
        color: isLast ? "accent" : "soft",
      });
    }
    y += step;
  }
  canvas.height = Math.round(y);
}

const [first] = rows;
const last = rows[rows.length - 1];

export default {
  title: "A shrinker at work",
  description:
    "The choices behind a list, row by row, as the shrinker makes them simpler; the list that " +
    `they make stands beside each row. The list is wrong if an item is 70 or more. It begins with ` +
    `${first.list.join(", ")}, from ${first.made.length} choices, and ends after ${rows.length - 1} ` +
    `steps with ${last.list.join(", ")}, from ${last.made.length}.`,

  /** @param {Canvas} canvas */
  wide(canvas) {
    draw(canvas, { cell: 46, step: 46 });
  },

  /** @param {Canvas} canvas */
  narrow(canvas) {
    draw(canvas, { cell: 35, step: 74 });
  },
};
