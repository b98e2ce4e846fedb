import { createHash } from "node:crypto";
import os from "node:os";
import process from "node:process";
import { prepare, readContender } from "./contenders.js";
import { derive, designOf } from "./derive.js";
import { deriveRates } from "./derive-rates.js";
import { BenchError } from "./errors.js";
import { layOut } from "./layout.js";
import { ask, describeMachine } from "./machine.js";
import { measure } from "./measure.js";
import { measureRates } from "./measure-rates.js";
import { root } from "./paths.js";
import { choosePlatform } from "./platform/index.js";
import { Progress } from "./progress.js";
import { asWritten, isRatesResult, writeRaw, writeResult } from "./results.js";
import { drawOrder, seededRandom } from "./statistics.js";
import { prepareTool } from "./tools.js";
import { tolerableDisturbance } from "./verdict.js";

/** @import { Prepared } from "./contenders.js" */
/** @import { Block } from "./derive.js" */
/** @import { Settings } from "./measure.js" */
/** @import { RatesResult, Result, ResultContender } from "./results.js" */
/** @import { Suite } from "./suites.js" */

/**
 * @typedef {object} Options
 * @property {string} machine the result's folder
 * @property {boolean} publishable
 * @property {Settings & { blocks: number, seed: number }} settings
 * @property {string[]} [only] these contenders and the baseline
 * @property {number} mostTries of a run that other programs disturb
 * @property {Result} [resume] an unfinished result to go on with
 * @property {number} [stopAfter] blocks to run now
 * @property {AbortSignal} [signal] ends the run and keeps the finished blocks
 */

/**
 * @param {Suite} suite
 * @param {Options} options
 * @param {Progress} progress
 */
async function prepareAll(suite, { only }, progress) {
  const ids = suite
    .contenders()
    .filter((id) => !only || only.includes(id) || id === suite.baseline);
  /** @type {Prepared[]} */
  const ready = [];
  /** @type {{ contender: string, why: string }[]} */
  const leftOut = [];
  for (const id of ids) {
    try {
      const prepared = await prepare(readContender(id), suite, (line) => progress.say(line));
      ready.push(prepared);
    } catch (err) {
      if (!(err instanceof BenchError)) throw err;
      if (id === suite.baseline) throw err;
      leftOut.push({ contender: id, why: err.message.split("\n")[0] });
      progress.say(`left out: ${id}: ${err.message}\n`);
    }
  }
  return { ready, leftOut };
}

/**
 * @param {Prepared} prepared
 * @returns {Omit<ResultContender, "contract">}
 */
function describeContender({ contender, shownCommand, version, runtimeVersion, ...rest }) {
  return {
    title: contender.title,
    stack: contender.stack,
    runtime: `${contender.runtime} (${runtimeVersion})`,
    version,
    command: shownCommand.join(" "),
    isComplete: contender.isComplete ?? true,
    ...(rest.lockHash ? { lockHash: rest.lockHash } : {}),
    ...(rest.milestone ? { milestone: rest.milestone, milestoneHash: rest.milestoneHash } : {}),
    ...(contender.note ? { note: contender.note } : {}),
  };
}

/**
 * What must not change between the blocks of one result.
 *
 * @param {Result} result
 */
function fingerprint({ suite, what, where, contenders }) {
  const fixed = {
    suite,
    settings: { ...what.settings, blocks: 0 },
    layout: what.layout,
    cpu: [where.cpu, where.cores, where.kernel],
    contenders: Object.entries(contenders).map(([id, contender]) => [
      id,
      ...[contender.runtime, contender.version, contender.lockHash, contender.milestoneHash],
    ]),
  };
  return createHash("sha256").update(JSON.stringify(fixed)).digest("hex");
}

/**
 * @param {Suite} suite
 * @param {Options} options
 * @returns {Promise<Result>} written to its file as well, after each block
 * @throws {BenchError}
 */
