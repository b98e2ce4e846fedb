import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { firstDifference, showDifference } from "../book/difference.js";
import { listFiles } from "../book/list-files.js";
import { Problem } from "../book/problem.js";

/** @import { Build } from "../book/build.js" */
/** @import { Line } from "../book/file-set.js" */

export { listFiles };

/** Folders of a milestone that are written by hand, beside the book. */
const BY_HAND = ["test", "solutions"];

/**
 * Compares a chapter's files with its milestone, byte for byte.
 *
 * @param {Build} build
 * @param {string} root  the repository's root
 * @returns {Problem[]}
 */
export function compareMilestone(build, root) {
  const { chapter, files } = build;
  if (!chapter.milestone) return [];
  const name = `code/${chapter.milestone}`;
  const folder = join(root, name);
  if (!existsSync(folder)) {
    return [
      new Problem(chapter.file, 1, `there is no ${name} yet`, [
        `make it with  npm run walk -- ${shortName(chapter.milestone)} --write`,
      ]),
    ];
  }
  const problems = [];
  for (const path of files.paths) {
    const lines = files.lines(path) ?? [];
    const source = lines[0] ?? { chapter: chapter.file, line: 1 };
    if (!existsSync(join(folder, path))) {
      problems.push(
        new Problem(source.chapter, source.line, `${name}/${path} is missing`, [
          `this listing makes it: run  npm run walk -- ${shortName(chapter.milestone)} --write`,
        ]),
      );
      continue;
    }
    const actual = readFileSync(join(folder, path), "utf8");
    if (actual !== files.text(path)) {
      problems.push(difference(build, `${name}/${path}`, lines, actual));
    }
  }
  for (const path of filesByListings(folder)) {
    if (!files.has(path)) {
      problems.push(
        new Problem(`${name}/${path}`, 1, "no listing makes this file", [
          `code/ is made by the book: put the file into ${chapter.file}, or delete it`,
        ]),
      );
    }
  }
  return problems;
}

/**
 * Writes a chapter's files to its milestone and removes what no listing made.
 *
 * @param {Build} build
 * @param {string} root  the repository's root
 * @returns {string[]} paths that changed
 */
export function writeMilestone(build, root) {
  const { chapter, files } = build;
  if (!chapter.milestone) return [];
  const folder = join(root, "code", chapter.milestone);
  const changed = [];
  for (const path of filesByListings(folder)) {
    if (files.has(path)) continue;
    rmSync(join(folder, path));
    changed.push(path);
  }
  for (const path of files.paths) {
    const target = join(folder, path);
    const text = files.text(path);
    if (existsSync(target) && readFileSync(target, "utf8") === text) continue;
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
    changed.push(path);
  }
  return changed;
}

/** @param {string} folder */
function filesByListings(folder) {
  return listFiles(folder).filter((path) => !BY_HAND.includes(path.split("/")[0]));
}

/**
 * @param {Build} build
 * @param {string} path
 * @param {Line[]} lines  what the book makes
 * @param {string} actual  what stands in the milestone
 */
function difference(build, path, lines, actual) {
  const expected = lines.map(({ text }) => text);
  const isEnded = actual.endsWith("\n");
  const got = (isEnded ? actual.slice(0, -1) : actual).split("\n");
  const index = Math.max(0, firstDifference(expected, got));
  const source = lines[index] ?? lines.at(-1) ?? { chapter: build.chapter.file, line: 1 };
  return new Problem(
    source.chapter,
    source.line,
    `${path}, line ${index + 1}, is not what this listing makes`,
    [
      ...showDifference(expected[index], got[index], "the end of the file"),
      ...(isEnded ? [] : ["its last line doesn't end with a newline"]),
      "code/ is made by the book: edit the listing, then run",
      `npm run walk -- ${shortName(build.chapter.milestone ?? "")} --write`,
    ],
  );
}

/** @param {string} milestone */
function shortName(milestone) {
  return milestone.split("-")[0];
}
