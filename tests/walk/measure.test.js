import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { makeBook, problemsOf } from "./book.js";

const ONE = "chapters/ch01-one.md";
const TWO = "chapters/ch02-two.md";
const RESULTS = "benchmarks/results/here/book";

/**
 * Measures a book's chapters, and gives their texts and files as they are then.
 *
 * @param {import("node:test").TestContext} t
 * @param {Record<string, string>} files
 * @param {Partial<import("../../tools/walk/walk.js").WalkOptions>} [options]
 */
async function measure(t, files, options = {}) {
  const root = makeBook(t, files);
  const problems = await problemsOf(root, { write: true, measure: true, ...options });
  const read = (/** @type {string} */ path) => readFileSync(join(root, path), "utf8");
  return { root, problems, read };
}

/** @param {string} text */
const first = (text) => `<!-- milestone: ch01-one -->\n${text}`;

describe("walk --measure", () => {
  it("runs each measurement where it stands, and shows what was printed", async (t) => {
    const chapter = first(`~~~js file=a.js
console.log("first", process.env.PORT !== undefined);
~~~

~~~console raw=${RESULTS}/a.txt
$ node a.js
old
~~~

~~~js file=a.js
console.log("second");
~~~

~~~console raw=${RESULTS}/b.txt
$ node a.js; echo; echo end >&2
old
lines
~~~
`);
    const files = { [ONE]: chapter, [`${RESULTS}/a.txt`]: "old\n" };
    const { root, problems, read } = await measure(t, files);
    assert.deepEqual(problems, []);
    assert.equal(read(`${RESULTS}/a.txt`), "first true\n");
    assert.equal(read(`${RESULTS}/b.txt`), "second\n\nend\n");
    const shown = chapter.replace("old\n~~~", "first true\n~~~");
    assert.equal(read(ONE), shown.replace("old\nlines", "second\n\nend"));
    assert.deepEqual(await problemsOf(root), []);
  });

  it("says when a command or its program isn't what was measured", async (t) => {
    const made = "the program that was measured";
    const chapter = (/** @type {string} */ text, command = "node a.js") =>
      first(
        `~~~js file=a.js\nconsole.log("x"); // ${text}\n~~~\n\n` +
          `~~~console raw=${RESULTS}/a.txt\n$ ${command}\nx\n~~~\n`,
      );
    const { root, problems } = await measure(t, { [ONE]: chapter(made) });
    assert.deepEqual(problems, []);
    assert.deepEqual(await problemsOf(root), []);
    const change = async (/** @type {string} */ text) => {
      writeFileSync(join(root, ONE), text);
      return problemsOf(root, { write: true });
    };
    const [other] = await change(chapter("another"));
    assert.match(other, /a\.js isn't as it was when it made .*a\.txt: measure it/);
    const [typed] = await change(chapter(made, "node ./a.js"));
    assert.match(typed, /a\.txt was made by another command/);
    rmSync(join(root, RESULTS, "made-by.json"));
    const [unknown] = await change(chapter(made));
    assert.match(unknown, /nobody knows what made .*a\.txt/);
  });

  it("asks the servers of other terminals", async (t) => {
    const chapter = first(`~~~console
$ echo up; echo 7 > $TMPDIR/said; sleep 60
up
~~~

~~~console terminal=2 raw=${RESULTS}/a.txt
$ cat $TMPDIR/said
6
~~~
`);
    const { problems, read } = await measure(t, { [ONE]: chapter });
    assert.deepEqual(problems, []);
    assert.equal(read(`${RESULTS}/a.txt`), "7\n");
  });

  it("waits for a measurement longer than for another output", async (t) => {
    const fence = `~~~console raw=${RESULTS}/a.txt\n$ sleep 1; echo done\nold\n~~~\n`;
    const { problems, read } = await measure(t, { [ONE]: first(fence) }, { limit: 300 });
    assert.deepEqual(problems, []);
    assert.equal(read(`${RESULTS}/a.txt`), "done\n");
  });

  const failures = {
    "that fails": "echo half; exit 3",
    "of which a part before a pipe fails": "node -e 'throw new Error(1)' | tail -n 1",
    "of which one round fails": "for i in 1 2; do (exit $((2 - i))); echo half; done",
  };
  for (const [what, command] of Object.entries(failures)) {
    it(`leaves the file of a measurement ${what} alone`, async (t) => {
      const chapter = first(`~~~console raw=${RESULTS}/a.txt\n$ ${command}\nold\n~~~\n`);
      const files = { [ONE]: chapter, [`${RESULTS}/a.txt`]: "old\n" };
      const { problems, read } = await measure(t, files);
      assert.equal(problems.length, 1);
      assert.match(problems[0], /^chapters\/ch01-one\.md:3: .* ended with exit code [13]/);
      assert.equal(read(`${RESULTS}/a.txt`), "old\n");
      assert.equal(read(ONE), chapter);
    });
  }

  it("makes a measurement once, and shows it wherever it is shown", async (t) => {
    const fence = (/** @type {string} */ printed) =>
      `~~~console raw=${RESULTS}/a.txt\n$ node a.js\n${printed}\n~~~\n`;
    const one = first(`~~~js file=a.js\nconsole.log(1);\n~~~\n\n${fence("0")}`);
    const listing = "~~~js file=a.js\nconsole.log(2);\n~~~\n";
    const two = `<!-- milestone: ch02-two from: ch01-one -->\n${listing}\n${fence("0")}`;
    const files = { [ONE]: one, [TWO]: two, [`${RESULTS}/a.txt`]: "0\n" };

    const both = await measure(t, files);
    assert.deepEqual(both.problems, []);
    assert.equal(both.read(`${RESULTS}/a.txt`), "1\n");
    assert.equal(both.read(ONE), one.replace("\n0\n", "\n1\n"));
    assert.equal(both.read(TWO), two.replace("\n0\n", "\n1\n"));

    const later = await measure(t, files, { names: ["ch02"] });
    assert.deepEqual(later.problems, []);
    assert.equal(later.read(`${RESULTS}/a.txt`), "0\n");
    assert.equal(later.read(TWO), two);
  });

  it("runs the repository's own benchmarks in the repository", async (t) => {
    const chapter = first(`~~~console raw=${RESULTS}/a.txt\n$ node benchmarks/try.js\nold\n~~~\n`);
    const files = { [ONE]: chapter, "benchmarks/try.js": "console.log(4);\n" };
    const { problems, read } = await measure(t, files);
    assert.deepEqual(problems, []);
    assert.equal(read(`${RESULTS}/a.txt`), "4\n");
  });

  it("compares what scripts have measured, as ever", async (t) => {
    const raw = "benchmarks/results/here/load.txt";
    const chapter = first(`~~~console raw=${raw}\n$ echo 2\n1\n~~~\n`);
    const { problems, read } = await measure(t, { [ONE]: chapter, [raw]: "3\n" });
    assert.match(problems[0], /this isn't what benchmarks\/results\/here\/load\.txt holds/);
    assert.equal(read(raw), "3\n");
  });

  it("leaves all as it is unless it is asked for", async (t) => {
    const chapter = first(`~~~console raw=${RESULTS}/a.txt\n$ echo 2\n1\n~~~\n`);
    const root = makeBook(t, { [ONE]: chapter });
    const [problem] = await problemsOf(root, { write: true });
    assert.match(problem, /there is no benchmarks\/results\/here\/book\/a\.txt to show/);
    assert.ok(!existsSync(join(root, RESULTS)));
  });
});
