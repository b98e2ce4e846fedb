import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { brokenLinks } from "../../tools/book/links.js";
import { makeBook } from "../walk/book.js";

const BOOK = {
  "chapters/SUMMARY.md": "# Book\n\n[Preface](preface.md)\n\n- [One](ch01-one.md)\n",
  "chapters/preface.md": "# Preface\n\n## A `word` first\n",
  "chapters/unlisted.md": "# Unlisted\n",
  "assets/figures/a.svg": "<svg></svg>",
  "code/ch01-one/a.js": "",
  "README.md": "# Read me\n",
};

/**
 * @param {import("node:test").TestContext} t
 * @param {string} text  of the chapter
 * @param {string} [file]
 */
function problemsWith(t, text, file = "chapters/ch01-one.md") {
  return brokenLinks(makeBook(t, { "chapters/ch01-one.md": "# One\n", ...BOOK, [file]: text }));
}

describe("a link between pages", () => {
  const right = [
    "[a](preface.md)",
    "[a](preface.md#a-word-first)",
    "# Here\n\n[a](#here)",
    '<a href="preface.md">a</a>',
    '<p id="there">\n\n[a](#there)',
    "![a](../assets/figures/a.svg)",
    "[a](https://example.org/x.md) [b](mailto:a@example.org)",
    "`[a](none.md)`",
    "[a]\n\n[a]: preface.md",
  ];
  for (const text of right) {
    it(`is right: ${JSON.stringify(text)}`, (t) => {
      assert.deepEqual(problemsWith(t, `${text}\n`).map(String), []);
    });
  }

  const wrong = /** @type {[string, RegExp][]} */ ([
    ["[a](prefaces.md)", /^prefaces\.md leads nowhere: there is no chapters\/prefaces\.md$/],
    ["[a](preface.md#a-wort-first)", /preface\.md has no #a-wort-first; #a-word-first\?$/],
    ["[a](#there)", /chapters\/ch01-one\.md has no #there$/],
    ["![a](../assets/figures/b.svg)", /there is no assets\/figures\/b\.svg$/],
    ["[a](../code/ch01-one/a.js)", /code\/ch01-one\/a\.js is not on the site/],
    ["[a](unlisted.md)", /unlisted\.md is not on the site: SUMMARY\.md doesn't list it$/],
    ["[a](../../a.md)", /it leaves the repository$/],
    ["[a]\n\n[a]: none.md", /there is no chapters\/none\.md$/],
    ['<p>\n<a href="none.md">a</a>', /there is no chapters\/none\.md$/],
  ]);
  for (const [text, message] of wrong) {
    it(`is wrong: ${JSON.stringify(text)}`, (t) => {
      const problems = problemsWith(t, `Text.\n\n${text}\n`);
      assert.equal(problems.length, 1);
      assert.equal(problems[0].file, "chapters/ch01-one.md");
      const lines = `Text.\n\n${text}`.split("\n");
      assert.match(lines[problems[0].line - 1], /\.md|\.js|\.svg|#/);
      assert.match(problems[0].message, message);
    });
  }

  it("is looked at in the repository's own pages too", (t) => {
    const [problem] = problemsWith(t, "# Read me\n\n[a](chapters/none.md)\n", "README.md");
    assert.match(String(problem), /^README\.md:3: chapters\/none\.md leads nowhere/);
    assert.deepEqual(problemsWith(t, "[a](code/ch01-one/a.js) [b](code)\n", "README.md"), []);
  });
});
