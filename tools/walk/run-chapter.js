import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { firstDifference, showDifference } from "../book/difference.js";
import { listFiles } from "../book/list-files.js";
import { Problem } from "../book/problem.js";
import { isMeasurement } from "./measurements.js";
import { madeBy, recordOf, writeRecord } from "./records.js";
import { Terminal } from "./terminal.js";
import { makeWorkplace, writeInto } from "./workplace.js";

/** @import { Build, Step } from "../book/build.js" */
/** @import { Fence } from "../book/fence.js" */
/** @import { Action } from "../book/transcript.js" */
/** @import { Correction } from "./accept.js" */
/** @import { Workplace } from "./workplace.js" */

/** A command for something that only the repository has. */
const IN_REPOSITORY = /(?:^|\s)benchmarks\//;

/** After so many problems the rest of a chapter only repeats them. */
const MOST_PROBLEMS = 5;

/**
 * @typedef {object} RunOptions
 * @property {string} root  the repository's root
 * @property {string} node  path of the Node.js that commands find first
 * @property {number} limit  milliseconds to wait for an output
 * @property {boolean} [accept]  take what is printed for what the book has to
 *   show
 * @property {Set<Fence>} [measuring]  the fences whose measurement is to be made
 *   anew; then no measurement is compared with what the page shows
 * @property {(done: number) => void} [onStep]
 *
 * @typedef {object} ChapterRun
 * @property {number} commands  how many were typed
 * @property {Problem[]} problems
 * @property {Correction[]} corrections  what the book has to show instead
 * @property {string[]} measured  files of measurements that were written
 */

/**
 * Works through a chapter as a reader does: saves each file and types each
 * command where it stands.
 *
 * @param {Build} build
 * @param {RunOptions} options
 * @returns {Promise<ChapterRun>}
 */
export async function runChapter(build, options) {
  const { chapter, steps } = build;
  const workplace = await makeWorkplace(build, options);
  /** @type {Map<number, Terminal>} */
  const terminals = new Map();
  /** The line after which a file that no listing made was there. @type {Map<string, number>} */
  const unexpectedFiles = new Map();
  /** @type {ChapterRun} */
  const run = { commands: 0, problems: [], corrections: [], measured: [] };
  const made = new Set(build.start.paths);
  const terminalOf = (/** @type {Fence} */ { terminal: number }) => {
    const terminal = terminals.get(number) ?? new Terminal(number, workplace, options);
    terminals.set(number, terminal);
    return terminal;
  };

  for (const [index, step] of steps.entries()) {
    if (run.problems.length >= MOST_PROBLEMS) break;
    if (step.kind === "file") {
      writeInto(workplace.folder, step.path, step.text);
      made.add(step.path);
      for (const terminal of terminals.values()) terminal.fileChanged(step.path, step.line);
    } else if (step.fence.raw !== undefined) {
      const { measuring, root } = options;
      if (measuring?.has(step.fence)) {
        run.commands++;
        const problem = await measureRaw(step, terminalOf(step.fence), root);
        if (problem) run.problems.push(problem);
        else run.measured.push(step.fence.raw);
      } else if (!measuring || !isMeasurement(step.fence)) {
        run.problems.push(...compareRaw(step, root, workplace.folder));
      }
    } else {
      const { fence, actions, files } = step;
      const terminal = terminalOf(fence);
      run.commands += actions.filter(({ kind }) => kind === "run").length;
      const { problems, corrections } = await terminal.follow(fence, actions, files);
      const isOdd = problems.length > 0 || corrections.length > 0;
      const causes = isOdd ? await findCauses(terminals, chapter.file, steps.slice(index + 1)) : [];
      const hints = [...terminals.values()].flatMap((each) => each.hints);
      for (const problem of problems) problem.details.push(...hints);
      run.problems.push(...causes, ...problems);
      // What a dead server answers is nothing that the book should show.
      if (causes.length > 0) break;
      run.corrections.push(...corrections);
      if (problems.length > 0 && terminal.hasCrashed) break;
      for (const path of listFiles(workplace.folder)) {
        if (!made.has(path) && !unexpectedFiles.has(path)) unexpectedFiles.set(path, fence.line);
      }
    }
    options.onStep?.(index + 1);
  }

  run.problems.push(...(await findCauses(terminals, chapter.file, [])));
  for (const terminal of terminals.values()) await terminal.close();
  if (run.problems.length === 0 && !build.problem && chapter.milestone) {
    run.problems.push(...compareFolder(build, workplace, unexpectedFiles));
  }
  workplace.remove();
  run.problems.splice(MOST_PROBLEMS);
  return run;
}

/**
 * Commands that have ended by themselves, which what comes next in the book
 * doesn't show: a server that died is the cause of all that its clients see.
 *
 * @param {Map<number, Terminal>} terminals
 * @param {string} file  the chapter's
 * @param {Step[]} rest  what comes next
 */
