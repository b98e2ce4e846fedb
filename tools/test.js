/**
 * `npm test`: sets up what is missing and runs every check there is, two stages
 * at a time, going on after one that failed. Nothing but Node's own
 * modules is imported before the set-up.
 */
import util from "node:util";
import { FETCHED } from "./lib/chromium.js";
import { runMain } from "./lib/main.js";
import { isAboutLacking } from "./lib/programs.js";
import { ensureDependencies, ensurePinnedNode, root } from "./lib/setup.js";
import { UserError } from "./lib/user-error.js";

/** @import { StageOutcome } from "./test/stages.js" */
/** @typedef {StageOutcome & { name: string, duration: number }} Outcome */

const isCi = process.env.CI === "true";

/** Stages at the same time: much of each is waiting. */
const AT_ONCE = 2;

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
  const { startProgress } = await import("./lib/progress.js");
  const wanted = chooseStages(Object.keys(STAGES), positionals);

  const progress = startProgress();
  const outcomes = await runStages(STAGES, wanted, pinnedNode, progress);
  progress.end();
  return summarise(outcomes, lacking);
}

/**
 * Runs stages, some at a time.
 *
 * @param {import("./test/stages.js").Stages} stages
 * @param {string[]} wanted
 * @param {string} pinnedNode
 * @param {import("./lib/progress.js").Progress} progress
 * @returns {Promise<Outcome[]>}
 */
async function runStages(stages, wanted, pinnedNode, progress) {
  /** @type {Outcome[]} */
  const outcomes = [];
  /** What each stage that is under way does just now. @type {Map<string, string>} */
  const underWay = new Map();
  const queue = [...wanted.entries()];
  const lanes = Array.from({ length: AT_ONCE }, async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [index, name] = next;
      const { title, run } = stages[name];
      const report = (/** @type {string} */ what) => {
        underWay.set(name, `${name}: ${what}`);
        progress.report([...underWay.values()].join("   "));
      };
      const start = performance.now();
      progress.say(title);
      const outcome = await run({ root, pinnedNode, report }).catch(failedStage);
      underWay.delete(name);
      // CI has to have all there is to have.
      if (isCi) outcome.failed += outcome.notes.filter(isAboutLacking).length;
      for (const problem of outcome.problems) progress.say(`\n${problem}\n`);
      outcomes[index] = { name, ...outcome, duration: performance.now() - start };
    }
  });
  await Promise.all(lanes);
  return outcomes;
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
 * A stage that couldn't be run is one failure.
 *
 * @param {unknown} err
 * @returns {StageOutcome}
 */
function failedStage(err) {
  const isForUs = err instanceof UserError;
  const text = isForUs ? `${err.output}\n${err.message}`.trim() : /** @type {Error} */ (err).stack;
  return { passed: 0, failed: 1, problems: [String(text)], notes: [] };
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
  console.log(`\n${sum("passed")} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

await runMain(main);
