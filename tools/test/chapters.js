import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { challengesOf, listMilestones, testFiles } from "../lib/milestones.js";
import { pinnedVersion } from "../lib/node-version.js";
import { runTests } from "../lib/test-run.js";
import { makeWorkbench } from "../lib/workbench.js";
import { outcomeOf, testFilesOf } from "./suites.js";

/** @import { Milestone } from "../lib/milestones.js" */
/** @import { StageContext, StageOutcome } from "./stages.js" */

/** Runs at the same time: much of each is waiting. Every test takes a port of its own. */
const AT_ONCE = 3;

/**
 * More than so many milestones with a failure are no coincidence, and none of
 * them is run again.
 */
const MOST_AGAIN = 2;

/**
 * Every milestone's tests, on the Node.js that runs this and on the pinned
 * one. Many of them look at a clock, on a machine that other stages keep busy:
 * where a single test failed, its milestone's can be run again, alone, and
 * what was first is told.
 *
 * @param {StageContext & { limit?: number }} context  `limit`: milliseconds
 *   without a result after which tests stand still
 * @returns {Promise<StageOutcome>}
 */
export async function testChapters({ root, pinnedNode, report, limit }) {
  const own = majorOf(process.versions.node);
  const pinned = majorOf(pinnedVersion);
  const nodes = [{ name: `Node ${own}`, node: process.execPath }];
  if (pinnedNode !== process.execPath && own !== pinned)
    nodes.push({ name: `Node ${pinned}`, node: pinnedNode });
  const jobs = listMilestones(root).flatMap((milestone) =>
    nodes.map(({ name, node }) => () => {
      const files = testFiles(milestone.folder).map((file) => `test/${file}`);
      if (files.length === 0) return Promise.resolve(nothing(`${milestone.name} has no tests`));
      const label = `${milestone.name} on ${name}`;
      const options = { cwd: milestone.folder, files, node, concurrency: 1, label, report };
      return testFilesOf({ ...options, limit });
    }),
  );
  const outcomes = await runEach(jobs);
  const outcome = addUp(outcomes);
  const failing = outcomes.filter(({ failed }) => failed > 0);
  const isWorthIt = failing.length <= MOST_AGAIN && failing.some(failedOnce);
  if (!isWorthIt) return outcome;
  const again = async () => {
    for (const [index, first] of outcomes.entries()) {
      if (!failedOnce(first)) continue;
      const second = await jobs[index]();
      second.notes.push(`RUN TWICE, because at first: ${first.problems[0].replace(/\s+/g, " ")}`);
      outcomes[index] = second;
    }
    return addUp(outcomes);
  };
  return { ...outcome, again };
}

/** @param {StageOutcome} outcome */
function failedOnce({ failed }) {
  return failed === 1;
}

/** @param {string} version */
function majorOf(version) {
  return version.split(".")[0];
}

/**
 * Every challenge's solution against the challenge's test, which has to pass
 * with it and to fail without.
 *
 * @param {StageContext} context
 * @returns {Promise<StageOutcome>}
 */
export function testChallenges({ root, report }) {
  const jobs = listMilestones(root).flatMap((milestone) => {
    const challenges = challengesOf(milestone);
    const solutions = solutionsOf(milestone);
    const numbers = new Set([...challenges, ...solutions.keys()]);
    return [...numbers].map((number) => async () => {
      const label = `${milestone.name}, challenge ${number}`;
      report(label);
      const solution = solutions.get(number);
      if (!challenges.includes(number)) return failure(`${label} has a solution and no test`);
      if (!solution) return failure(`${label} has a test and no folder in solutions/`);
      return testChallenge(root, milestone, number, solution, label);
    });
  });
  return runEach(jobs).then(addUp);
}

/**
 * @param {string} root
 * @param {Milestone} milestone
 * @param {number} number
 * @param {string} solution  the folder with its files
 * @param {string} label
 * @returns {Promise<StageOutcome>}
 */
async function testChallenge(root, milestone, number, solution, label) {
  /** @param {string[]} sources */
  const run = async (sources) => {
    const workbench = makeWorkbench(root, milestone, sources);
    const results = await runTests({
      cwd: workbench.folder,
      files: [`test/challenge-${number}.test.js`],
      env: { CHALLENGE: String(number) },
    });
    workbench.remove();
    return outcomeOf(results, label);
  };
  const without = await run([milestone.folder]);
  const solved = await run([milestone.folder, solution]);
  if (without.failed === 0) return failure(`${label} passes its test without the solution`);
  if (solved.passed + solved.failed === 0) return failure(`${label}: its test tests nothing`);
  return solved;
}

/**
 * The folders `solutions/N-slug`, by number.
 *
 * @param {Milestone} milestone
 * @returns {Map<number, string>}
 */
function solutionsOf({ folder }) {
  const solutions = join(folder, "solutions");
  if (!existsSync(solutions)) return new Map();
  return new Map(
    readdirSync(solutions)
      .filter((name) => /^\d+-/.test(name))
      .map((name) => [Number.parseInt(name, 10), join(solutions, name)]),
  );
}

/**
 * Does several things at a time.
 *
 * @param {(() => Promise<StageOutcome>)[]} jobs
 * @returns {Promise<StageOutcome[]>} in the order of the jobs
 */
async function runEach(jobs) {
  /** @type {StageOutcome[]} */
  const outcomes = [];
  // Later chapters have more to test: what takes longest comes first.
  const queue = [...jobs.entries()].reverse();
  const workers = Array.from({ length: AT_ONCE }, async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [index, job] = next;
      outcomes[index] = await job().catch((err) => failure(String(err.message)));
    }
  });
  await Promise.all(workers);
  return outcomes;
}

/**
 * @param {StageOutcome[]} outcomes
 * @returns {StageOutcome}
 */
function addUp(outcomes) {
  return {
    passed: outcomes.reduce((sum, { passed }) => sum + passed, 0),
    failed: outcomes.reduce((sum, { failed }) => sum + failed, 0),
    problems: outcomes.flatMap(({ problems }) => problems),
    notes: [...new Set(outcomes.flatMap(({ notes }) => notes))],
  };
}

/**
 * @param {string} problem
 * @returns {StageOutcome}
 */
function failure(problem) {
  return { passed: 0, failed: 1, problems: [problem], notes: [] };
}

/**
 * @param {string} note
 * @returns {StageOutcome}
 */
function nothing(note) {
  return { passed: 0, failed: 0, problems: [], notes: [note] };
}
