import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { lacks } from "../../tools/lib/programs.js";
import { runStages } from "../../tools/test/run-stages.js";

/** @import { StageOutcome } from "../../tools/test/stages.js" */

const LACKS = lacks("a-program-of-nobody");

/** @returns {StageOutcome} */
const good = () => ({ passed: 1, failed: 0, problems: [], notes: [] });

/** @returns {StageOutcome} */
const bad = () => ({ passed: 0, failed: 1, problems: ["it failed"], notes: [] });

/** @param {Record<string, () => Promise<StageOutcome>>} runs */
async function runAll(runs, isCi = false) {
  /** @type {string[]} */
  const said = [];
  const stages = Object.fromEntries(
    Object.entries(runs).map(([name, run]) => [name, { title: `Doing ${name}`, run }]),
  );
  const outcomes = await runStages(stages, {
    wanted: Object.keys(runs),
    root: "/",
    pinnedNode: process.execPath,
    progress: { say: (text) => said.push(text.trim()), report: () => {} },
    isCi,
  });
  return { outcomes, said };
}

describe("a stage that wants to try again", () => {
  it("does so when no other stage runs, and its second outcome counts", async () => {
    /** @type {string[]} */
    const order = [];
    const again = async () => {
      order.push("again");
      return good();
    };
    const { outcomes, said } = await runAll({
      walk: async () => ({ ...bad(), again }),
      site: async () => {
        await delay(50);
        order.push("site");
        return good();
      },
      tools: async () => {
        await delay(100);
        order.push("tools");
        return good();
      },
    });
    assert.deepEqual(order, ["site", "tools", "again"]);
    assert.deepEqual(
      outcomes.map(({ name, passed, failed }) => ({ name, passed, failed })),
      ["walk", "site", "tools"].map((name) => ({ name, passed: 1, failed: 0 })),
    );
    assert.ok(!said.includes("it failed"), "the first outcome is not said");
  });

  it("has failed if it fails again", async () => {
    const { outcomes, said } = await runAll({
      walk: async () => ({ ...bad(), again: async () => bad() }),
    });
    assert.equal(outcomes[0].failed, 1);
    assert.equal(said.filter((text) => text === "it failed").length, 1);
  });
});

describe("stages", () => {
  it("that can't be run are a failure, and the others go on", async () => {
    const { outcomes } = await runAll({
      lint: async () => {
        throw new Error("no linter");
      },
      site: async () => good(),
    });
    assert.match(outcomes[0].problems[0], /no linter/);
    assert.equal(outcomes[0].failed, 1);
    assert.equal(outcomes[1].passed, 1);
  });

  it("that lack something fail on CI alone", async () => {
    const lacking = async () => ({ ...good(), notes: [`SKIPPED: all of it, because ${LACKS}`] });
    assert.equal((await runAll({ site: lacking })).outcomes[0].failed, 0);
    assert.equal((await runAll({ site: lacking }, true)).outcomes[0].failed, 1);
  });
});
