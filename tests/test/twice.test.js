import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { twiceAtMost } from "../../tools/test/chapters.js";

/** @param {number[]} failures  of each run, in order */
function runs(...failures) {
  let count = 0;
  const test = async () => {
    const failed = failures[count++];
    const problems = failed > 0 ? [`run ${count} > fails\n    in line 1`] : [];
    return { passed: 3 - failed, failed, problems, notes: [] };
  };
  return { test, counted: () => count };
}

describe("A chapter's tests", () => {
  it("run once where nothing fails", async () => {
    const { test, counted } = runs(0);
    const { failed, notes } = await twiceAtMost("ch01", test);
    assert.deepEqual([failed, notes, counted()], [0, [], 1]);
  });

  it("run once more where something failed, which is told", async () => {
    const { failed, notes } = await twiceAtMost("ch01", runs(1, 0).test);
    assert.equal(failed, 0);
    assert.deepEqual(notes, ["RUN TWICE: ch01, because at first: run 1 > fails"]);
  });

  it("have failed where they fail twice", async () => {
    const { test, counted } = runs(1, 2, 0);
    const { failed, problems } = await twiceAtMost("ch01", test);
    assert.deepEqual([failed, counted()], [2, 2]);
    assert.deepEqual(problems, ["run 2 > fails\n    in line 1"]);
  });
});
