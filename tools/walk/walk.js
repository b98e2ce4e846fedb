import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildAll } from "../book/build.js";
import { readChapter } from "../book/chapter.js";
import { lacks } from "../lib/programs.js";
import { UserError } from "../lib/user-error.js";
import { acceptCorrections } from "./accept.js";
import { measuringFences, showMeasured } from "./measurements.js";
import { compareMilestone, writeMilestone } from "./milestone.js";
import { runChapter } from "./run-chapter.js";

/** @import { Build } from "../book/build.js" */
/** @import { Chapter } from "../book/chapter.js" */
/** @import { Problem } from "../book/problem.js" */

/** Chapters that are walked at the same time. */
const AT_ONCE = 2;

/** Programs that some chapters type, and that a bare system lacks. */
const RARE_PROGRAMS = ["redis-server", "redis-cli", "haproxy", "memccapable", "psql", "gofmt"];

/**
 * @typedef {object} WalkOptions
 * @property {string} root  the repository's root
 * @property {string} node  path of the Node.js that commands find first
 * @property {string[]} [names]  what chapters' names begin with; all if empty
 * @property {boolean} [write]  write the milestones instead of comparing them
 * @property {boolean} [accept]  write what is printed into the transcripts
 * @property {boolean} [measure]  make the measurements anew that they show, one
 *   chapter after the other
 * @property {boolean} [run]  run the transcripts (true unless set)
 * @property {number} [limit]  milliseconds to wait for an output
 * @property {(name: string, done: number, of: number) => void} [onStep]
 * @property {(result: ChapterResult) => void} [onChapter]
 * @property {(stale: Problem[]) => void} [onStale]  told after `write` which
 *   of the chapters that weren't asked for have other files now
 *
 * @typedef {object} ChapterResult
 * @property {string} name
 * @property {number} listings
 * @property {number} [commands]  how many were typed, if any were to be
 * @property {string} [lacking]  why its transcripts weren't run
 * @property {Problem[]} [before]  the problems of a first try, if this is
 *   another one
 * @property {string[]} written  paths that --write, --accept or --measure changed
 * @property {number} duration  milliseconds
 * @property {Problem[]} problems
 */

/**
 * Walks chapters and says what doesn't hold.
 *
 * @param {WalkOptions} options
 * @returns {Promise<ChapterResult[]>}  without the chapters that start from one
 *   that failed: its problem names them
 * @throws {UserError} when a name fits no chapter
 */
