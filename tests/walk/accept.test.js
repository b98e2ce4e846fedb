import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { acceptOutput } from "../../tools/walk/accept.js";
import { makeBook, problemsOf } from "./book.js";

const FILE = "chapters/ch01-one.md";

/**
 * Accepts what a chapter's commands print, and walks it again.
 *
 * @param {import("node:test").TestContext} t
 * @param {string} text
 */
async function accept(t, text) {
  const root = makeBook(t, { [FILE]: `<!-- milestone: ch01-one -->\n${text}` });
  const problems = await problemsOf(root, { write: true, accept: true });
  const lines = readFileSync(join(root, FILE), "utf8").split("\n");
  return { problems, text: lines.slice(1).join("\n"), again: () => problemsOf(root) };
}

describe("walk --accept", () => {
  it("writes what was printed, wherever the fence stands", async (t) => {
    const before = `~~~js file=a.js
let a;
~~~

~~~console
$ printf 'a\\nb\\n'
a
$ echo 'two
lines'
one line
$ true
nothing
~~~

1. In a list

   ~~~console
   $ printf 'c\\n\\nd\\n'
   e
   ~~~

> ~~~console
> $ echo quoted; exit
> ~~~
`;
    const { text, problems, again } = await accept(t, before);
    assert.deepEqual(problems, []);
    assert.equal(
      text,
      before
        .replace("'\na\n", "'\na\nb\n")
        .replace("one line", "two\nlines")
        .replace("nothing\n", "")
        .replace("   e\n", "   c\n\n   d\n")
        .replace("exit\n", "exit\n> quoted\n"),
    );
    assert.deepEqual(await again(), []);
  });

  it("writes what a server prints, and leaves what is right alone", async (t) => {
    const before = `~~~console
$ echo on http://127.0.0.1:3000; sleep 60
wrong
~~~

~~~console
^C
~~~

~~~console
$ echo right
right
~~~
`;
    const { text, problems } = await accept(t, before);
    assert.deepEqual(problems, []);
    assert.equal(text, before.replace("wrong", "on http://127.0.0.1:3000"));
  });

  it("doesn't write how a command ends, nor what came from a dead server", async (t) => {
    const { text, problems } = await accept(t, "~~~console\n$ echo a; exit 3\nb\n~~~\n");
    assert.match(problems[0], /`echo a; exit 3` ended with exit code 3/);
    assert.match(text, /exit 3\nb\n/);
    const dead = `~~~console
$ echo up; sleep 0.3; echo down; exit 3
up
~~~

~~~console terminal=2
$ sleep 0.6; echo gone
there
~~~
`;
    const died = await accept(t, dead);
    assert.match(died.problems[0], /ended with exit code 3 by itself/);
    assert.equal(died.text, dead);
  });
});

describe("what is accepted", () => {
  const date = "date: Fri, 20 Nov 2026 09:41:33 GMT";
  const now = "date: Sat, 21 Nov 2026 10:00:00 GMT";

  it("keeps the book's dates, durations and frames where they only vary", () => {
    const frames = ["    at f (file:///home/you/velocy/a.js:1:1)", "    at g (node:a:1:2)"];
    const book = ["HTTP/1.1 200 OK", date, "took 3 ms", ...frames, "    at h (node:b:3:4)", "end"];
    const got = ["HTTP/1.1 404 Not Found", now, "took 9 ms", ...frames, "END"];
    assert.deepEqual(acceptOutput(book, got), [
      "HTTP/1.1 404 Not Found",
      date,
      "took 3 ms",
      ...frames,
      "    at h (node:b:3:4)",
      "END",
    ]);
  });

  it("keeps them in a line that changed beside them", () => {
    assert.deepEqual(acceptOutput(["12 passed in 3.5 ms"], ["13 passed in 8.1 ms"]), [
      "13 passed in 3.5 ms",
    ]);
    assert.deepEqual(acceptOutput([], [now]), [now]);
    assert.deepEqual(acceptOutput([date], []), []);
  });
});
