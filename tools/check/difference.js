import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { structuredPatch } from "diff";
import { ownFiles } from "./reader-folder.js";

/** @import { Milestone } from "../lib/milestones.js" */

/**
 * What differs between the reader's files and the book's: the file with the
 * least differences in full, because there a slip is likeliest, the others by
 * name.
 *
 * @param {string} folder  the reader's
 * @param {Milestone} milestone
 * @returns {string[]} lines to print
 */
export function showDifference(folder, milestone) {
  const differences = ownFiles(milestone.folder)
    .map((path) => compareFile(folder, milestone, path))
    .filter(({ changes }) => changes > 0)
    .sort((a, b) => a.changes - b.changes);
  if (differences.length === 0) return ["Your files are those of the book, byte for byte."];

  const [first, ...others] = differences;
  const lines = [`The smallest difference to the book, in ${first.path} (- yours, + the book's):`];
  lines.push("", ...first.lines);
  if (others.length > 0) lines.push("", "Also different:");
  for (const { path, changes } of others) lines.push(`  ${path}, ${changes} lines`);
  return lines;
}

/**
 * @param {string} folder
 * @param {Milestone} milestone
 * @param {string} path
 */
function compareFile(folder, milestone, path) {
  const theirs = join(folder, path);
  const book = readFileSync(join(milestone.folder, path), "utf8");
  if (!existsSync(theirs)) {
    const changes = book.split("\n").length;
    return { path, changes, lines: ["  this file is missing"] };
  }
  const yours = readFileSync(theirs, "utf8").replaceAll("\r\n", "\n");
  const { hunks } = structuredPatch(path, path, yours, book, "", "", { context: 2 });
  const lines = hunks.flatMap((hunk) => [
    `  line ${hunk.oldStart}:`,
    ...hunk.lines.map((line) => `    ${line}`),
  ]);
  const changes = hunks.flatMap((hunk) => hunk.lines).filter((line) => /^[-+]/.test(line)).length;
  return { path, changes, lines };
}
