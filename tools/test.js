/**
 * `npm test`: sets up what is missing and runs every check there is, one stage
 * after the other, going on after one that failed. Nothing but Node's own
 * modules is imported before the set-up.
 */
import { runMain } from "./lib/main.js";
import { ensureDependencies, ensurePinnedNode, root, SetupError } from "./lib/setup.js";

/** @import { StageOutcome } from "./test/stages.js" */

/** @returns {Promise<number>} the exit code */
async function main() {
  await ensureDependencies();
  const pinnedNode = await ensurePinnedNode();
  const { STAGES } = await import("./test/stages.js");
  const { startProgress } = await import("./lib/progress.js");
  const wanted = chooseStages(Object.keys(STAGES), process.argv.slice(2));

  /** @type {(StageOutcome & { name: string, duration: number })[]} */
  const outcomes = [];
  for (const name of wanted) {
    const { title, run } = STAGES[name];
    const progress = startProgress(title);
    const start = performance.now();
    const outcome = await run({ root, pinnedNode, report: progress.report }).catch(failedStage);
    progress.end();
    for (const problem of outcome.problems) console.log(`\n${problem}\n`);
    outcomes.push({ name, ...outcome, duration: performance.now() - start });
  }
  return summarise(outcomes);
}

/**
 * @param {string[]} known
 * @param {string[]} asked
 * @throws {SetupError}
 */
function chooseStages(known, asked) {
  for (const name of asked) {
    if (known.includes(name)) continue;
    throw new SetupError(
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
  const isForUs = err instanceof SetupError;
  const text = isForUs ? `${err.output}\n${err.message}`.trim() : /** @type {Error} */ (err).stack;
  return { passed: 0, failed: 1, problems: [String(text)], notes: [] };
}

/**
 * @param {(StageOutcome & { name: string, duration: number })[]} outcomes
 * @returns {number} the exit code
 */
function summarise(outcomes) {
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
  console.log(`\n${sum("passed")} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

await runMain(main);
