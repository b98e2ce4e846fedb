import { createHash } from "node:crypto";
import { setMaxListeners } from "node:events";
import os from "node:os";
import process from "node:process";
import { UserError } from "../../tools/lib/user-error.js";
import { bounds } from "./bounds.js";
import { installPackages, prepare, readContender } from "./contenders.js";
import { derive, designOf } from "./derive.js";
import { deriveRates } from "./derive-rates.js";
import { benchError } from "./errors.js";
import { hasTwin, isRates, lackedBy, secondsOfRun, settingsOf } from "./forecast.js";
import { recordRun } from "./history.js";
import { layOut } from "./layout.js";
import { describeMachine, outputOf } from "./machine.js";
import { measure } from "./measure.js";
import { connectionsFor, measureRates } from "./measure-rates.js";
import { root } from "./paths.js";
import { choosePlatform } from "./platform/index.js";
import { Progress } from "./progress.js";
import { asWritten, isRatesResult, writeRaw, writeResult } from "./results.js";
import { drawOrder, seededRandom } from "./statistics.js";
import { timed } from "./took.js";
import { prepareTool } from "./tools.js";
import { takeTurns } from "./turns.js";
import { disturbanceOf } from "./verdict.js";

/** @import { Contender, Prepared } from "./contenders.js" */
/** @import { Block } from "./derive.js" */
/** @import { Layout } from "./layout.js" */
/** @import { MeasureOptions, Once, Settings } from "./measure.js" */
/** @import { RatesPlan } from "./measure-rates.js" */
/** @import { Platform } from "./platform/index.js" */
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
      ready.push(await prepareTimed(readContender(id), suite, progress));
    } catch (err) {
      if (!(err instanceof UserError)) throw err;
      if (id === suite.baseline) throw err;
      leftOut.push({ contender: id, why: err.message.split("\n")[0] });
      progress.say(`left out: ${id}: ${err.message}\n`);
    }
  }
  return { ready, leftOut };
}

/**
 * Prepares a contender, and notes what it took to get what it lacked.
 *
 * @param {Contender} contender
 * @param {Suite} suite
 * @param {Progress} progress
 * @returns {Promise<Prepared>}
 */
