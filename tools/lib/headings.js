import { readFileSync } from "node:fs";
import { toString as textOf } from "mdast-util-to-string";
import { visit } from "unist-util-visit";
import { parseMarkdown } from "../book/markdown.js";

/**
 * A heading, its line in the file, and the id that mdBook gives it on the page.
 *
 * @typedef {{ text: string, anchor: string, depth: number, line: number }} Heading
 */

/**
 * @param {string} markdown
 * @returns {Heading[]}
 */
export function headingsOf(markdown) {
  /** @type {Heading[]} */
  const headings = [];
  /** @type {Map<string, number>} */
  const uses = new Map();
  visit(parseMarkdown(markdown), "heading", (node) => {
    const text = textOf(node, { includeHtml: false });
    const id = mdbookId(text);
    const before = uses.get(id) ?? 0;
    uses.set(id, before + 1);
    const anchor = before === 0 ? id : `${id}-${before}`;
    headings.push({ text, anchor, depth: node.depth, line: node.position?.start.line ?? 1 });
  });
  return headings;
}

/**
 * The headings of a file.
 *
 * @param {string} path
 */
export function readHeadings(path) {
  return headingsOf(readFileSync(path, "utf8"));
}

/**
 * The id of a heading as mdBook 0.5 makes it (`normalize_id`): letters, digits,
 * `_` and `-` stay, white space becomes `-`, all else goes. Two or three
 * hyphens are a dash to its smart punctuation, and go too.
 *
 * @param {string} text
 * @returns {string}
 */
export function mdbookId(text) {
  return text
    .toLowerCase()
    .replace(/-{2,3}/g, "")
    .replace(/\s/g, "-")
    .replace(/[^\p{L}\p{N}_-]/gu, "");
}