export async function runSuite(suite, options) {
  const { machine, signal } = options;
  const settings = suite.isCold
    ? { ...options.settings, warmUpSeconds: 0, seconds: 1 }
    : options.settings;
  const platform = choosePlatform();
  const parted = layOut({
    cores: os.availableParallelism(),
    workers: suite.workers,
    canPin: platform.canPin,
  });
  const layout = suite.isStarved ? { ...parted, generator: parted.server, shared: true } : parted;
  const setUp = new Progress(0);
  /** @type {Record<string, string>} */
  const tools = {};
  for (const name of suite.tools) tools[name] = await prepareTool(name, (line) => setUp.say(line));
  const { ready, leftOut } = await prepareAll(suite, options, setUp);
  setUp.finish();
  if (parted.pinned) platform.pin(process.pid, parted.generator);

  const isRates = suite.kind === "rates";
  // At fixed rates nothing is ranked, so there is no noise floor to find.
  const twin = isRates ? undefined : `${suite.baseline}-again`;
  /** @type {Map<string, Prepared>} */
  const entries = new Map(ready.map((prepared) => [prepared.contender.id, prepared]));
  const baseline = /** @type {Prepared} */ (entries.get(suite.baseline));
  if (twin) entries.set(twin, baseline);

  const { contract } = suite;
  const load = { url: `http://127.0.0.1:PORT${contract.path}`, connections: settings.connections };
  const showCommand = (/** @type {number} */ seconds) =>
    suite.generator
      .command({ ...load, threads: layout.threads, seconds })
      .map((word) => word.replace(root, ""))
      .join(" ");
  const noContract = { bytesPerResponse: 0, differences: [] };
  /** @type {Result} */
  const result = {
    schema: 1,
    suite: suite.name,
    machine,
    publishable: options.publishable,
    finished: false,
    startedAt: new Date().toISOString(),
    finishedAt: "",
    what: {
      title: suite.title,
      path: contract.path,
      commit: describeCommit(),
      harness: process.version,
      tools,
      commands: {
        warmUp: settings.warmUpSeconds > 0 ? showCommand(settings.warmUpSeconds) : "none",
        load: showCommand(settings.seconds),
      },
      settings: {
        ...settings,
        workers: suite.workers,
        ...(suite.connectionsOf ? { connectionsOf: suite.connectionsOf } : {}),
      },
      layout,
      baseline: suite.baseline,
      ...(twin ? { twin } : {}),
      ...(suite.pairs ? { pairs: suite.pairs } : {}),
      ...(suite.sells ? { sells: suite.sells } : {}),
      leftOut,
    },
    where: describeMachine(),
    contenders: Object.fromEntries(
      [...entries].map(([id, prepared]) => [
        id,
        { ...describeContender(prepared), contract: noContract },
      ]),
    ),
    blocks: [],
    derived: { contenders: {} },
  };
  if (options.resume) takeOver(result, options.resume);

  const first = result.blocks.length + 1;
  const last = Math.min(settings.blocks, first - 1 + (options.stopAfter ?? settings.blocks));
  const progress = new Progress((last - first + 1) * entries.size);
  const loaded =
    settings.warmUpSeconds + settings.seconds + (isRates ? 5 * settings.secondsPerRate : 0);
  const guess = (settings.idleSeconds + loaded + 1.5) * 1000;
  try {
    for (let number = first; number <= last; number++) {
      const order = drawOrder([...entries.keys()], seededRandom(settings.seed + number));
      /** @type {Block} */
      const block = { block: number, order, runs: {}, failed: {} };
      for (const id of order) {
        progress.begin(`block ${number} of ${settings.blocks}: ${id}`, guess);
        const { program, contender } = /** @type {Prepared} */ (entries.get(id));
        const connections = suite.connectionsOf?.[contender.id] ?? settings.connections;
        try {
          const { generator } = suite;
          const how = {
            ...{ program, contract, generator, layout, platform, signal },
            settings: { ...settings, connections },
          };
          const measureOnce = /** @type {typeof measure} */ (isRates ? measureRates : measure);
          const { run, raw } = await leastDisturbed(
            () => measureOnce(how),
            options.mostTries,
            (share) => progress.say(`${id}: other programs took ${share}: once more\n`),
          );
          block.runs[id] = run;
          result.contenders[id].contract = run.contract;
          writeRaw(machine, suite.name, `block-${number}/${id}`, raw);
        } catch (err) {
          if (signal?.aborted || !(err instanceof BenchError)) throw err;
          block.failed[id] = err.message;
          progress.say(`${id} failed: ${err.message}\n`);
        }
        progress.end();
      }
      result.blocks.push(asWritten(block));
      result.finished = number === settings.blocks;
      keep(result);
    }
  } catch (err) {
    if (!signal?.aborted) throw err;
  }
  progress.finish();
  return result;
}

/**
 * Measures again when other programs took more than 5 % of the server's cores, and
 * keeps the try that they took least of. What the tries measured has no say.
 *
 * @template {{ run: { othersShare?: number, tries?: number } }} T
 * @param {() => Promise<T>} measureOnce
 * @param {number} most how often at most
 * @param {(share: string) => void} onDisturbed
 * @returns {Promise<T>}
 */
export async function leastDisturbed(measureOnce, most, onDisturbed) {
  /** @type {T | undefined} */
  let best;
  let tries = 0;
  do {
    const outcome = await measureOnce();
    tries++;
    const share = outcome.run.othersShare ?? 0;
    if (share < (best?.run.othersShare ?? Number.POSITIVE_INFINITY)) best = outcome;
    if (share <= tolerableDisturbance) break;
    if (tries < most) onDisturbed(`${Math.round(share * 100)} %`);
  } while (tries < most);
  const kept = /** @type {T} */ (best);
  if (tries > 1) kept.run.tries = tries;
  return kept;
}

/**
 * Makes all that follows from a result's raw runs, in place.
 *
 * @param {Result | RatesResult} result
 */
export function deriveAnew(result) {
  const { what } = result;
  if (isRatesResult(result)) result.derived = deriveRates(result.blocks);
  else result.derived = derive(result.blocks, designOf(what));
}

/** @param {Result | RatesResult} result */
function keep(result) {
  result.finishedAt = new Date().toISOString();
  deriveAnew(result);
  writeResult(result);
}

/**
 * @param {Result} result
 * @param {Result} earlier
 * @throws {BenchError} ERR_BENCH_RESUME when it was made otherwise
 */
function takeOver(result, earlier) {
  if (fingerprint(result) !== fingerprint(earlier)) {
    throw new BenchError(
      "ERR_BENCH_RESUME",
      "The unfinished result was made with other settings, versions or contenders: " +
        "blocks of the two can't stand in one result. Run without --resume to begin anew.",
    );
  }
  result.startedAt = earlier.startedAt;
  result.blocks = earlier.blocks;
  result.where.loadBefore = earlier.where.loadBefore;
  for (const [id, { contract }] of Object.entries(earlier.contenders)) {
    result.contenders[id].contract = contract;
  }
}

/** @returns {string} the commit, marked when files differ from it */
function describeCommit() {
  const commit = ask("git", ["-C", root, "rev-parse", "--short=12", "HEAD"]);
  if (commit === undefined) return "not a git checkout";
  const changed = ask("git", [
    ...["-C", root, "status", "--porcelain", "--untracked-files=no", "--", "benchmarks", "code"],
    // What the run itself writes.
    ":(exclude)benchmarks/results",
  ]);
  return changed ? `${commit} with changes` : commit;
}
