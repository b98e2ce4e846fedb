import { firstDifference, showDifference } from "../book/difference.js";
import { Problem } from "../book/problem.js";
import { normalise } from "./normalise.js";
import { RunningCommand } from "./processes.js";
import { traceToListings } from "./trace.js";

/** @import { Fence } from "../book/fence.js" */
/** @import { FileSet } from "../book/file-set.js" */
/** @import { Action } from "../book/transcript.js" */
/** @import { Workplace } from "./workplace.js" */

/** How long to look whether a command prints more than the book shows. */
const SETTLE = 150;

/** How long a command that prints nothing has to end before it is left running. */
const SILENT = 1_000;

/** How long a command's last words may take to reach us. */
const LAST_WORDS = 250;

/** How long it may be quiet before what it printed is accepted. */
const ACCEPT = 2_500;

/** How much of what a command printed a message shows. */
const MOST_LINES = 12;

/**
 * What a command printed where the book shows something else.
 *
 * @typedef {object} Mismatch
 * @property {string[]} got  what was printed
 * @property {Problem} problem  that says so
 */

/**
 * A command that the reader has typed: what it printed, how much of that the
 * book has shown, and whether its end has been told.
 */
export class TypedCommand {
  /** Files that listings changed since it was typed. @type {Map<string, number>} */
  changedSince = new Map();
  /** Whether the book, or a problem, has told its end. */
  endIsReported = false;
  #running;
  #workplace;
  #files;
  /** How much of its output the book has shown. */
  #shown = 0;
  /** Whether it has printed what the book doesn't show. */
  #isMismatched = false;

  /**
   * @param {Action} action
   * @param {Workplace} workplace
   * @param {FileSet} files  what stands in the reader's folder
   * @param {{ isStrict?: boolean }} [options]  whether a part of it that fails,
   *   before a pipe or in a loop, makes all of it fail
   */
  constructor({ command, line }, workplace, files, { isStrict = false } = {}) {
    const { folder, env, ports } = workplace;
    this.text = command;
    this.line = line;
    this.#workplace = workplace;
    this.#files = files;
    const real = ports.toRealPorts(command);
    const script = isStrict ? `set -e -o pipefail\n${real}` : real;
    this.#running = new RunningCommand(script, { cwd: folder, env });
  }

  get isRunning() {
    return this.#running.isRunning;
  }

