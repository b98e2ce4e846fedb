import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { namelessColumns } from "../../tools/book/tables.js";
import { makeBook } from "../walk/book.js";

const SUMMARY = { "chapters/SUMMARY.md": "# Book\n\n- [One](ch01-one.md)\n" };

/**
 * @param {import("node:test").TestContext} t
 * @param {string} head  a table's first line
 */
function problemsWith(t, head) {
  const text = `# One\n\n${head}\n| --- | --- |\n| a | |\n`;
  return namelessColumns(makeBook(t, { ...SUMMARY, "chapters/ch01-one.md": text })).map(String);
}

describe("a table's columns", () => {
  it("are right with names, also where one is code, and a cell may be empty", (t) => {
    assert.deepEqual(problemsWith(t, "| what | `next()` |"), []);
  });

  for (const head of ["| what | |", "| what | <!-- nothing --> |"]) {
    it(`have to have names: ${head}`, (t) => {
      const [problem, ...others] = problemsWith(t, head);
      assert.match(problem, /ch01-one\.md:3: column 2 of a table has no name/);
      assert.deepEqual(others, []);
    });
  }
});
