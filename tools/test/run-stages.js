import { isAboutLacking } from "../lib/programs.js";
import { UserError } from "../lib/user-error.js";

/** @import { Progress } from "../lib/progress.js" */
/** @import { StageOutcome, Stages } from "./stages.js" */

/** @typedef {StageOutcome & { name: string, duration: number }} Outcome */

/** Stages at the same time: much of each is waiting. */
const AT_ONCE = 2;

/**
 * Runs stages, some at a time. Those that want to try again what failed do so
 * at the end, one after the other.
 *
 * @param {Stages} stages
 * @param {object} options
 * @param {string[]} options.wanted  names
 * @param {string} options.root
 * @param {string} options.pinnedNode
 * @param {Pick<Progress, "say" | "report">} options.progress
 * @param {boolean} options.isCi  a note on what is lacking is a failure
 * @returns {Promise<Outcome[]>} in the order of the names
 */
export async function runStages(stages, { wanted, root, pinnedNode, progress, isCi }) {
  /** @type {Outcome[]} */
  const outcomes = [];
  /** @type {(() => Promise<void>)[]} */
  const later = [];
  /** What each stage that is under way does just now. @type {Map<string, string>} */
  const underWay = new Map();

  const note = (/** @type {number} */ index, /** @type {Outcome} */ outcome) => {
    // CI has to have all there is to have.
    if (isCi) outcome.failed += outcome.notes.filter(isAboutLacking).length;
    for (const problem of outcome.problems) progress.say(`\n${problem}\n`);
    outcomes[index] = outcome;
  };
  /** @param {string} name @param {() => Promise<StageOutcome>} run */
  const timed = async (name, run) => {
    const start = performance.now();
    const outcome = await run().catch(failedStage);
    underWay.delete(name);
    return { name, ...outcome, duration: performance.now() - start };
  };

  const queue = [...wanted.entries()];
  const lanes = Array.from({ length: AT_ONCE }, async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [index, name] = next;
      const { title, run } = stages[name];
      const report = (/** @type {string} */ what) => {
        underWay.set(name, `${name}: ${what}`);
        progress.report([...underWay.values()].join("   "));
      };
      progress.say(title);
      const first = await timed(name, () => run({ root, pinnedNode, report }));
      const { again } = first;
      if (again === undefined) {
        note(index, first);
        continue;
      }
      later.push(async () => {
        progress.say(`${title} again, where it failed`);
        const second = await timed(name, again);
        note(index, { ...second, duration: first.duration + second.duration });
      });
    }
  });
  await Promise.all(lanes);
  for (const tryAgain of later) await tryAgain();
  return outcomes;
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
