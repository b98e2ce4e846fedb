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
 * @property {Problem} [problem]  why it couldn't be read to its end
 */

const MILESTONE = /^<!-- milestone: (\S+)(?: from: (\S+))? -->$/;

/**
 * Parses a chapter's text. One that can't be understood has the problem with
 * it: it may still be what others start from.
 *
 * @param {string} file  path from the repository's root, used in messages
 * @param {string} text
 * @returns {Chapter}
 */
export function parseChapter(file, text) {
  const name = basename(file, ".md");
  /** @type {Chapter} */
  const chapter = { file, name, text, fences: [] };
  try {
    Object.assign(chapter, parseFirstLine(file, text.split("\n", 1)[0].trimEnd()));
    visit(parseMarkdown(text), "code", (node) => {
      // Indented code has no language: it is there to be read.
      if (!node.lang || !node.position) return;
      const info = node.meta ? `${node.lang} ${node.meta}` : node.lang;
      const lines = node.value === "" ? [] : node.value.split("\n");
      chapter.fences.push(parseFence(file, node.position.start.line, info, lines));
    });
  } catch (err) {
    if (!(err instanceof Problem)) throw err;
    chapter.problem = err;
    // By convention they are the same, and so others find it all the same.
    if (err.line === 1) chapter.milestone = name;
  }
  return chapter;
}

/**
 * @param {string} file
 * @param {string} line
 * @returns {Pick<Chapter, "milestone" | "from">}
 */
function parseFirstLine(file, line) {
  const opening = MILESTONE.exec(line);
  if (opening) return { milestone: opening[1], from: opening[2] };
  if (!line.includes("milestone:")) return {};
  throw new Problem(file, 1, "the first line isn't a milestone comment that I can read", [
    "expected  <!-- milestone: ch08-the-radix-tree from: ch07-the-need-for-a-trie -->",
    `got       ${line}`,
  ]);
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
