import { Problem } from "../book/problem.js";
import { TypedCommand } from "./typed-command.js";

/** @import { Fence } from "../book/fence.js" */
/** @import { FileSet } from "../book/file-set.js" */
/** @import { Action } from "../book/transcript.js" */
/** @import { Correction } from "./accept.js" */
/** @import { Workplace } from "./workplace.js" */

/** How long a measurement may take. */
const MEASURING = 600_000;

/**
 * One of the reader's terminals. At most one command runs in it at a time, and
 * what that prints is compared with the book as the book shows it.
 */
export class Terminal {
  /** The last one that was typed. @type {TypedCommand | undefined} */
  #command;

  /**
   * @param {number} number  1 for the first
   * @param {Workplace} workplace
   * @param {{ limit: number, accept?: boolean }} options  milliseconds to wait
   *   for an output; whether what is printed is right, and the book to be
   *   corrected
   */
  constructor(number, workplace, { limit, accept = false }) {
    this.number = number;
    this.workplace = workplace;
    this.limit = limit;
    this.accept = accept;
  }

  /**
   * Does what a fence says, and compares.
   *
   * @param {Fence} fence
   * @param {Action[]} actions
   * @param {FileSet} files  what stands in the reader's folder
   * @returns {Promise<{ problems: Problem[], corrections: Correction[] }>}
   */
  async follow(fence, actions, files) {
    const limit = fence.timeout ? fence.timeout * 1000 : this.limit;
    /** @type {Problem[]} */
    const problems = [];
    /** @type {Correction[]} */
    const corrections = [];
    for (const [index, action] of actions.entries()) {
      const next = actions[index + 1]?.kind;
      try {
        const command = await this.#commandFor(fence, action, limit, files, problems);
        const { accept } = this;
        const hasToEnd = next === "run";
        const mismatch = await command.compare(fence, action, { limit, hasToEnd, accept });
        if (mismatch && !accept) throw mismatch.problem;
        if (action.kind !== "interrupt" && next !== "interrupt") {
          const shouldFail = fence.fails && next === undefined;
          await command.checkEnding(fence, action, { limit, shouldFail });
        }
        if (mismatch) corrections.push({ fence, action, got: mismatch.got });
      } catch (err) {
        if (!(err instanceof Problem)) throw err;
        problems.push(err);
        // Said once: it isn't reported again as an end that nobody saw.
        if (this.#command && !this.#command.isRunning) this.#command.endIsReported = true;
      }
    }
    return { problems, corrections };
  }

  /**
   * Types a command and takes all that it prints, however long it runs.
   *
   * @param {Fence} fence
   * @param {Action} action
   * @param {FileSet} files  what stands in the reader's folder
   * @param {Workplace} workplace  where to type it
   * @returns {Promise<string[]>}
   * @throws {Problem} when it can't be typed, or fails
   */
  async measure(fence, action, files, workplace) {
    /** @type {Problem[]} */
    const problems = [];
    await this.#makeRoom(fence, action, this.limit, problems);
    if (problems.length > 0) throw problems[0];
    this.#command = new TypedCommand(action, workplace, files, { isStrict: true });
    return this.#command.printAll(fence, action, MEASURING);
  }

  /**
   * Notes that a listing changed a file, to explain a transcript that comes
   * from a server that hasn't read it.
   *
   * @param {string} path
   * @param {number} line
   */
  fileChanged(path, line) {
    if (this.#command?.isRunning) this.#command.changedSince.set(path, line);
  }

  /** What may explain another terminal's problem: an old server, or a log. */
  get hints() {
    const command = this.#command;
    if (!command?.isRunning) return [];
    if (command.changedSince.size === 0) return command.showUnseenError();
    const changes = [...command.changedSince].map(([path, line]) => `${path} (line ${line})`);
    return [
      ...command.showUnseenError(),
      `\`${command.text}\` still runs in terminal ${this.number} since line ${command.line}, ` +
        `from before ${changes.join(", ")} changed`,
    ];
  }

  /** Whether its command failed with a stack trace where it should not have. */
  get hasCrashed() {
    return this.#command?.hasCrashed ?? false;
  }

  /**
   * A command that was left running and has ended since: the book has to show
   * that.
   *
   * @param {string} chapter
   */
  async takeUnseenEnd(chapter) {
    const command = this.#command;
    return command?.takeUnseenEnd({ file: chapter, line: command.line });
  }

  /** Ends what still runs when the chapter is over. */
  async close() {
    await this.#command?.interrupt();
  }

  /**
   * The command whose output follows an action.
   *
   * @param {Fence} fence
   * @param {Action} action
   * @param {number} limit
   * @param {FileSet} files
   * @param {Problem[]} problems  to add to what the command before did
   * @returns {Promise<TypedCommand>}
   * @throws {Problem} when there is none
   */
  async #commandFor(fence, action, limit, files, problems) {
    const before = this.#command;
    switch (action.kind) {
      case "run":
        await this.#makeRoom(fence, action, limit, problems);
        this.#command = new TypedCommand(action, this.workplace, files);
        return this.#command;
      case "interrupt":
        if (!before?.isRunning) {
          throw new Problem(
            fence.chapter,
            action.line,
            `^C, but nothing runs in terminal ${this.number}`,
            before ? [`\`${before.text}\` has ended before`] : [],
          );
        }
        if (!(await before.interrupt(limit))) {
          throw new Problem(
            fence.chapter,
            action.line,
            `\`${before.text}\` didn't end on ^C within ${limit / 1000} s`,
          );
        }
        return before;
      case "continue":
        if (before) return before;
        throw new Problem(fence.chapter, fence.line, `nothing runs in terminal ${this.number}`, [
          "a fence without a `$ ` line goes on with the output of a running command",
        ]);
    }
  }

  /**
   * Waits for the command before, or stops it when this one starts it again.
   *
   * @param {Fence} fence
   * @param {Action} action
   * @param {number} limit
   * @param {Problem[]} problems
   */
  async #makeRoom(fence, action, limit, problems) {
    const before = this.#command;
    if (!before) return;
    if (before.isRunning && action.command === before.text) {
      await before.interrupt(limit);
      return;
    }
    if (!(await before.waitForEnd(limit))) {
      throw new Problem(
        fence.chapter,
        action.line,
        `terminal ${this.number} is busy: \`${before.text}\` of line ${before.line} still runs`,
        ["type this in another terminal (terminal=2), or end that with ^C before"],
      );
    }
    const unseen = await before.takeUnseenEnd({ file: fence.chapter, line: action.line });
    if (unseen) problems.push(unseen);
    // What it left in the background has to go too.
    await before.interrupt(0);
  }
}
