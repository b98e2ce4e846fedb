import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { buildAll } from "../book/build.js";
import { readChapter } from "../book/chapter.js";
import { Problem } from "../book/problem.js";
import { compareMilestone, writeMilestone } from "./milestone.js";
import { perform } from "./perform.js";

/** @import { Build } from "../book/build.js" */
/** @import { Chapter } from "../book/chapter.js" */

/** Chapters that are walked at the same time. */
const AT_ONCE = 2;

/**
 * @typedef {object} WalkOptions
 * @property {string} root  the repository's root
 * @property {string} node  path of the Node.js that commands find first
 * @property {string[]} [names]  what chapters' names begin with; all if empty
 * @property {boolean} [write]  write the milestones instead of comparing them
 * @property {boolean} [run]  run the transcripts (true unless set)
 * @property {number} [limit]  milliseconds to wait for an output
 * @property {(name: string, done: number, of: number) => void} [onStep]
 * @property {(result: ChapterResult) => void} [onChapter]
 *
 * @typedef {object} ChapterResult
 * @property {string} name
 * @property {number} listings
 * @property {number} commands
 * @property {string[]} written  paths that --write changed
 * @property {number} duration  milliseconds
 * @property {Problem[]} problems
 */

/**
 * Walks chapters and says what doesn't hold.
 *
 * @param {WalkOptions} options
 * @returns {Promise<ChapterResult[]>}
 * @throws {Error} when a name fits no chapter
 */
export async function walk(options) {
  const { root, names = [] } = options;
  const { chapters, unreadable } = readChapters(root);
  const builds = buildAll(chapters);
  for (const name of names) {
    if ([...chapters, ...unreadable].some((each) => each.name.startsWith(name))) continue;
    const known = chapters.map((chapter) => chapter.name).join(", ");
    throw new Error(`no chapter's name begins with ${name}; there are: ${known || "none"}`);
  }
  const isWanted = (/** @type {string} */ name) =>
    names.length === 0 || names.some((each) => name.startsWith(each));

  /** @type {ChapterResult[]} */
  const results = [];
  for (const { name, problem } of unreadable.filter((each) => isWanted(each.name))) {
    finish(results, options, {
      name,
      listings: 0,
      commands: 0,
      written: [],
      duration: 0,
      problems: [problem],
    });
  }
  const queue = builds.filter((build) => isWanted(build.chapter.name));
  const workers = Array.from({ length: AT_ONCE }, async () => {
    for (let build = queue.shift(); build; build = queue.shift()) {
      finish(results, options, await walkChapter(build, options));
    }
  });
  await Promise.all(workers);
  return results.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * @param {ChapterResult[]} results
 * @param {WalkOptions} options
 * @param {ChapterResult} result
 */
function finish(results, options, result) {
  results.push(result);
  options.onChapter?.(result);
}

/**
 * @param {Build} build
 * @param {WalkOptions} options
 * @returns {Promise<ChapterResult>}
 */
async function walkChapter(build, options) {
  const { root, node, write = false, run = true, limit = 10_000 } = options;
  const { name } = build.chapter;
  const start = performance.now();
  /** @type {ChapterResult} */
  const result = {
    name,
    listings: build.steps.filter((step) => step.kind === "file").length,
    commands: build.steps
      .flatMap((step) => (step.kind === "console" ? step.actions : []))
      .filter((action) => action.kind === "run").length,
    written: [],
    duration: 0,
    problems: build.problem ? [build.problem] : [],
  };
  if (!build.problem) {
    if (write) result.written = writeMilestone(build, root);
    else result.problems.push(...compareMilestone(build, root));
  }
  if (run) {
    const onStep = (/** @type {number} */ done) => options.onStep?.(name, done, build.steps.length);
    result.problems.push(...(await perform(build, { root, node, limit, onStep })));
  }
  result.duration = performance.now() - start;
  return result;
}

/**
 * Reads all pages of the book.
 *
 * @param {string} root
 */
function readChapters(root) {
  /** @type {Chapter[]} */
  const chapters = [];
  /** @type {{ name: string, problem: Problem }[]} */
  const unreadable = [];
  const folder = join(root, "chapters");
  const files = existsSync(folder) ? readdirSync(folder).sort() : [];
  for (const file of files) {
    if (!file.endsWith(".md") || file === "SUMMARY.md") continue;
    try {
      chapters.push(readChapter(join(folder, file), `chapters/${file}`));
    } catch (err) {
      if (!(err instanceof Problem)) throw err;
      unreadable.push({ name: file.slice(0, -".md".length), problem: err });
    }
  }
  return { chapters, unreadable };
}
