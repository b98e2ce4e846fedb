import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { firstDifference, showDifference } from "../book/difference.js";
import { listFiles } from "../book/list-files.js";
import { Problem } from "../book/problem.js";
import { Terminal } from "./terminal.js";
import { makeWorkplace, writeInto } from "./workplace.js";

/** @import { Build, Step } from "../book/build.js" */
/** @import { Workplace } from "./workplace.js" */

/** After so many problems the rest of a chapter only repeats them. */
const ENOUGH = 5;

/**
 * @typedef {object} PerformOptions
 * @property {string} root  the repository's root
 * @property {string} node  path of the Node.js that commands find first
 * @property {number} limit  milliseconds to wait for an output
 * @property {(done: number) => void} [onStep]
 */

/**
 * Works through a chapter as a reader does: saves each file and types each
 * command where it stands.
 *
 * @param {Build} build
 * @param {PerformOptions} options
 * @returns {Promise<Problem[]>}
 */
export async function perform(build, options) {
  const { chapter, steps } = build;
  const workplace = await makeWorkplace(build, options);
  /** @type {Map<number, Terminal>} */
  const terminals = new Map();
  /** The line after which a file that no listing made was there. @type {Map<string, number>} */
  const strangers = new Map();
  /** @type {Problem[]} */
  const problems = [];
  const made = new Set(build.start.paths);

  for (const [index, step] of steps.entries()) {
    if (problems.length >= ENOUGH) break;
    if (step.kind === "file") {
      writeInto(workplace.folder, step.path, step.text);
      made.add(step.path);
      for (const terminal of terminals.values()) terminal.fileChanged(step.path, step.line);
    } else if (step.fence.raw !== undefined) {
      problems.push(...compareRaw(step, options.root));
    } else {
      const { fence, actions } = step;
      const terminal =
        terminals.get(fence.terminal) ?? new Terminal(fence.terminal, workplace, options.limit);
      terminals.set(fence.terminal, terminal);
      const found = await terminal.follow(fence, actions);
      const hints = [...terminals.values()].flatMap((each) => each.staleHint);
      for (const problem of found) problem.details.push(...hints);
      problems.push(...found);
      for (const path of listFiles(workplace.folder)) {
        if (!made.has(path) && !strangers.has(path)) strangers.set(path, fence.line);
      }
    }
    options.onStep?.(index + 1);
  }

  for (const terminal of terminals.values()) problems.push(...(await terminal.close(chapter.file)));
  if (problems.length === 0 && chapter.milestone) {
    problems.push(...compareFolder(build, workplace, strangers));
  }
  workplace.remove();
  return problems.slice(0, ENOUGH);
}

/**
 * @param {Extract<Step, { kind: "console" }>} step
 * @param {string} root
 * @returns {Problem[]}
 */
function compareRaw({ fence, actions }, root) {
  const { chapter, line, raw = "" } = fence;
  if (actions.length !== 1 || actions[0].kind !== "run") {
    return [new Problem(chapter, line, "a fence with raw= has one `$ ` line, its first")];
  }
  if (!existsSync(join(root, raw))) {
    return [new Problem(chapter, line, `there is no ${raw} to show`)];
  }
  const expected = actions[0].output;
  const got = readFileSync(join(root, raw), "utf8").replace(/\n$/, "").split("\n");
  const index = firstDifference(got, expected);
  if (index === -1) return [];
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
 * Compares the folder on the disk with what the listings make: a command may
 * have left something behind, or moved a file in a way that wasn't understood.
 *
 * @param {Build} build
 * @param {Workplace} workplace
 * @param {Map<string, number>} strangers
 */
function compareFolder({ chapter, files }, { folder }, strangers) {
  const problems = [];
  const actual = listFiles(folder);
  for (const path of actual) {
    if (files.has(path)) continue;
    const line = strangers.get(path) ?? 1;
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
