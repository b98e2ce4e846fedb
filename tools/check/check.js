import { existsSync } from "node:fs";
import { readHeadings } from "../lib/headings.js";
import { challengesOf, isChallenge, listMilestones, testFiles } from "../lib/milestones.js";
import { startProgress } from "../lib/progress.js";
import { runTests } from "../lib/test-run.js";
import { UserError } from "../lib/user-error.js";
import { makeWorkbench } from "../lib/workbench.js";
import { showDifference } from "./difference.js";
import { examineFolder, list } from "./reader-folder.js";
import { report } from "./report.js";

/** @import { Milestone } from "../lib/milestones.js" */

/** How long the tests of a file may take, in milliseconds. */
const LIMIT = 60_000;

/**
 * The chapter's title, or the milestone's name where there is no chapter yet.
 *
 * @param {Milestone} milestone
 */
function titleOf({ chapter, name }) {
  if (!existsSync(chapter)) return name;
  return readHeadings(chapter).find(({ depth }) => depth === 1)?.text ?? name;
}

/**
 * Checks a reader's folder against a chapter's tests.
 *
 * @param {object} options
 * @param {string} options.root  the repository's root
 * @param {string} options.chapter  as the reader wrote it: `ch03`, `3`
 * @param {string} options.folder  an absolute path
 * @param {string} [options.challenge]  its number
 * @param {boolean} [options.showsDifference]
 * @param {number} [options.limit]  milliseconds that a test file may take
 * @param {(line: string) => void} options.print
 * @returns {Promise<number>} 0 when all passes, 1 when something fails
 * @throws {UserError} when there is nothing to check
 */
export async function check(options) {
  const { root, folder, print, showsDifference = false } = options;
  const milestones = listMilestones(root);
  const milestone = findMilestone(options.chapter, milestones);
  const files = chooseTests(milestone, options.challenge);
  const missing = examineFolder(folder, milestone, milestones, options.challenge);

  print(`Chapter ${milestone.number}, ${titleOf(milestone)}: ${folder}`);
  if (missing.length > 0) print(`(It has no ${list(missing)}.)`);
  print("");
  const workbench = makeWorkbench(root, milestone, [folder]);
  const progress = startProgress();
  const results = await runTests({
    cwd: workbench.folder,
    files: files.map((file) => `test/${file}`),
    env: options.challenge ? { CHALLENGE: options.challenge } : {},
    limit: options.limit ?? LIMIT,
    onResult: ({ path }) => progress.report(path.join(" > ")),
  });
  progress.end();
  for (const line of report(results, { root, milestone, milestones }, workbench.folder))
    print(line);
  workbench.remove();

  const count = (/** @type {string} */ status) =>
    results.filter((result) => result.status === status).length;
  const failed = count("failed");
  print("");
  print(`${count("passed")} passed, ${failed} failed`);
  if (showsDifference) {
    print("");
    for (const line of showDifference(folder, milestone)) print(line);
  } else if (failed > 0) {
    print("Add --diff to see where your files differ from the book's.");
  }
  return failed === 0 ? 0 : 1;
}

/**
 * @param {string} name
 * @param {Milestone[]} milestones
 * @throws {UserError}
 */
function findMilestone(name, milestones) {
  const number = /^(?:ch)?0*(\d+)(?:-.*)?$/i.exec(name)?.[1];
  const milestone = milestones.find((each) => each.number === Number(number));
  if (milestone) return milestone;
  const names = milestones.map((each) => each.name.split("-")[0]);
  throw new UserError(
    number === undefined
      ? `\`${name}\` is no chapter: the chapter comes first, then your folder (ch03 ../velocy).`
      : `There is no chapter ${number} to check. There are: ${names.join(", ")}.`,
  );
}

/**
 * @param {Milestone} milestone
 * @param {string | undefined} challenge
 * @throws {UserError}
 */
function chooseTests(milestone, challenge) {
  const files = testFiles(milestone.folder);
  if (challenge === undefined) {
    const tests = files.filter((file) => !isChallenge(file));
    if (tests.length > 0) return tests;
    throw new UserError(`Chapter ${milestone.number} has no tests yet.`);
  }
  const test = `challenge-${challenge}.test.js`;
  if (files.includes(test)) return [test];
  const numbers = challengesOf(milestone);
  throw new UserError(
    numbers.length === 0
      ? `Chapter ${milestone.number} has no challenges with a test.`
      : `Chapter ${milestone.number} has no challenge ${challenge} with a test, ` +
          `but these: ${numbers.join(", ")}.`,
  );
}
