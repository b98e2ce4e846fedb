import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { checkProperty } from "../testing.js";

const skip = process.env.CHALLENGE !== "1" && "challenge 1";

/** @param {import("../testing.js").Choices} choices */
const make = (choices) => choices.list(9, () => choices.below(50));
const check = (list) => assert.equal(list.indexOf(17), -1);

describe("Challenges", { skip }, () => {
  it("tells the choices, and tries them again", async () => {
    let message = "";
    await assert.rejects(
      checkProperty(make, check, { runs: 5000 }),
      (err) => {
        message = err.message;
        return true;
      },
    );
    const text = /fails with \[ 17 \], choices: (\[[\d,]+\])$/.exec(
      message,
    );
    assert.ok(text, message);
    const options = { runs: 0, choices: JSON.parse(text[1]) };
    await assert.rejects(checkProperty(make, check, options));
    await checkProperty(make, () => {}, options);
  });

  it("makes one value of them, before all runs", async () => {
    const made = [];
    const note = (list) => made.push(list);
    await checkProperty(make, note, { runs: 3, choices: [1, 4, 1, 5] });
    assert.equal(made.length, 4);
    assert.deepEqual(made[0], [4, 5]);
  });

  it("does without them", async () => {
    const made = [];
    await checkProperty(make, (list) => made.push(list), { runs: 3 });
    assert.equal(made.length, 3);
  });
});
