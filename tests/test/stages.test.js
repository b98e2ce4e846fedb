import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { pinnedVersion } from "../../tools/lib/node-version.js";
import { testChallenges, testChapters } from "../../tools/test/chapters.js";
import { testHeadings } from "../../tools/test/headings.js";
import { makeBook } from "../walk/book.js";

/** @import { StageContext } from "../../tools/test/stages.js" */

const BOOK = {
  "chapters/ch01-one.md": "# One\n\n## Adding up\n\n## Challenges\n",
  "code/ch01-one/package.json": '{ "type": "module" }\n',
  "code/ch01-one/add.js": "export const add = (a, b) => a + b;\n",
  "code/ch01-one/test/add.test.js": `
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { add } from "../add.js";

describe("Adding up", () => {
  it("adds", () => assert.equal(add(1, 2), 3));
});
`,
  "code/ch01-one/test/challenge-1.test.js": `
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { add } from "../add.js";

describe("Challenges", { skip: process.env.CHALLENGE !== "1" && "challenge 1" }, () => {
  it("adds three", () => assert.equal(add(1, 2, 3), 6));
});
`,
  "code/ch01-one/test/hints.json": '{ "Adding up": "Plus." }\n',
  "code/ch01-one/solutions/1-three/add.js":
    "export const add = (...all) => all.reduce((a, b) => a + b);\n",
};

const TEST = "code/ch01-one/test/add.test.js";

const WRONG = { "code/ch01-one/add.js": "export const add = (a, b) => a - b;\n" };

/**
 * What a stage is given, for a book of our own.
 *
 * @param {import("node:test").TestContext} t
 * @param {Record<string, string | undefined>} [changes]  undefined leaves a
 *   file out
 * @returns {StageContext}
 */
function contextFor(t, changes = {}) {
  const files = Object.entries({ ...BOOK, ...changes }).filter(([, text]) => text !== undefined);
  const root = makeBook(t, /** @type {Record<string, string>} */ (Object.fromEntries(files)));
  const pinnedNode = join(root, "pinned-node");
  symlinkSync(process.execPath, pinnedNode);
  return { root, pinnedNode, report: () => {} };
}

describe("the chapters' tests", () => {
  it("run on two Nodes, where these are two", async (t) => {
    const { passed, failed, notes } = await testChapters(contextFor(t));
    const isPinned = process.versions.node.split(".")[0] === pinnedVersion.split(".")[0];
    assert.deepEqual({ passed, failed, notes }, { passed: isPinned ? 1 : 2, failed: 0, notes: [] });
  });

  it("run on one where the pinned Node can't be had", async (t) => {
    const context = { ...contextFor(t), pinnedNode: process.execPath };
    assert.equal((await testChapters(context)).passed, 1);
  });

  it("that fail are told with their chapter, section, values and place", async (t) => {
    const { problems } = await testChapters(
      contextFor(t, { "code/ch01-one/add.js": "export const add = (a, b) => a - b;\n" }),
    );
    assert.match(problems[0], /^ch01-one on Node \d+ > Adding up > adds\n/);
    assert.match(problems[0], /-1 !== 3/);
    assert.match(problems[0], /add\.test\.js:7:/);
  });

  it("that can't be run are a failure", async (t) => {
    const { failed, problems } = await testChapters(
      contextFor(t, { "code/ch01-one/add.js": undefined }),
    );
    assert.ok(failed > 0);
    assert.match(problems[0], /Cannot find module .*add\.js/);
  });

  it("that stand still are run once more, on demand, and it is noted", async (t) => {
    // Stands still until a run has left its mark.
    const add = `import { existsSync, writeFileSync } from "node:fs";
const mark = new URL("mark", import.meta.url);
const isFirst = !existsSync(mark);
writeFileSync(mark, "");
if (isFirst) await new Promise((resolve) => setTimeout(resolve, 60_000));
export const add = (a, b) => a + b;
`;
    const context = contextFor(t, { "code/ch01-one/add.js": add });
    const options = { ...context, pinnedNode: process.execPath, limit: 2_000 };
    const { failed, again } = await testChapters(options);
    assert.equal(failed, 1);
    const second = await again?.();
    assert.equal(second?.failed, 0);
    assert.equal(second?.passed, 1);
    assert.match(String(second?.notes), /^RUN TWICE, because at first: .*no test ended for 2 s/);
  });

  it("of which one fails are run once more, and fail again where it is no accident", async (t) => {
    const context = contextFor(t, WRONG);
    const { failed, again } = await testChapters({ ...context, pinnedNode: process.execPath });
    assert.equal(failed, 1);
    const second = await again?.();
    assert.equal(second?.failed, 1);
    assert.match(String(second?.problems), /adds/);
  });

  it("of which two fail are not run once more", async (t) => {
    const twice = { ...WRONG, "code/ch01-one/test/twice.test.js": BOOK[TEST] };
    const context = contextFor(t, twice);
    const { failed, again } = await testChapters({ ...context, pinnedNode: process.execPath });
    assert.deepEqual({ failed, again }, { failed: 2, again: undefined });
  });

  it("that fail in three milestones are not run once more", async (t) => {
    const three = Object.fromEntries(
      ["ch01-one", "ch02-two", "ch03-three"].flatMap((name) => [
        [`chapters/${name}.md`, BOOK["chapters/ch01-one.md"]],
        [`code/${name}/package.json`, BOOK["code/ch01-one/package.json"]],
        [`code/${name}/add.js`, WRONG["code/ch01-one/add.js"]],
        [`code/${name}/test/add.test.js`, BOOK[TEST]],
      ]),
    );
    const context = contextFor(t, three);
    const { failed, again } = await testChapters({ ...context, pinnedNode: process.execPath });
    assert.deepEqual({ failed, again }, { failed: 3, again: undefined });
  });

  it("that are not there are noted", async (t) => {
    const { notes } = await testChapters(
      contextFor(t, {
        "code/ch01-one/test/add.test.js": undefined,
        "code/ch01-one/test/challenge-1.test.js": undefined,
      }),
    );
    assert.deepEqual(notes, ["ch01-one has no tests"]);
  });
});

