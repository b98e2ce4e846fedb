import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generate } from "../generate/generate.js";
import { ensureChromium } from "../lib/chromium.js";
import { drawFigures, outdatedFigures } from "../lib/figures.js";
import { lint } from "../lib/linters.js";
import { buildBook, ensureMdbook } from "../lib/mdbook.js";
import { lacks } from "../lib/programs.js";
import { ensureDependencies } from "../lib/setup.js";
import { UserError } from "../lib/user-error.js";
import { walk, walkAgain } from "../walk/walk.js";
import { testChallenges, testChapters } from "./chapters.js";
import { testHeadings } from "./headings.js";
import { findTests, testFilesOf } from "./suites.js";

/**
 * What a stage is given.
 *
 * @typedef {object} StageContext
 * @property {string} root  the repository's root
 * @property {string} pinnedNode  path of the pinned Node.js, or of this one where
 *   that can't be had
 * @property {(what: string) => void} report  says what is being done
 *
 * What it gives back.
 *
 * @typedef {object} StageOutcome
 * @property {number} passed
 * @property {number} failed
 * @property {string[]} problems  one text for each failure
 * @property {string[]} notes  what else one should know, such as what was
 *   skipped
 * @property {() => Promise<StageOutcome>} [again]  tries once more what failed,
 *   where other stages may have been in its way; to be called when none runs
 */

/**
 * What `npm test` does: what fails soonest and is most easily put right comes
 * first. The site takes longest, and a browser keeps one core busy: the others
 * are done beside it.
 *
 * @typedef {Record<string, { title: string,
 *   run: (context: StageContext) => Promise<StageOutcome> }>} Stages
 *
 * @type {Stages}
 */
export const STAGES = {
  lint: { title: "Looking over the sources", run: lintAll },
  site: { title: "Testing the site", run: testSite },
  figures: { title: "Drawing the figures again", run: compareFigures },
  generated: { title: "Making the generated numbers and blocks again", run: compareGenerated },
  walk: { title: "Walking the chapters", run: walkAll },
  headings: { title: "Looking for the tests' headings and hints", run: testHeadings },
  tools: { title: "Testing the tools", run: testTools },
  chapters: { title: "Testing the chapters' code on both Nodes", run: testChapters },
  challenges: { title: "Testing the challenges' solutions", run: testChallenges },
};

/** @param {StageContext} context */
async function lintAll({ root, report }) {
  const outcome = noOutcome();
  for await (const { title, isClean, output } of lint(root)) {
    report(title);
    count(outcome, isClean ? undefined : `${title}\n${output}`);
  }
  return outcome;
}

/** @param {StageContext} context */
async function compareFigures({ root }) {
  const outcome = noOutcome();
  const folder = `${root}/assets/figures`;
  const figures = await drawFigures(folder);
  const outdated = outdatedFigures(folder, figures);
  for (const { file, reason } of outdated) {
    count(outcome, `assets/figures/${file}: ${reason}; \`npm run figures\` draws it`);
  }
  outcome.passed += figures.length - outcome.failed;
  return outcome;
}

/** @param {StageContext} context */
async function compareGenerated({ root, pinnedNode, report }) {
  const outcome = noOutcome();
  const { checked, changed, problems } = await generate({
    root,
    node: pinnedNode,
    writes: false,
    report,
  });
  for (const problem of problems) count(outcome, String(problem));
  for (const problem of changed) {
    count(outcome, `${problem}\n    \`npm run generate\` writes it`);
  }
  outcome.passed += checked - outcome.failed;
  return outcome;
}

/** @param {StageContext} context */
async function walkAll({ root, pinnedNode, report }) {
  const lacking = lacks("bash", "curl");
  /** @type {import("../walk/walk.js").WalkOptions} */
  const options = {
    root,
    node: pinnedNode,
    run: !lacking,
    onStep: (name, done, of) => report(`${name} ${done}/${of}`),
  };
  const results = await walk(options);
  const outcome = outcomeOfWalk(results, lacking);
  if (outcome.failed === 0) return outcome;
  const again = async () => outcomeOfWalk(await walkAgain(results, options), lacking);
  return { ...outcome, again };
}

/**
 * @param {import("../walk/walk.js").ChapterResult[]} results
 * @param {string | false} lacking  why no session was run
 */
function outcomeOfWalk(results, lacking) {
  const outcome = noOutcome();
  if (lacking) outcome.notes.push(`SKIPPED: the sessions, because ${lacking}`);
  for (const { name, problems, before, lacking: rare } of results) {
    for (const { file, line, message } of before ?? []) {
      outcome.notes.push(`WALKED TWICE: ${name}, because at first: ${file}:${line}: ${message}`);
    }
    if (rare) outcome.notes.push(`SKIPPED: the sessions of ${name}, because ${rare}`);
    count(outcome, problems.length > 0 ? problems.join("\n\n") : undefined);
  }
  return outcome;
}

/** @param {StageContext} context */
async function testTools({ root, report }) {
  await ensureDependencies(join(root, "tests/npm"), "Installing npm's middleware for tests/npm");
  const files = findTests(root).filter((file) => !file.startsWith("tests/site/"));
  return testFilesOf({ cwd: root, files, concurrency: 2, report });
}

const WITHOUT_MDBOOK = "SKIPPED: all of it, because mdBook is not on this machine";

/** @param {StageContext} context */
async function testSite({ root, report }) {
  const lacking = await whatFails(ensureMdbook);
  if (lacking) return { ...noOutcome(), notes: [WITHOUT_MDBOOK, ...lacking.split("\n")] };
  /** @type {string[]} */
  const notes = [];
  const withoutBrowser = await whatFails(async () => {
    const { name } = await ensureChromium();
    notes.push(`in ${name}`);
  });
  if (withoutBrowser) notes.push(...withoutBrowser.split("\n"));
  const files = findTests(root).filter((file) => file.startsWith("tests/site/"));
  report("building the book");
  const folder = mkdtempSync(join(tmpdir(), "site-"));
  try {
    const env = { BUILT_SITE: join(folder, "site") };
    await buildBook({ destination: env.BUILT_SITE });
    // A browser takes a core for itself.
    const outcome = await testFilesOf({ cwd: root, files, env, concurrency: 1, report });
    return { ...outcome, notes: [...notes, ...outcome.notes] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * What a step of the set-up says when the machine can't have what it gets.
 *
 * @param {() => Promise<unknown>} ensure
 * @returns {Promise<string | undefined>}
 */
async function whatFails(ensure) {
  try {
    await ensure();
    return undefined;
  } catch (err) {
    if (!(err instanceof UserError)) throw err;
    return err.message;
  }
}

/** @returns {StageOutcome} */
function noOutcome() {
  return { passed: 0, failed: 0, problems: [], notes: [] };
}

/**
 * @param {StageOutcome} outcome
 * @param {string | undefined} problem
 */
function count(outcome, problem) {
  if (problem === undefined) {
    outcome.passed++;
  } else {
    outcome.failed++;
    outcome.problems.push(problem);
  }
}
