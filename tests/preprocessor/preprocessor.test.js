/** The page of a chapter, as the preprocessor hands it to mdBook. */

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { weaveBook } from "../../tools/preprocessor/book.js";

/** @type {string} */
let root;

before(() => {
  root = mkdtempSync(path.join(tmpdir(), "preprocessor-"));
  mkdirSync(path.join(root, "assets"));
  mkdirSync(path.join(root, "chapters"));
  writeFileSync(
    path.join(root, "assets", "drawing.svg"),
    '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" ' +
      'aria-labelledby="t d"><title id="t">A title</title><desc id="d">A description</desc>\n' +
      '<style data-standalone="">:root{}</style>\n\n<path id="p" fill="url(#g)"/>' +
      '<use href="#p"/></svg>\n',
  );
});
after(() => rmSync(root, { recursive: true, force: true }));

/**
 * Weaves chapters, each the first one's successor.
 *
 * @param {string[]} contents
 * @param {{ repository?: string }} [options]
 */
async function weave(contents, { repository } = {}) {
  const chapters = contents.map((content, index) => ({
    name: `Chapter ${index + 1}`,
    path: `ch0${index + 1}.md`,
    number: [index + 1],
    content,
    sub_items: [],
  }));
  const book = {
    items: [{ PartTitle: "Part I" }, ...chapters.map((chapter) => ({ Chapter: chapter }))],
  };
  const html = repository ? { "git-repository-url": repository } : {};
  const config = { book: { src: "chapters" }, output: { html } };
  await weaveBook(book, { root, config });
  return chapters.map(({ content }) => content);
}

/** @param {string} content */
async function weaveOne(content) {
  const [woven] = await weave([content]);
  return woven;
}

const fence = "```";

describe("a chapter's number", () => {
  /** @param {string} file */
  const numberOf = async (file) => {
    const content = "# A title\n\nWords.\n";
    const chapter = { name: "", path: file, number: [2], content, sub_items: [] };
    const config = { book: { src: "chapters" }, output: { html: {} } };
    await weaveBook({ items: [{ Chapter: chapter }] }, { root, config });
    return { number: chapter.number, content: chapter.content };
  };

  test("is the one in its file's name, whatever comes before it", async () => {
    const { number, content } = await numberOf("ch24-how-to-measure.md");
    assert.deepEqual(number, [24]);
    assert.match(content, /Chapter 24</);
  });

  test("is not given to an appendix", async () => {
    const { number, content } = await numberOf("appendix-measuring.md");
    assert.equal(number, null);
    assert.doesNotMatch(content, /place-in-book/);
  });
});

