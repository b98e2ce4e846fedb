/**
 * `npm test`: sets up what is missing and runs every check there is, two stages
 * at a time, going on after one that failed. Nothing but Node's own
 * modules is imported before the set-up.
 */
import util from "node:util";
import { FETCHED } from "./lib/chromium.js";
import { runMain } from "./lib/main.js";
import { ensureDependencies, ensurePinnedNode, root } from "./lib/setup.js";
import { UserError } from "./lib/user-error.js";

/** @import { Outcome } from "./test/run-stages.js" */

const isCi = process.env.CI === "true";

const USAGE = `npm test                        runs every stage
npm test -- NAME ...            some of them, whose names are printed for a wrong one
npm test -- --fetched-browser   with the Chromium that is fetched where none is
                                installed, though one be installed here`;

/** @returns {Promise<number>} the exit code */
async function main() {
  const { values, positionals } = readArguments();
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  // What tests/site start are processes of their own.
  if (values["fetched-browser"]) process.env.CHROMIUM = FETCHED;
  await ensureDependencies();
  const { pinnedNode, lacking } = await findPinnedNode();
  const { STAGES } = await import("./test/stages.js");
  const { runStages } = await import("./test/run-stages.js");
  const { startProgress } = await import("./lib/progress.js");
  const wanted = chooseStages(Object.keys(STAGES), positionals);

  const progress = startProgress();
  const outcomes = await runStages(STAGES, { wanted, root, pinnedNode, progress, isCi });
  progress.end();
  return summarise(outcomes, lacking);
}

/**
 * The pinned Node.js, or this one and why the other can't be had: there is none
 * for every system.
 *
 * @returns {Promise<{ pinnedNode: string, lacking?: string }>}
 * @throws {UserError} on CI
 */
async function findPinnedNode() {
  try {
    return { pinnedNode: await ensurePinnedNode() };
  } catch (err) {
    if (!(err instanceof UserError) || isCi) throw err;
    const lacking = `${err.message}\nIts part was done by this Node.js, ${process.version}.`;
    return { pinnedNode: process.execPath, lacking };
  }
}

function readArguments() {
  try {
    return util.parseArgs({
      allowPositionals: true,
      options: {
        "fetched-browser": { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (err) {
    throw new UserError(`${/** @type {Error} */ (err).message}\n\n${USAGE}`);
  }
}

/**
 * @param {string[]} known
 * @param {string[]} asked
 * @throws {UserError}
 */
function chooseStages(known, asked) {
  for (const name of asked) {
    if (known.includes(name)) continue;
    throw new UserError(
      `\`${name}\` is no stage. \`npm test\` runs all of them; some of them alone:\n` +
        `npm test -- NAME ...   with the names ${known.join(", ")}`,
    );
  }
  return asked.length > 0 ? known.filter((name) => asked.includes(name)) : known;
}

/**
 * @param {Outcome[]} outcomes
 * @param {string} [lacking]  what every stage had to do without
 * @returns {number} the exit code
 */
function summarise(outcomes, lacking) {
  const width = Math.max(...outcomes.map(({ name }) => name.length));
  console.log("");
  for (const { name, passed, failed, duration, notes } of outcomes) {
    const seconds = `${(duration / 1000).toFixed(1)} s`.padStart(8);
    const counts = `${passed} passed, ${failed} failed`;
    console.log(`${failed > 0 ? "FAIL" : "ok  "} ${name.padEnd(width)} ${seconds}   ${counts}`);
    for (const note of notes) console.log(`     ${" ".repeat(width)} ${note}`);
  }
  const sum = (/** @type {"passed" | "failed"} */ key) =>
    outcomes.reduce((total, outcome) => total + outcome[key], 0);
  const failed = sum("failed");
  if (lacking) console.log(`\n${lacking}`);
  // Again, where many screens of other output are between.
  const problems = outcomes.flatMap((outcome) => outcome.problems);
  if (problems.length > 0) console.log("");
  for (const problem of problems) console.log(`FAIL ${beginningOf(problem)}`);
  console.log(`\n${sum("passed")} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

/**
 * The name of what failed, and what it says first.
 *
 * @param {string} problem
 */
function beginningOf(problem) {
  const lines = problem.split("\n").map((line) => line.trim());
  const [name, reason = ""] = lines.filter((line) => line !== "");
  return `${name}: ${reason}`.slice(0, 200);
}

await runMain(main);
