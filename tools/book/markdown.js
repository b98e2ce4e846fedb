import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";

/** @import { Root } from "mdast" */

/**
 * Parses a page's Markdown, with GitHub's tables and the rest of its additions.
 *
 * @param {string} markdown
 * @returns {Root}
 */
export function parseMarkdown(markdown) {
  return fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
}