describe("a listing", () => {
  test("is a figure with the file's name, on one line of Markdown", async () => {
    const woven = await weaveOne(
      `<!-- milestone: ch01 -->\n# T\n\n${fence}js file=lib/a.js\nexport const a = 1;\n\n// b\n${fence}\n`,
    );
    const line = woven.split("\n").find((each) => each.includes("<figure"));
    assert.match(line ?? "", /<span class="file">lib\/a\.js<\/span>.*new file.*<\/figure>$/);
    assert.match(line ?? "", /<span class="t-keyword">export const<\/span>/);
    assert.match(line ?? "", /;&#10;&#10;<span class="t-comment">/);
  });

  test("tells comments that say why from those that a reader may leave out", async () => {
    const code = "/** @param {string} a what */\n// why\n/* also why */\nf(a);";
    const woven = await weaveOne(`# T\n\n${fence}js\n${code}\n${fence}\n`);
    const spans = [...woven.matchAll(/<span class="t-(doc|comment)">(.*?)<\/span>/g)];
    assert.deepEqual(
      spans.map(([, role, text]) => `${role}: ${text.trim()}`),
      ["doc: /** @param {string} a what */", "comment: // why", "comment: /* also why */"],
    );
  });

  test("says when it replaces a file that the reader has", async () => {
    const make = `${fence}js file=a.js\nexport const a = 1;\n${fence}\n`;
    const [, second] = await weave([
      `<!-- milestone: ch01 -->\n# T\n\n${make}`,
      `<!-- milestone: ch02 from: ch01 -->\n# T\n\n${make}`,
    ]);
    assert.match(second, /replace the whole file/);
  });

  test("escapes what HTML would take for its own", async () => {
    const woven = await weaveOne(
      `# T\n\n${fence}html\n<b title="x">&amp;</b>\n${fence}\n\n${fence}text\n<i>&</i>\n${fence}\n`,
    );
    assert.doesNotMatch(woven, /<b title|<i>/);
    assert.match(woven, /&amp;amp;/);
    assert.match(woven, /&lt;i&gt;&amp;&lt;\/i&gt;/);
  });

  test("keeps its place in a list, and text that follows at once is text", async () => {
    const woven = await weaveOne(
      `# T\n\n- item\n\n  ${fence}js\n  a;\n\n  b;\n  ${fence}\n  after\n`,
    );
    assert.match(woven, /\n {2}<figure class="listing reading">[^\n]*<\/figure>\n\n {2}after\n/);
  });

  test("keeps its place in a quote", async () => {
    const woven = await weaveOne(`# T\n\n> quote\n> ${fence}js\n> a;\n> ${fence}\n> after\n`);
    assert.match(woven, /\n> <figure[^\n]*<\/figure>\n>\n> after\n/);
  });

  test("inside a longer fence is text", async () => {
    const woven = await weaveOne(
      `# T\n\n${fence}${"`"}text\n${fence}js file=x.js\n${fence}\n${fence}${"`"}\n`,
    );
    assert.equal(woven.match(/<figure/g)?.length, 1);
    assert.match(woven, /```js file=x\.js&#10;```/);
  });
});

describe("a diff", () => {
  const chapter = (/** @type {string} */ diff) =>
    `<!-- milestone: ch01 -->\n# T\n\n${fence}js file=a.js\n/**\n * One.\n */\nlet a = 1;\nlet b = 2;\n${fence}\n\n` +
    `${fence}diff file=a.js\n${diff}\n${fence}\n`;

  test("marks lines in a way that isn't colour alone", async () => {
    const woven = await weaveOne(chapter(" let a = 1;\n-let b = 2;\n+let b = 3;"));
    assert.match(woven, /<del class="line"><span class="visually-hidden">removed: <\/span>/);
    assert.match(woven, /<ins class="line"><span class="visually-hidden">added: <\/span>/);
    assert.match(
      woven,
      /<ins[^>]*>.*?<span class="t-keyword">let<\/span> b = <span class="t-number">3/,
    );
  });

  test("says where each of its parts goes", async () => {
    const woven = await weaveOne(
      chapter("@@ in the comment @@\n- * One.\n+ * Two.\n@@ below it @@\n-let b = 2;\n+let b = 3;"),
    );
    assert.deepEqual(
      [...woven.matchAll(/<p class="place">(.*?)<\/p>/g)].map(([, words]) => words),
      ["in the comment", "below it"],
    );
    assert.equal(woven.match(/class="hunk"/g)?.length, 2);
  });

  test("is coloured as the place in the file that it is, a comment's inside too", async () => {
    const woven = await weaveOne(chapter("- * One.\n+ * Two."));
    assert.match(woven, /<ins[^>]*>(?:(?!<\/ins>).)*<span class="t-doc"> \* Two\.<\/span>/);
    assert.match(woven, /<del[^>]*>(?:(?!<\/del>).)*<span class="t-doc"> \* One\.<\/span>/);
  });
});

describe("a transcript", () => {
  test("tells what is typed from what is printed", async () => {
    const woven = await weaveOne(`# T\n\n${fence}console\n$ node a.js\none\n^C\n$ ls\n${fence}\n`);
    assert.match(woven, /<kbd class="command">node a\.js&#10;<\/kbd><samp>one&#10;<\/samp>/);
    assert.match(
      woven,
      /<kbd class="interrupt">\^C&#10;<\/kbd><kbd class="command">ls&#10;<\/kbd>/,
    );
  });

  test("names another terminal", async () => {
    const woven = await weaveOne(`# T\n\n${fence}console terminal=2\n$ ls\n${fence}\n`);
    assert.match(woven, /<figcaption>another terminal<\/figcaption>/);
  });
});

describe("a figure", () => {
  test("stands in the page, with ids of its own", async () => {
    const image = "![alt](../assets/drawing.svg)";
    const woven = await weaveOne(`# T\n\n${image}\n\n${image}\n`);
    const ids = [...woven.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    assert.equal(ids.length, 6);
    assert.equal(new Set(ids).size, 6);
    assert.match(woven, /aria-labelledby="ch01-figure1-t ch01-figure1-d"/);
    assert.match(woven, /url\(#ch01-figure2-g\)/);
    assert.match(woven, /href="#ch01-figure2-p"/);
    assert.match(woven, /<title id="ch01-figure1-t">A title<\/title>/);
    assert.match(woven, /role="img"/);
  });

  test("leaves behind what it needs when it stands alone", async () => {
    const woven = await weaveOne("# T\n\n![alt](../assets/drawing.svg)\n");
    assert.doesNotMatch(woven, /data-standalone|<\?xml/);
  });

  test("that isn't there is a message with the chapter and the line", async () => {
    await assert.rejects(weaveOne("# T\n\n![alt](../assets/nothing.svg)\n"), (err) => {
      assert.equal(String(err), "chapters/ch01.md:3: there is no figure ../assets/nothing.svg");
      return true;
    });
  });

  test("with text beside it is a message with the chapter and the line", async () => {
    await assert.rejects(weaveOne("# T\n\nSee ![alt](../assets/drawing.svg).\n"), (err) => {
      assert.match(String(err), /^chapters\/ch01\.md:3: a figure stands in a paragraph of its own/);
      return true;
    });
  });
});

describe("a page", () => {
  test("has no comments left, and nothing else gone", async () => {
    const woven = await weaveOne(
      "<!-- milestone: ch01 -->\n# T\n\nIt took 7 <!--= a.json#/b --> ms.\n\n" +
        `<!-- generated by: node x.js -->\n\n| a |\n| - |\n\n<!-- end generated -->\n\n${"`<!-- code -->`"}\n`,
    );
    assert.equal(woven.match(/<!--/g)?.length, 1);
    assert.match(woven, /It took 7 {2}ms\./);
    assert.match(woven, /\| a \|\n\| - \|/);
    assert.match(woven, /`<!-- code -->`/);
  });

  test("says which chapter it is, over its title", async () => {
    const woven = await weaveOne("# T\n\n# not a title\n");
    assert.match(woven, /^<p class="place-in-book">Part I · Chapter 1<\/p>\n\n# T/);
  });

  test("ends with the milestone's folder, as a link when the book has a repository", async () => {
    const content = "<!-- milestone: ch01-first -->\n# T\n";
    assert.match(await weaveOne(content), /is in <code>code\/ch01-first<\/code>\.<\/p>\n$/);
    const [linked] = await weave([content], { repository: "https://example.org/book" });
    assert.match(linked, /<a href="https:\/\/example\.org\/book\/tree\/HEAD\/code\/ch01-first">/);
  });

  test("with a diff that doesn't fit is still a page", async () => {
    const woven = await weaveOne(
      `<!-- milestone: ch01 -->\n# T\n\n${fence}diff file=a.js\n-gone\n+come\n${fence}\n`,
    );
    assert.match(woven, /<ins class="line">/);
  });

  test("with a fence that can't be understood is a message, not a page", async () => {
    await assert.rejects(weaveOne(`# T\n\n${fence}console colour=red\n$ ls\n${fence}\n`), (err) => {
      assert.match(String(err), /^chapters\/ch01\.md:3: /);
      return true;
    });
  });
});

describe("a chapter on several pages", () => {
  const long = [
    "<!-- milestone: ch01-long -->",
    "# The first half",
    "",
    "See [the end](#the-end), [here](#one) and [that](ch02.md#elsewhere).",
    "",
    "## One",
    "",
    "<!-- page: What's left -->",
    "",
    "Back to [one](#one), on to [the end](#the-end).",
    "",
    "## The end",
    "",
    "Words.",
    "",
  ].join("\n");

  /** @param {string[]} contents  each a chapter's */
  async function weaveItems(contents) {
    const items = contents.map((content, index) => ({
      Chapter: {
        name: `Chapter ${index + 1}`,
        path: `ch0${index + 1}-long.md`,
        number: [index + 1],
        content,
        sub_items: /** @type {any[]} */ ([]),
      },
    }));
    const config = { book: { src: "chapters" }, output: { html: {} } };
    await weaveBook({ items: [{ PartTitle: "Part I" }, ...items] }, { root, config });
    return items.map(({ Chapter }) => Chapter);
  }

  test("has those behind the first one below it, numbered on", async () => {
    const [{ content, sub_items }] = await weaveItems([long]);
    assert.equal(sub_items.length, 1);
    const { content: second, ...place } = sub_items[0].Chapter;
    assert.deepEqual(place, {
      name: "What's left",
      number: [1, 2],
      path: "ch01-whats-left.md",
      source_path: null,
      parent_names: ["Chapter 1"],
      sub_items: [],
    });
    assert.match(content, /^\n?<p class="place-in-book">Part I · Chapter 1, page 1 of 2<\/p>/);
    assert.match(
      second,
      /^<p class="place-in-book">Part I · Chapter 1, page 2 of 2<\/p>\s+# What's left\n\n/,
    );
    assert.doesNotMatch(content, /The end\n|class="milestone"/);
    assert.match(second, /## The end[\s\S]*<p class="milestone">/);
  });

  test("is linked to by the page that holds the section", async () => {
    const other =
      "# Other\n\n[e](ch01-long.md#the-end) [o](ch01-long.md#one) [all](ch01-long.md)\n";
    const [{ content, sub_items }, { content: from }] = await weaveItems([long, other]);
    assert.match(
      content,
      /\[the end\]\(ch01-whats-left\.md#the-end\), \[here\]\(#one\) and \[that\]\(ch02\.md#elsewhere\)/,
    );
    assert.match(
      sub_items[0].Chapter.content,
      /\[one\]\(ch01-long\.md#one\), on to \[the end\]\(#the-end\)/,
    );
    assert.match(
      from,
      /\[e\]\(ch01-whats-left\.md#the-end\) \[o\]\(ch01-long\.md#one\) \[all\]\(ch01-long\.md\)/,
    );
  });

  test("may speak of the comment in code", async () => {
    const woven = await weaveOne(`# T\n\n${fence}text\n<!-- page: No -->\n${fence}\n`);
    assert.match(woven, /&lt;!-- page: No --&gt;/);
  });

  for (const [what, text, message] of [
    [
      "a comment that isn't one",
      "<!-- page What -->",
      /ch01-long\.md:3: this doesn't begin a page/,
    ],
    [
      "a heading twice",
      "## A\n\n<!-- page: B -->\n\n## A",
      /ch01-long\.md:7: .* each heading once/,
    ],
  ]) {
    test(`is refused with ${what}`, async () => {
      await assert.rejects(weaveItems([`# T\n\n${text}\n`]), (err) => {
        assert.match(String(err), /** @type {RegExp} */ (message));
        return true;
      });
    });
  }
});