describe("a challenge", () => {
  it("passes with its solution laid over the milestone", async (t) => {
    const { passed, problems } = await testChallenges(contextFor(t));
    assert.deepEqual(problems, []);
    assert.equal(passed, 1);
  });

  it("has to fail without its solution", async (t) => {
    const { problems } = await testChallenges(
      contextFor(t, {
        "code/ch01-one/add.js": BOOK["code/ch01-one/solutions/1-three/add.js"],
      }),
    );
    assert.deepEqual(problems, ["ch01-one, challenge 1 passes its test without the solution"]);
  });

  it("has both a test and a solution", async (t) => {
    const noSolution = await testChallenges(
      contextFor(t, { "code/ch01-one/solutions/1-three/add.js": undefined }),
    );
    assert.match(noSolution.problems[0], /challenge 1 has a test and no folder in solutions\//);
    const noTest = await testChallenges(
      contextFor(t, { "code/ch01-one/test/challenge-1.test.js": undefined }),
    );
    assert.match(noTest.problems[0], /challenge 1 has a solution and no test/);
  });
});

describe("the groups of a chapter's tests", () => {
  it("are headings of the chapter, with a hint", async (t) => {
    const { passed, problems } = await testHeadings(contextFor(t));
    assert.deepEqual(problems, []);
    assert.equal(passed, 5);
  });

  it("are refused where a failure would say nothing", async (t) => {
    const { problems } = await testHeadings(
      contextFor(t, {
        "code/contracts/add.js": 'import assert from "node:assert/strict";\nassert.ok(1 > 0);\n',
      }),
    );
    assert.deepEqual(problems, [
      "code/contracts/add.js:2: this assert.ok says nothing when it fails",
    ]);
  });

  it("are refused when the heading has another wording, or the hint is missing", async (t) => {
    const { problems } = await testHeadings(
      contextFor(t, {
        "chapters/ch01-one.md": "# One\n\n## Adding\n\n## Challenges\n",
        "code/ch01-one/test/hints.json": '{ "Adding": "Plus." }\n',
      }),
    );
    assert.deepEqual(problems, [
      'code/ch01-one/test/add.test.js:6: "Adding up" is no heading of chapters/ch01-one.md',
      'code/ch01-one/test/add.test.js:6: "Adding up" has no hint in code/ch01-one/test/hints.json',
      'code/ch01-one/test/hints.json: "Adding" is no group of a test any more',
    ]);
  });
});
