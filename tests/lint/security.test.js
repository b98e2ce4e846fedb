/** The appendix Security names tests that are there. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { wrongRows } from "../../tools/book/security.js";
import { root } from "../../tools/lib/setup.js";

const page = readFileSync(join(root, "chapters/appendix-security.md"), "utf8");

describe("the page on security", () => {
  it("names a section and a test for each attack", () => {
    assert.deepEqual(wrongRows(root, page), []);
  });

  it("has attacks of each chapter that shows some", () => {
    const shown = new Set(Array.from(page.matchAll(/\]\(ch(\d\d)-/g), ([, chapter]) => chapter));
    const before = ["04", "09", "10", "11", "12", "13", "14", "15", "16", "17", "18"];
    const chapters = [...before, "19", "20", "21", "22", "23", "27"];
    assert.deepEqual([...shown].sort(), chapters);
  });

  const row = page.split("\n").find((line) => line.includes("no link leads out")) ?? "";
  for (const [what, from, to, said] of /** @type {[string, string, string, RegExp][]} */ ([
    [
      "a test that isn't there",
      "no link leads out",
      "no link leads in",
      /no test "no link leads in"/,
    ],
    [
      "a file that isn't there",
      "files/cases.js",
      "files/case.js",
      /there is no code\/contracts\/files\/case\.js/,
    ],
    ["a chapter that isn't there", "ch14-files.md", "ch41-files.md", /there is no ch41-files\.md/],
    ["a row without a section", "#where-a-name-leads", "", /is a chapter, and not a section/],
    ["a row without a test", '"no link leads out"', "", /not an attack, a section and a test/],
  ])) {
    it(`refuses ${what}`, () => {
      const [problem, ...more] = wrongRows(root, page.replace(row, row.replace(from, to)));
      assert.match(problem, said);
      assert.deepEqual(more, []);
    });
  }

  it("refuses a page without a table", () => {
    assert.deepEqual(wrongRows(root, "# Security\n"), ["there is no table"]);
  });
});
