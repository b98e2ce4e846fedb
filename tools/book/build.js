import { applyDiff } from "./diff.js";
import { FileSet } from "./file-set.js";
import { checkPlaces } from "./place.js";
import { Problem } from "./problem.js";
import { checkFile, checkFragment } from "./syntax.js";
import { parseTranscript } from "./transcript.js";

/** @import { Chapter } from "./chapter.js" */
/** @import { Fence } from "./fence.js" */
/** @import { Line } from "./file-set.js" */
/** @import { Action } from "./transcript.js" */

/**
 * What a reader does at one fence: saves a file, or works in a terminal, with
 * the files that are there once its commands have moved theirs.
 *
 * @typedef {{ kind: "file", line: number, path: string, text: string }
 *   | { kind: "console", fence: Fence, actions: Action[], files: FileSet }} Step
 */

/**
 * A chapter worked through without running anything.
 *
 * @typedef {object} Build
 * @property {Chapter} chapter
 * @property {FileSet} start  the folder before the chapter
 * @property {FileSet} files  the folder after it, or as far as it got
 * @property {Step[]} steps
 * @property {Problem} [problem]  what ended it early
 * @property {Chapter} [blockedBy]  the chapter before it whose problem that is
 */

/**
 * Works out every chapter's files, in the order in which they build upon each
 * other. Nothing is run and nothing on the disk is touched.
 *
 * @param {Chapter[]} chapters
 * @returns {Build[]} in the order of `chapters`
 */
export function buildAll(chapters) {
  /** @type {Map<Chapter, Build>} */
  const builds = new Map();
  /** @type {Set<Chapter>} */
  const underWay = new Set();

  /**
   * @param {Chapter} chapter
   * @returns {Build}
   */
  function build(chapter) {
    const known = builds.get(chapter);
    if (known) return known;
    underWay.add(chapter);
    const start = startOf(chapter);
    const result = buildChapter(chapter, start instanceof FileSet ? start : start.problem);
    if (!(start instanceof FileSet)) result.blockedBy = start.blockedBy;
    underWay.delete(chapter);
    builds.set(chapter, result);
    return result;
  }

  /**
   * @param {Chapter} chapter
   * @returns {FileSet | { problem: Problem, blockedBy?: Chapter }}
   */
  function startOf(chapter) {
    const { file, from, milestone } = chapter;
    const twin = chapters.find((other) => other !== chapter && other.milestone === milestone);
    if (milestone && twin) {
      const message = `${twin.file} leads to the milestone ${milestone} already`;
      return { problem: new Problem(file, 1, message) };
    }
    if (!from) return new FileSet();
    const before = chapters.find((other) => other.milestone === from);
    if (!before) {
      const names = chapters.map((other) => other.milestone).filter(Boolean);
      const message = `starts from ${from}, a milestone that no chapter leads to`;
      return { problem: new Problem(file, 1, message, [`there are: ${names.join(", ")}`]) };
    }
    if (underWay.has(before)) {
      const message = `starts from ${from}, which starts from this chapter`;
      return { problem: new Problem(file, 1, message) };
    }
    const { files, problem, blockedBy = before } = build(before);
    if (!problem) return files;
    const cause = builds.get(blockedBy)?.problem ?? problem;
    const message = `starts from ${blockedBy.milestone}, which has a problem of its own`;
    const details = [`${cause.file}:${cause.line}: ${cause.message}`];
    return { problem: new Problem(file, 1, message, details), blockedBy };
  }

  return chapters.map(build);
}

/**
 * @param {Chapter} chapter
 * @param {FileSet | Problem} start
 * @returns {Build}
 */
function buildChapter(chapter, start) {
  if (start instanceof Problem) {
    const nothing = new FileSet();
    return { chapter, start: nothing, files: nothing, steps: [], problem: start };
  }
  /** @type {Build} */
  const build = { chapter, start, files: start.clone(), steps: [] };
  /** The files to check before the next command. @type {Map<string, Fence>} */
  const changed = new Map();
  try {
    if (chapter.problem) throw chapter.problem;
    for (const fence of chapter.fences) {
      if (fence.language === "console") checkComplete(build.files, changed);
      takeFence(build, fence);
      if (fence.file !== undefined) changed.set(fence.file, fence);
    }
    checkComplete(build.files, changed);
  } catch (err) {
    if (!(err instanceof Problem)) throw err;
    build.problem = err;
  }
  return build;
}

/**
 * Checks the files as they stand when a command could run them.
 *
 * @param {FileSet} files
 * @param {Map<string, Fence>} changed  by path the listing that last touched it; emptied
 */
function checkComplete(files, changed) {
  for (const [path, fence] of changed) {
    const lines = files.lines(path);
    if (lines) checkFile(path, lines, fence, { isComplete: true });
  }
  changed.clear();
}

/**
 * @param {Build} build
 * @param {Fence} fence
 */
function takeFence(build, fence) {
  const { chapter, files, steps } = build;
  if (fence.language === "console") {
    const actions = parseTranscript(fence);
    if (fence.raw === undefined) {
      for (const { command } of actions) moveFiles(files, command);
    }
    steps.push({ kind: "console", fence, actions, files: files.clone() });
  } else if (fence.file !== undefined) {
    if (!chapter.milestone) {
      throw new Problem(chapter.file, fence.line, "this page has no milestone to put a file in", [
        "its first line would have to be <!-- milestone: NAME -->",
      ]);
    }
    const path = fence.file;
    const before = files.lines(path) ?? [];
    const { lines, hunks } = readListing(fence, files.lines(path));
    files.set(path, lines);
    checkFile(path, lines, fence, { isComplete: false });
    checkPlaces(fence, hunks, { before, after: lines });
    steps.push({ kind: "file", line: fence.line, path, text: files.text(path) });
  } else if (fence.language === "js") {
    checkFragment(fence);
  }
}

/**
 * The file after a listing, and the hunks that changed it, if any did.
 *
 * @param {Fence} fence
 * @param {Line[] | undefined} before  the file, if there is one
 * @returns {ReturnType<typeof applyDiff>}
 */
function readListing(fence, before) {
  const { chapter, line, lines } = fence;
  if (fence.language === "diff") {
    if (!before) throw new Problem(chapter, line, `there is no ${fence.file} here to change`);
    return applyDiff(fence, before);
  }
  const made = lines.map((text, index) => ({ text, chapter, line: line + 1 + index }));
  return { lines: made, hunks: [] };
}

/**
 * Does to the files in memory what `mv`, `cp` and `rm` will do to those on
 * the disk, so that later listings find them where the reader does.
 *
 * @param {FileSet} files
 * @param {string} commandLine
 */
function moveFiles(files, commandLine) {
  for (const command of commandLine.split(/&&|;|\n/)) {
    const [program, ...args] = command.trim().split(/\s+/);
    const paths = args
      .filter((arg) => !arg.startsWith("-"))
      .map((arg) => arg.replace(/^\.\//, "").replace(/\/$/, ""));
    if (program === "rm") {
      for (const path of paths) files.remove(path);
    } else if (program === "mv" || program === "cp") {
      const intoFolder = args.at(-1)?.endsWith("/");
      const target = paths.pop() ?? "";
      for (const path of paths) {
        const name = path.slice(path.lastIndexOf("/") + 1);
        const isInto = intoFolder || target === "." || files.isFolder(target);
        const to = isInto ? `${target}/${name}`.replace(/^\.\//, "") : target;
        files.copy(path, to);
        if (program === "mv" && to !== path) files.remove(path);
      }
    }
  }
}