  /** Whether it failed with a stack trace: what follows only repeats that. */
  get hasCrashed() {
    const { isRunning, succeeded, output } = this.#running;
    if (isRunning || succeeded) return false;
    const lines = this.#workplace.asReader(output).split("\n");
    return traceToListings(lines, this.#files).first !== undefined;
  }

  /**
   * @param {number} limit  milliseconds
   * @returns {Promise<boolean>} whether it ended by itself
   */
  waitForEnd(limit) {
    return this.#running.waitUntil(() => !this.isRunning, limit);
  }

  /**
   * Presses Ctrl-C. What was printed before it counts as seen.
   *
   * @param {number} [limit]  milliseconds to wait for its end
   * @returns {Promise<boolean>} whether it listened
   */
  async interrupt(limit) {
    // What a request has made a server say may still be in the pipe.
    await this.#running.waitUntil(() => !this.isRunning, LAST_WORDS);
    this.#shown = this.#running.output.length;
    this.endIsReported = true;
    return this.#running.interrupt(limit);
  }

  /**
   * Waits for the output that the book shows, and then looks whether there is
   * more.
   *
   * @param {Fence} fence
   * @param {Action} action
   * @param {{ limit: number, hasToEnd: boolean, accept: boolean }} options
   *   `hasToEnd`: whether another command is typed after it; `accept`: whether
   *   all that it prints is asked for
   * @returns {Promise<Mismatch | undefined>}
   */
  async compare(fence, action, { limit, hasToEnd, accept }) {
    const running = this.#running;
    const expected = normalise(action.output);
    const state = () => matchLines(expected, normalise(this.unseen()), running.output);
    const isDecided = () => !running.isRunning || (!hasToEnd && state() !== "waiting");
    await running.waitUntil(isDecided, limit);
    const isSilent = action.kind === "run" && expected.length === 0;
    await running.settle(isSilent ? SILENT : SETTLE);
    if (accept && state() !== "equal") await running.settle(ACCEPT);
    const printed = this.unseen();
    const got = normalise(printed);
    this.#shown = running.output.length;
    const result = matchLines(expected, got, running.output);
    if (result === "equal") return undefined;
    this.#isMismatched = !accept;

    const index = firstMismatch(expected, got);
    const last = Math.max(0, action.output.length - 1);
    const line = action.outputLine + (expected[index]?.index ?? last);
    const isStillWaiting = result === "waiting" && running.isRunning;
    const what = isStillWaiting
      ? `still waiting after ${limit / 1000} s for what \`${this.text}\` should print`
      : `\`${this.text}\` didn't print what stands here`;
    const details = [
      ...showMismatch(expected, got, index),
      ...(this.hasCrashed ? this.#showPrinted(printed).lines : []),
      ...this.#hints(action.output.join("\n")),
    ];
    const problem = new Problem(
      fence.chapter,
      action.output.length ? line : action.line,
      what,
      details,
    );
    return { got: printed, problem };
  }

  /**
   * Waits for its end, whatever it prints.
   *
   * @param {Fence} fence
   * @param {Action} action
   * @param {number} limit  milliseconds
   * @returns {Promise<string[]>} all that it printed
   * @throws {Problem} when it fails, or doesn't end
   */
  async printAll(fence, action, limit) {
    const hasEnded = await this.waitForEnd(limit);
    const printed = this.unseen();
    const ending = hasEnded ? `ended with ${this.#ending}` : `still runs after ${limit / 1000} s`;
    // What it left in the background has to go too.
    await this.interrupt(0);
    if (hasEnded && this.#running.succeeded) return printed;
    const { lines } = this.#showPrinted(printed);
    throw new Problem(fence.chapter, action.line, `\`${this.text}\` ${ending}`, lines);
  }

  /**
   * Checks how it ended, if it did.
   *
   * @param {Fence} fence
   * @param {Action} action
   * @param {{ limit: number, shouldFail: boolean }} options
   * @throws {Problem}
   */
  async checkEnding(fence, action, { limit, shouldFail }) {
    if (shouldFail) await this.waitForEnd(limit);
    /** @param {string} what @param {string[]} [details] */
    const problem = (what, details) =>
      new Problem(fence.chapter, action.line, `\`${this.text}\` ${what}`, details);
    this.endIsReported = !this.isRunning;
    if (shouldFail && this.isRunning) {
      throw problem(`should have failed, but it still runs after ${limit / 1000} s`);
    }
    if (shouldFail && this.#running.succeeded) {
      throw problem("should have failed, but it exited with code 0");
    }
    if (!shouldFail && !this.isRunning && !this.#running.succeeded) {
      throw problem(`ended with ${this.#ending}`, [
        "a fence whose last command has to fail says so: ```console fails",
      ]);
    }
  }

  /**
   * That it has ended since, where the book doesn't show it: told once.
   *
   * @param {{ file: string, line: number }} place  in the chapter
   * @returns {Promise<Problem | undefined>}
   */
  async takeUnseenEnd({ file, line }) {
    // It may be about to end: what killed it can be seen before its exit is.
    await this.#running.settle(SETTLE * 2);
    if (this.isRunning || this.endIsReported) return undefined;
    // What comes after a difference that was told is no news, but for its cause.
    if (this.#isMismatched && !this.hasCrashed) return undefined;
    this.endIsReported = true;
    const unseen = this.unseen();
    if (this.#running.succeeded && unseen.length === 0) return undefined;
    const { lines, first } = this.#showPrinted(unseen);
    return new Problem(
      first?.chapter ?? file,
      first?.line ?? line,
      `\`${this.text}\` of line ${this.line} ended with ${this.#ending} by itself, ` +
        "and the book doesn't show it",
      lines,
    );
  }

  /** An error that it printed and went on running, as a hint. */
  showUnseenError() {
    const unseen = this.isRunning ? this.unseen() : [];
    const start = unseen.findIndex((line) => /\b\w*Error\b/.test(line));
    if (start === -1) return [];
    const { lines } = traceToListings(unseen.slice(start, start + MOST_LINES), this.#files);
    return [`\`${this.text}\` of line ${this.line} printed meanwhile:`, ...lines];
  }

  /** The lines that were printed and not yet shown. */
  unseen() {
    const output = this.#running.output.slice(this.#shown);
    if (output === "") return [];
    return this.#workplace.asReader(output.replace(/\r?\n$/, "")).split("\n");
  }

  get #ending() {
    const { ending } = this.#running;
    return typeof ending === "number" ? `exit code ${ending}` : ending;
  }

  /** @param {string[]} printed */
  #showPrinted(printed) {
    const { lines, first } = traceToListings(printed.slice(0, MOST_LINES), this.#files);
    return { lines: lines.length === 0 ? [] : ["it printed:", ...lines], first };
  }

  /** @param {string} expected */
  #hints(expected) {
    const { output } = this.#running;
    if (!output.includes("EADDRINUSE") || expected.includes("EADDRINUSE")) return [];
    const port = /EADDRINUSE: address already in use \S*?(\d+)$/m.exec(output)?.[1];
    return [
      `port ${port ?? ""} is taken: end the server that has it with ^C, ` +
        "or see whether another program on this machine listens there",
    ];
  }
}

/**
 * @param {{ text: string }[]} expected
 * @param {{ text: string }[]} got
 * @param {string} output  as it was printed
 * @returns {"equal" | "waiting" | "different"} waiting: equal so far
 */
function matchLines(expected, got, output) {
  const index = firstMismatch(expected, got);
  if (index === expected.length && index === got.length) return "equal";
  const whole = output.endsWith("\n") ? got.length : got.length - 1;
  return index >= whole && got.length <= expected.length ? "waiting" : "different";
}

/**
 * @param {{ text: string }[]} expected
 * @param {{ text: string }[]} got
 * @returns {number} how many lines are equal before one isn't
 */
function firstMismatch(expected, got) {
  const index = firstDifference(textsOf(expected), textsOf(got));
  return index === -1 ? expected.length : index;
}

/** @param {{ text: string }[]} lines */
function textsOf(lines) {
  return lines.map(({ text }) => text);
}

/**
 * @param {{ text: string }[]} expected
 * @param {{ text: string }[]} got
 * @param {number} index  of the first difference
 */
function showMismatch(expected, got, index) {
  const indented = (/** @type {{ text: string }} */ { text }) => `          ${text}`;
  return [
    ...expected.slice(Math.max(0, index - 2), index).map(indented),
    ...showDifference(expected[index]?.text, got[index]?.text),
    ...got.slice(index + 1, index + 4).map(indented),
  ];
}
