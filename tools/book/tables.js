import { readFileSync } from "node:fs";
import { join } from "node:path";
import { toString as textOf } from "mdast-util-to-string";
import { visit } from "unist-util-visit";
import { pagesOf } from "./links.js";
import { parseMarkdown } from "./markdown.js";
import { Problem } from "./problem.js";

/**
 * Finds the columns of tables that have no name: who listens to a page hears a
 * column's name before each of its cells.
 *
 * @param {string} root  the repository's root
 * @returns {Problem[]}
 */
export function namelessColumns(root) {
  return pagesOf(root).flatMap((file) => {
    /** @type {Problem[]} */
    const problems = [];
    visit(parseMarkdown(readFileSync(join(root, file), "utf8")), "table", ({ children }) => {
      const [head] = children;
      for (const [index, cell] of head.children.entries()) {
        if (textOf(cell, { includeHtml: false }).trim() !== "") continue;
        const line = head.position?.start.line ?? 1;
        problems.push(new Problem(file, line, `column ${index + 1} of a table has no name`));
      }
    });
    return problems;
  });
}