export async function walk(options) {
  const { root, names = [], write = false, measure = false } = options;
  const chapters = readChapters(root);
  for (const name of names) {
    if (chapters.some((each) => each.name.startsWith(name))) continue;
    const known = chapters.map((chapter) => chapter.name).join(", ");
    throw new UserError(`no chapter's name begins with ${name}; there are: ${known || "none"}`);
  }
  const builds = buildAll(chapters);
  const isWanted = (/** @type {Chapter} */ { name }) =>
    names.length === 0 || names.some((each) => name.startsWith(each));
  const wanted = builds.filter(({ chapter }) => isWanted(chapter));
  // Later chapters have more to do: what takes longest comes first.
  const queue = collapseBlocked(wanted).reverse();

  /** @type {ChapterResult[]} */
  const results = [];
  const workers = Array.from({ length: measure ? 1 : AT_ONCE }, async () => {
    for (let build = queue.shift(); build; build = queue.shift()) {
      const result = await walkChapter(build, chapters, options);
      results.push(result);
      options.onChapter?.(result);
    }
  });
  await Promise.all(workers);
  if (write) {
    const others = builds.filter(({ chapter }) => !isWanted(chapter));
    const stale = others.flatMap((build) => problemsOfFiles(build, root).slice(0, 1));
    if (stale.length > 0) options.onStale?.(stale);
  }
  return results.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Walks those chapters once more, one after the other, whose sessions alone
 * failed: what they print may hang on time, which runs short beside other work.
 * What a first try printed stays with the result.
 *
 * @param {ChapterResult[]} results  what walk() gave
 * @param {WalkOptions} options  what it was given
 * @returns {Promise<ChapterResult[]>}
 */
export async function walkAgain(results, options) {
  const chapters = readChapters(options.root);
  const builds = buildAll(chapters);
  const latest = [];
  for (const result of results) {
    const build = builds.find(({ chapter }) => chapter.name === result.name);
    const hasFailed = build !== undefined && result.problems.length > 0;
    if (!hasFailed || problemsOfFiles(build, options.root).length > 0) {
      latest.push(result);
      continue;
    }
    const next = await walkChapter(build, chapters, options);
    options.onChapter?.(next);
    latest.push({ ...next, before: result.problems });
  }
  return latest;
}

/**
 * Leaves out the chapters that start from another one's problem, and lets that
 * problem name them.
 *
 * @param {Build[]} builds
 */
function collapseBlocked(builds) {
  const walked = new Set(builds.map(({ chapter }) => chapter));
  const isBlocked = (/** @type {Build} */ { blockedBy }) =>
    blockedBy !== undefined && walked.has(blockedBy);
  for (const { chapter, problem } of builds) {
    const blocked = builds.filter((each) => isBlocked(each) && each.blockedBy === chapter);
    if (!problem || blocked.length === 0) continue;
    const names = blocked.map((each) => each.chapter.name.split("-")[0]).join(", ");
    problem.details.push(`not walked, because of this: ${names}`);
  }
  return builds.filter((build) => !isBlocked(build));
}

/**
 * @param {Build} build
 * @param {Chapter[]} chapters  all there are
 * @param {WalkOptions} options
 * @returns {Promise<ChapterResult>}
 */
async function walkChapter(build, chapters, options) {
  const { root, node, write = false, accept = false, run = true, limit = 10_000 } = options;
  const measuring = options.measure ? measuringFences(chapters) : undefined;
  const { chapter, problem, steps } = build;
  const start = performance.now();
  /** @type {ChapterResult} */
  const result = {
    name: chapter.name,
    listings: steps.filter((step) => step.kind === "file").length,
    written: [],
    duration: 0,
    problems: [],
  };
  if (write && !problem) result.written = writeMilestone(build, root);
  else result.problems = problemsOfFiles(build, root);
  const rare = RARE_PROGRAMS.filter((name) => chapter.text.includes(`\n$ ${name} `));
  // A client alone has no server to speak to.
  if (rare.includes("psql")) rare.push("initdb");
  const lacking = run && lacks(...rare);
  if (lacking) {
    result.lacking = lacking;
  } else if (run) {
    const onStep = (/** @type {number} */ done) =>
      options.onStep?.(chapter.name, done, steps.length);
    const ran = await runChapter(build, { root, node, limit, accept, measuring, onStep });
    result.commands = ran.commands;
    result.problems.push(...ran.problems);
    if (ran.corrections.length > 0) {
      writeFileSync(join(root, chapter.file), acceptCorrections(chapter.text, ran.corrections));
      const lines = ran.corrections.map(({ action }) => action.line).join(", ");
      result.written.push(`${chapter.file}: what was printed after line ${lines}`);
    }
    result.written.push(...ran.measured, ...showMeasured(chapters, ran.measured, root));
  }
  result.duration = performance.now() - start;
  return result;
}

/**
 * What is wrong with a chapter's listings, or else with its milestone.
 *
 * @param {Build} build
 * @param {string} root
 */
function problemsOfFiles(build, root) {
  return build.problem ? [build.problem] : compareMilestone(build, root);
}

/**
 * Reads all pages of the book.
 *
 * @param {string} root
 */
export function readChapters(root) {
  const folder = join(root, "chapters");
  const files = existsSync(folder) ? readdirSync(folder).sort() : [];
  return files
    .filter((file) => file.endsWith(".md") && file !== "SUMMARY.md")
    .map((file) => readChapter(join(folder, file), `chapters/${file}`));
}
