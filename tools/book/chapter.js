import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { visit } from "unist-util-visit";
import { parseFence } from "./fence.js";
import { parseMarkdown } from "./markdown.js";
import { Problem } from "./problem.js";

/** @import { Fence } from "./fence.js" */

/**
 * A page of the book as the walker sees it: the milestone that it leads to and
 * the fences on the way there.
 *
 * @typedef {object} Chapter
 * @property {string} file  path from the repository's root
 * @property {string} name  file name without `.md`
 * @property {string} text
 * @property {string} [milestone]  a page without one (a preface) makes no files
 * @property {string} [from]  the milestone it starts from
 * @property {Fence[]} fences
 */

const MILESTONE = /^<!-- milestone: (\S+)(?: from: (\S+))? -->$/;

/**
 * Parses a chapter's text.
 *
 * @param {string} file  path from the repository's root, used in messages
 * @param {string} text
 * @returns {Chapter}
 * @throws {Problem} when the first line or a fence can't be understood
 */
export function parseChapter(file, text) {
  const name = basename(file, ".md");
  /** @type {Chapter} */
  const chapter = { file, name, text, fences: [] };
  const firstLine = text.split("\n", 1)[0].trimEnd();
  const opening = MILESTONE.exec(firstLine);
  if (opening) {
    chapter.milestone = opening[1];
    chapter.from = opening[2];
  } else if (firstLine.includes("milestone:")) {
    throw new Problem(file, 1, "the first line isn't a milestone comment that I can read", [
      "expected  <!-- milestone: ch08-the-radix-tree from: ch07-the-need-for-a-trie -->",
      `got       ${firstLine}`,
    ]);
  }
  visit(parseMarkdown(text), "code", (node) => {
    // Indented code has no language: it is there to be read.
    if (!node.lang || !node.position) return;
    const info = node.meta ? `${node.lang} ${node.meta}` : node.lang;
    const lines = node.value === "" ? [] : node.value.split("\n");
    chapter.fences.push(parseFence(file, node.position.start.line, info, lines));
  });
  return chapter;
}

/**
 * Reads and parses a chapter.
 *
 * @param {string} path  where it is on the disk
 * @param {string} file  path from the repository's root, used in messages
 */
export function readChapter(path, file) {
  return parseChapter(file, readFileSync(path, "utf8").replaceAll("\r\n", "\n"));
}
