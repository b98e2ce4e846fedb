import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { walk, walkAgain } from "../../tools/walk/walk.js";
import { makeBook, problemsOf } from "./book.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** @param {string[]} args */
function npmRunWalk(...args) {
  return spawnSync(process.execPath, ["tools/walk.js", ...args], { cwd: root, encoding: "utf8" });
}

describe("npm run walk", () => {
  it("says in words what was asked for wrongly", () => {
    const wrong = /** @type {[string[], RegExp][]} */ ([
      [["ch99"], /^no chapter's name begins with ch99; there are: .*ch01-/],
      [["--wirte"], /^Unknown option '--wirte'[\s\S]*npm run walk -- ch08 --accept/],
      [["--limit", "0"], /^--limit takes a number of seconds/],
      [["--files", "--accept"], /^--files runs nothing that --accept could write/],
    ]);
    for (const [args, message] of wrong) {
      const { status, stderr } = npmRunWalk(...args);
      assert.equal(status, 1);
      assert.match(stderr, message);
      assert.doesNotMatch(stderr, /^ +at /m);
    }
  });

  it("counts no commands that it didn't run", async (t) => {
    const { stdout } = npmRunWalk("ch01", "--files");
    assert.match(stdout, /^\w+ +ch01-\S+: \d+ listings, [\d.]+ s$/m);
    const chapter = "<!-- milestone: ch01-one -->\n~~~console\n$ true\n~~~\n";
    const book = makeBook(t, { "chapters/ch01-one.md": chapter });
    /** @type {(number | undefined)[]} */
    const counts = [];
    const onChapter = (/** @type {{ commands?: number }} */ { commands }) => counts.push(commands);
    await problemsOf(book, { onChapter });
    await problemsOf(book, { onChapter, run: false });
    assert.deepEqual(counts, [1, undefined]);
  });

  it("walks once more, when it is asked to, whose sessions alone failed, and says so", async (t) => {
    const known = join(mkdtempSync(join(tmpdir(), "known-")), "known");
    t.after(() => rmSync(dirname(known), { recursive: true, force: true }));
    const listing = "~~~js file=a.js\n1;\n~~~\n";
    // Prints nothing from its second run on.
    const session = `~~~console\n$ cat ${known} 2>&1 || touch ${known}\n~~~\n`;
    const book = makeBook(t, {
      "chapters/ch01-one.md": `<!-- milestone: ch01-one -->\n${listing}${session}`,
    });
    const options = { root: book, node: process.execPath, limit: 2_000 };
    const twice = async () => walkAgain(await walk(options), options);
    const [withoutFiles] = await twice();
    assert.notEqual(withoutFiles.problems.length, 0);
    assert.equal(withoutFiles.before, undefined);

    await walk({ ...options, write: true, run: false });
    rmSync(known, { force: true });
    const [{ problems, before }] = await twice();
    assert.deepEqual(problems, []);
    assert.match(String(before), /chapters\/ch01-one\.md:\d+: /);
  });
});

describe("an error", () => {
  /**
   * @param {import("node:test").TestContext} t
   * @param {string} statement
   */
  function runMain(t, statement) {
    const folder = makeBook(t, {
      "main.mjs": `
        import { runMain } from ${JSON.stringify(new URL("../../tools/lib/main.js", import.meta.url))};
        import { UserError } from ${JSON.stringify(new URL("../../tools/lib/user-error.js", import.meta.url))};
        function buggy() {
          ${statement};
        }
        await runMain(async () => buggy());`,
    });
    return spawnSync(process.execPath, [`${folder}/main.mjs`], { encoding: "utf8" });
  }

  it("that is a bug keeps its stack", (t) => {
    const { status, stderr } = runMain(t, "undefined.lines");
    assert.equal(status, 1);
    assert.match(stderr, /TypeError: Cannot read properties of undefined/);
    assert.match(stderr, /at buggy /);
  });

  it("that the user can mend is a message", (t) => {
    const { status, stderr } = runMain(t, 'throw new UserError("No such name.", "it said so\\n")');
    assert.equal(status, 1);
    assert.equal(stderr, "it said so\nNo such name.\n");
  });
});