async function findCauses(terminals, file, rest) {
  const causes = [];
  for (const [number, terminal] of terminals) {
    const next = rest.find((step) => step.kind === "console" && step.fence.terminal === number);
    if (next?.kind === "console" && next.actions[0]?.kind === "continue") continue;
    const cause = await terminal.takeUnseenEnd(file);
    if (cause) causes.push(cause);
  }
  return causes;
}

/**
 * Makes a measurement anew, and writes what was printed into its file.
 *
 * @param {Extract<Step, { kind: "console" }>} step
 * @param {Terminal} terminal
 * @param {string} root
 * @returns {Promise<Problem | undefined>} why the file is as it was
 */
async function measureRaw({ fence, actions, files }, terminal, root) {
  if (!isOneCommand(actions)) return notOneCommand(fence);
  const [action] = actions;
  const { workplace } = terminal;
  // What the repository measures is run in the repository.
  const isOurs = IN_REPOSITORY.test(action.command);
  const place = isOurs ? { ...workplace, folder: root } : workplace;
  const record = madeBy(action.command, place.folder);
  try {
    const printed = await terminal.measure(fence, action, files, place);
    writeInto(root, fence.raw ?? "", `${printed.join("\n")}\n`);
    writeRecord(root, fence.raw ?? "", record);
  } catch (err) {
    if (!(err instanceof Problem)) throw err;
    return err;
  }
}

/** @param {Action[]} actions */
function isOneCommand(actions) {
  return actions.length === 1 && actions[0].kind === "run";
}

/** @param {Fence} fence */
function notOneCommand({ chapter, line }) {
  return new Problem(chapter, line, "a fence with raw= has one `$ ` line, its first");
}

/**
 * @param {Extract<Step, { kind: "console" }>} step
 * @param {string} root
 * @param {string} folder  the reader's
 * @returns {Problem[]}
 */
function compareRaw({ fence, actions }, root, folder) {
  const { chapter, line, raw = "" } = fence;
  if (!isOneCommand(actions)) return [notOneCommand(fence)];
  if (!existsSync(join(root, raw))) {
    return [new Problem(chapter, line, `there is no ${raw} to show`)];
  }
  const expected = actions[0].output;
  const got = readFileSync(join(root, raw), "utf8").replace(/\n$/, "").split("\n");
  const index = firstDifference(got, expected);
  if (index === -1)
    return isMeasurement(fence) ? compareRecord(fence, actions[0], root, folder) : [];
  const at = actions[0].line + 1 + Math.min(index, expected.length - 1);
  return [
    new Problem(
      chapter,
      at,
      `this isn't what ${raw} holds in line ${index + 1}`,
      showDifference(got[index], expected[index], "the end"),
    ),
  ];
}

/**
 * Whether a measurement was made by this command, with its program as it
 * stands here: nothing else runs such a program.
 *
 * @param {Fence} fence
 * @param {Action} action
 * @param {string} root
 * @param {string} folder  the reader's
 * @returns {Problem[]}
 */
function compareRecord({ chapter, line, raw = "" }, { command }, root, folder) {
  // What another chapter has measured is only quoted here.
  const [owner] = /^ch\d\d(?=-)/.exec(basename(raw)) ?? [];
  if (owner !== undefined && !basename(chapter).startsWith(owner)) return [];
  const isOurs = IN_REPOSITORY.test(command);
  const now = madeBy(command, isOurs ? root : folder);
  const then = recordOf(root, raw);
  if (then === undefined) {
    return [new Problem(chapter, line, `nobody knows what made ${raw}: measure it`)];
  }
  if (then.command !== now.command) {
    const details = showDifference(then.command, now.command, "the end");
    return [new Problem(chapter, line, `${raw} was made by another command`, details)];
  }
  const changed = Object.keys(now.files).filter((file) => then.files[file] !== now.files[file]);
  return changed.map(
    (file) => new Problem(chapter, line, `${file} isn't as it was when it made ${raw}: measure it`),
  );
}

/**
 * Compares the folder on the disk with what the listings make: a command may
 * have left something behind, or moved a file in a way that wasn't understood.
 *
 * @param {Build} build
 * @param {Workplace} workplace
 * @param {Map<string, number>} unexpectedFiles
 */
function compareFolder({ chapter, files }, { folder }, unexpectedFiles) {
  const problems = [];
  const actual = listFiles(folder);
  for (const path of actual) {
    if (files.has(path)) continue;
    const line = unexpectedFiles.get(path) ?? 1;
    problems.push(
      new Problem(chapter.file, line, `${path} is left behind, and no listing made it`, [
        "let the reader delete it with rm, or make it with a listing",
      ]),
    );
  }
  for (const path of files.paths) {
    const source = files.lines(path)?.[0] ?? { chapter: chapter.file, line: 1 };
    if (!actual.includes(path)) {
      problems.push(new Problem(source.chapter, source.line, `a command took ${path} away`));
    } else if (readFileSync(join(folder, path), "utf8") !== files.text(path)) {
      problems.push(
        new Problem(source.chapter, source.line, `a command changed ${path}`, [
          "the milestone would not be what the listings make",
        ]),
      );
    }
  }
  return problems;
}
