import { visit } from "unist-util-visit";
import { parseMarkdown } from "../book/markdown.js";

/**
 * An HTML comment in a page's Markdown (not one that is shown in code).
 *
 * @typedef {object} Comment
 * @property {string} file  path from the repository's root
 * @property {number} line
 * @property {string} text  with its delimiters
 * @property {number} start  offset in the page
 * @property {number} end
 */

/**
 * @param {string} file
 * @param {string} markdown
 * @returns {Comment[]} in their order
 */
export function commentsOf(file, markdown) {
  /** @type {Comment[]} */
  const comments = [];
  visit(parseMarkdown(markdown), "html", ({ position, value }) => {
    if (!position || position.start.offset === undefined) return;
    const { line, offset } = position.start;
    for (const match of value.matchAll(/<!--.*?-->/gs)) {
      const start = offset + match.index;
      comments.push({
        file,
        line: line + value.slice(0, match.index).split("\n").length - 1,
        text: match[0],
        start,
        end: start + match[0].length,
      });
    }
  });
  return comments;
}