async function prepareTimed(contender, suite, progress) {
  const prepareIt = () => prepare(contender, suite, (line) => progress.say(line));
  const lacking = lackedBy(contender);
  const [built] = lacking.filter(({ folder }) => folder === "");
  if (built) return timed(built.key, prepareIt);
  for (const { key, folder } of lacking) await timed(key, () => installPackages(folder));
  return prepareIt();
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
function fingerprint({ suite, what: setup, where: host, contenders }) {
  const fixed = {
    suite,
    settings: { ...setup.settings, blocks: 0 },
    layout: setup.layout,
    cpu: [host.cpu, host.cores, host.kernel],
    contenders: Object.entries(contenders).map(([id, contender]) => [
      id,
      ...[contender.runtime, contender.version, contender.lockHash, contender.milestoneHash],
    ]),
  };
  return createHash("sha256").update(JSON.stringify(fixed)).digest("hex");
}

/**
 * @typedef {object} Plan all that is known before the first run
 * @property {Suite} suite
 * @property {Options} options
 * @property {Options["settings"]} settings
 * @property {Platform} platform
 * @property {Layout} layout
 * @property {Record<string, string>} tools versions by name
 * @property {Map<string, Prepared>} entries what runs in each block, by id
 * @property {string} [twin] the baseline's other name
 * @property {{ contender: string, why: string }[]} leftOut
 * @property {typeof measure} measure
 * @property {number} guess milliseconds that a run takes
 */

/**
 * Installs and builds what a suite needs, and settles how it is run.
 *
 * @param {Suite} suite
 * @param {Options} options
 * @returns {Promise<Plan>}
 * @throws {UserError}
 */
async function planSuite(suite, options) {
  const settings = settingsOf(suite, options.settings);
  const platform = choosePlatform();
  const pinnedLayout = layOut({
    cores: os.availableParallelism(),
    workers: suite.workers,
    canPin: platform.canPin,
  });
  const layout = suite.isStarved
    ? { ...pinnedLayout, generator: pinnedLayout.server, shared: true }
    : pinnedLayout;
  const progress = new Progress(0);
  /** @type {Record<string, string>} */
  const tools = {};
  for (const name of suite.tools) {
    tools[name] = await prepareTool(name, (line) => progress.say(line));
  }
  const { ready, leftOut } = await prepareAll(suite, options, progress);
  progress.finish();
  if (pinnedLayout.pinned) platform.pin(process.pid, pinnedLayout.generator);

  // Of latencies nothing is ranked, so there is no noise floor to find.
  const twin = hasTwin(suite) ? `${suite.baseline}-again` : undefined;
  const entries = new Map(ready.map((prepared) => [prepared.contender.id, prepared]));
  if (twin) entries.set(twin, /** @type {Prepared} */ (entries.get(suite.baseline)));
  return {
    ...{ suite, options, settings, platform, layout, tools, entries, leftOut },
    ...(twin ? { twin } : {}),
    measure: /** @type {typeof measure} */ (isRates(suite) ? measureRates : measure),
    guess: (secondsOfRun(suite, settings) * 1000) / (settings.turns ?? 1),
  };
}

/**
 * @param {Plan} plan
 * @returns {Result} with no block yet
 */
function emptyResult({ suite, options, settings, layout, tools, entries, twin, leftOut }) {
  const { contract } = suite;
  const load = { url: `http://127.0.0.1:PORT${contract.path}`, connections: settings.connections };
  const showCommand = (/** @type {number} */ seconds) =>
    suite.generator
      .command({ ...load, threads: layout.threads, seconds })
      .map((word) => word.replace(root, ""))
      .join(" ");
  const noContract = { bytesPerResponse: 0, differences: [] };
  return {
    schema: 1,
    suite: suite.name,
    machine: options.machine,
    publishable: options.publishable,
    finished: false,
    startedAt: new Date().toISOString(),
    finishedAt: "",
    what: {
      title: suite.title,
      path: contract.path,
      ...(contract.method ? { method: contract.method } : {}),
      commit: describeCommit(),
      harness: process.version,
      tools,
      commands: {
        warmUp: settings.warmUpSeconds > 0 ? showCommand(settings.warmUpSeconds) : "none",
        load: showCommand(settings.seconds),
        ...(suite.rates ? { atRate: showRateCommand(suite.rates, load, settings) } : {}),
      },
      settings: {
        ...settings,
        workers: suite.workers,
        ...(suite.connectionsOf ? { connectionsOf: suite.connectionsOf } : {}),
      },
      layout,
      bounds,
      baseline: suite.baseline,
      ...(twin ? { twin } : {}),
      ...(suite.pairs ? { pairs: suite.pairs } : {}),
      ...(suite.rankedBy ? { sells: suite.rankedBy } : {}),
      ...(suite.shows ? { shows: suite.shows } : {}),
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
}

/**
 * @param {RatesPlan} plan
 * @param {{ url: string, connections: number }} load
 * @param {Settings} settings
 */
function showRateCommand({ openGenerator }, { url, connections }, { secondsPerRate, commonRate }) {
  const perSecond = commonRate;
  return openGenerator
    .command({
      ...{ url, perSecond, seconds: secondsPerRate, file: "FILE" },
      connections: connectionsFor(perSecond, connections),
    })
    .map((word) => word.replace(process.execPath, "node").replace(root, ""))
    .join(" ");
}

/**
 * Measures each contender once, in an order drawn for this block: one after
 * the other, or in turns that go round among them all.
 *
 * @param {Plan} plan
 * @param {number} number of the block
 * @param {Progress} progress
 * @returns {Promise<Block>}
 * @throws {Error} what ended it, when it was interrupted
 */
async function runBlock(plan, number, progress) {
  const { entries, settings } = plan;
  const order = drawOrder([...entries.keys()], seededRandom(settings.seed + number));
  /** @type {Block} */
  const block = { block: number, order, runs: {}, failed: {} };
  if ((settings.turns ?? 1) === 1) {
    for (const id of order) await runContender(plan, block, id, progress);
    return block;
  }
  const inTurn = takeTurns();
  // Each server of the block listens to it at the same time.
  if (plan.options.signal) setMaxListeners(0, plan.options.signal);
  const all = order.map((id) => runContender(plan, block, id, progress, inTurn));
  const ended = await Promise.allSettled(all);
  for (const { status, reason } of /** @type {PromiseRejectedResult[]} */ (ended)) {
    if (status === "rejected") throw reason;
  }
  return block;
}

/**
 * @param {Plan} plan
 * @param {Block} block gets the run, or why there is none
 * @param {string} id
 * @param {Progress} progress
 * @param {ReturnType<typeof takeTurns>} [inTurn] where the contenders take turns
 */
async function runContender(plan, block, id, progress, inTurn) {
  const { options, settings } = plan;
  const prepared = /** @type {Prepared} */ (plan.entries.get(id));
  const { program, contender, contract = plan.suite.contract } = prepared;
  const { generator, connectionsOf } = plan.suite;
  const connections = connectionsOf?.[contender.id] ?? settings.connections;
  const how = {
    ...{ program, contract, generator, layout: plan.layout, platform: plan.platform },
    ...{ signal: options.signal, settings: { ...settings, connections } },
    ...(plan.suite.rates ?? {}),
  };
  const least = (/** @type {any} */ once, /** @type {(outcome: any) => number} */ disturbance) =>
    leastDisturbed(once, options.mostTries, disturbance, (share) =>
      progress.say(`${id}: ${describeDisturbance(share)}: once more\n`),
    );
  const begin = () =>
    progress.begin(`block ${block.block} of ${settings.blocks}: ${id}`, plan.guess);
  /** @type {MeasureOptions["settle"]} */
  const settle = async (once) => {
    if (inTurn) {
      begin();
      progress.end();
    }
    const { kept, tries } = await least(once, disturbanceOfOnce);
    if (tries > 1) kept.tries = tries;
    return kept;
  };
  try {
    if (!inTurn) begin();
    const isInParts = inTurn !== undefined || isRates(plan.suite);
    const { kept, tries } = isInParts
      ? { kept: await plan.measure({ ...how, inTurn, settle }), tries: 1 }
      : await least(
          () => plan.measure(how),
          ({ run }) => disturbanceOf(run),
        );
    const { run, raw } = kept;
    block.runs[id] = tries > 1 ? { ...run, tries } : run;
    writeRaw(options.machine, plan.suite.name, `block-${block.block}/${id}`, raw);
  } catch (err) {
    if (options.signal?.aborted || !(err instanceof UserError)) throw err;
    block.failed[id] = err.message;
    progress.say(`${id} failed: ${err.message}\n`);
  }
  if (!inTurn) progress.end();
}

/**
 * @param {Suite} suite
 * @param {Options} options
 * @returns {Promise<Result>} written to its file as well, after each block
 * @throws {UserError}
 */
export async function runSuite(suite, options) {
  const plan = await planSuite(suite, options);
  const result = emptyResult(plan);
  if (options.resume) resumeFrom(result, options.resume);

  const { blocks } = plan.settings;
  const first = result.blocks.length + 1;
  const last = Math.min(blocks, first - 1 + (options.stopAfter ?? blocks));
  const { turns = 1 } = plan.settings;
  const progress = new Progress((last - first + 1) * plan.entries.size * turns);
  const record = recordRun(result, optionsOf(plan));
  try {
    for (let number = first; number <= last; number++) {
      const block = await runBlock(plan, number, progress);
      for (const [id, { contract }] of Object.entries(block.runs)) {
        result.contenders[id].contract = contract;
      }
      result.blocks.push(asWritten(block));
      result.finished = number === blocks;
      keep(result);
    }
  } catch (err) {
    if (!options.signal?.aborted) {
      record("broken", /** @type {Error} */ (err).message.split("\n")[0]);
      throw err;
    }
  }
  record(result.finished ? "finished" : "stopped");
  progress.finish();
  return result;
}

/**
 * What tells this run from another of the same suite.
 *
 * @param {Plan} plan
 * @returns {Record<string, unknown>}
 */
function optionsOf({ options, settings, suite }) {
  return {
    ...(options.publishable ? {} : { quick: true }),
    ...(options.only ? { only: options.only.join(",") } : {}),
    blocks: settings.blocks,
    seconds: settings.seconds,
    ...(settings.turns ? { turns: settings.turns } : {}),
    "warm-up": settings.warmUpSeconds,
    connections: settings.connections,
    ...(suite.rates?.hasCommonRate ? { rate: settings.commonRate } : {}),
    tries: options.mostTries,
    seed: settings.seed,
  };
}

/** A stretch in which the generator lagged is worse than any that was disturbed. */
const lagged = 1;

/** @param {Once} once */
function disturbanceOfOnce({ busy, isLate }) {
  return disturbanceOf(busy) + (isLate ? lagged : 0);
}

/** @param {number} disturbance */
function describeDisturbance(disturbance) {
  if (disturbance >= lagged) return "the generator was late";
  return `others took ${Math.round(disturbance * 100)} % of a core`;
}

/**
 * Measures again when others took too much of the cores of either side, and
 * keeps the try that they took least of. What the tries measured has no say.
 *
 * @template T
 * @param {() => Promise<T>} measureOnce
 * @param {number} most how often at most
 * @param {(outcome: T) => number} disturbance share of a core
 * @param {(share: number) => void} onDisturbed
 * @returns {Promise<{ kept: T, tries: number }>}
 */
export async function leastDisturbed(measureOnce, most, disturbance, onDisturbed) {
  /** @type {T | undefined} */
  let best;
  let least = Number.POSITIVE_INFINITY;
  let tries = 0;
  do {
    const outcome = await measureOnce();
    tries++;
    const share = disturbance(outcome);
    if (share < least) {
      best = outcome;
      least = share;
    }
    if (share <= bounds.disturbance) break;
    if (tries < most) onDisturbed(share);
  } while (tries < most);
  return { kept: /** @type {T} */ (best), tries };
}

/**
 * Makes all that follows from a result's raw runs, in place.
 *
 * @param {Result | RatesResult} result
 */
export function deriveAnew(result) {
  const { what: setup } = result;
  if (isRatesResult(result)) result.derived = deriveRates(result.blocks, designOf(setup));
  else result.derived = derive(result.blocks, designOf(setup));
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
 * @throws {UserError} ERR_BENCH_RESUME when it was made otherwise
 */
function resumeFrom(result, earlier) {
  if (fingerprint(result) !== fingerprint(earlier)) {
    throw benchError(
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
  const commit = outputOf("git", ["-C", root, "rev-parse", "--short=12", "HEAD"]);
  if (commit === undefined) return "not a git checkout";
  const changed = outputOf("git", [
    ...["-C", root, "status", "--porcelain", "--untracked-files=no", "--", "benchmarks", "code"],
    // What the run itself writes.
    ":(exclude)benchmarks/results",
  ]);
  return changed ? `${commit} with changes` : commit;
}
