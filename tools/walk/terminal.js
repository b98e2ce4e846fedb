import { Problem } from "../book/problem.js";
import { normalise } from "./normalise.js";
import { RunningCommand } from "./processes.js";

/** @import { Fence } from "../book/fence.js" */
/** @import { Action } from "../book/transcript.js" */
/** @import { Workplace } from "./workplace.js" */

/** How long to look whether a command prints more than the book shows. */
const SETTLE = 150;

/** How long a command that prints nothing has to end before it is left running. */
const SILENT = 1_000;

/**
 * One of the reader's terminals. At most one command runs in it at a time, and
 * what that prints is compared with the book as the book shows it.
 */
export class Terminal {
  /** @type {RunningCommand | undefined} */
  #command;
  /** The command as it was typed. */
  #typed = "";
  /** The chapter's line where it was typed. */
  #typedAt = 0;
  /** How much of its output the book has shown. */
  #shown = 0;
  /** Files that listings changed since it was typed. @type {Map<string, number>} */
  #changedSince = new Map();
  /** Whether its end has been told. */
  #isOver = true;
  /** @type {Problem[]} */
  #problems = [];

  /**
   * @param {number} number  1 for the first
   * @param {Workplace} workplace
   * @param {number} limit  milliseconds to wait for an output
   */
  constructor(number, workplace, limit) {
    this.number = number;
    this.workplace = workplace;
    this.limit = limit;
  }

  /**
   * Does what a fence says, and compares.
   *
   * @param {Fence} fence
   * @param {Action[]} actions
   * @returns {Promise<Problem[]>}
   */
  async follow(fence, actions) {
    const limit = fence.timeout ? fence.timeout * 1000 : this.limit;
    for (const [index, action] of actions.entries()) {
      const isLast = index === actions.length - 1;
      const nextKind = actions[index + 1]?.kind;
      try {
        if (action.kind === "run") {
          await this.#run(fence, action, limit);
        } else if (action.kind === "interrupt") {
          await this.#interrupt(fence, action, limit);
        } else if (!this.#command) {
          throw new Problem(fence.chapter, fence.line, `nothing runs in terminal ${this.number}`, [
            "a fence without a `$ ` line goes on with the output of a running command",
          ]);
        }
        await this.#compare(fence, action, limit, nextKind === "run");
        if (action.kind !== "interrupt" && nextKind !== "interrupt") {
          await this.#checkEnding(fence, action, limit, fence.fails && isLast);
        }
      } catch (err) {
        if (!(err instanceof Problem)) throw err;
        this.#problems.push(err);
        // Said once: it isn't reported again as an end that nobody saw.
        if (!this.#command?.isRunning) this.#isOver = true;
      }
    }
    return this.#problems.splice(0);
  }

  /**
   * Notes that a listing changed a file, to explain a transcript that comes
   * from a server that hasn't read it.
   *
   * @param {string} path
   * @param {number} line
   */
  fileChanged(path, line) {
    if (this.#command?.isRunning) this.#changedSince.set(path, line);
  }

  /** What a listing changed while the command ran, as a hint. */
  get staleHint() {
    if (!this.#command?.isRunning || this.#changedSince.size === 0) return [];
    const changes = [...this.#changedSince].map(([path, line]) => `${path} (line ${line})`);
    return [
      `\`${this.#typed}\` still runs in terminal ${this.number} since line ${this.#typedAt}, ` +
        `from before ${changes.join(", ")} changed`,
    ];
  }

  /**
   * Ends what still runs when the chapter is over.
   *
   * @param {string} chapter
   * @returns {Promise<Problem[]>}
   */
  async close(chapter) {
    // It may be about to end: what killed it can be seen before its exit is.
    await this.#command?.settle(SETTLE * 2);
    this.#reportUnseenEnd(chapter, this.#typedAt);
    await this.#command?.interrupt();
    return this.#problems.splice(0);
  }

  /**
   * @param {Fence} fence
   * @param {Action} action
   * @param {number} limit
   */
  async #run(fence, action, limit) {
    await this.#makeRoom(fence, action, limit);
    const { folder, env, ports } = this.workplace;
    this.#command = new RunningCommand(ports.intoCommand(action.command), { cwd: folder, env });
    this.#typed = action.command;
    this.#typedAt = action.line;
    this.#shown = 0;
    this.#isOver = false;
    this.#changedSince.clear();
  }

  /**
   * Waits for the command before, or stops it when this one starts it again.
   *
   * @param {Fence} fence
   * @param {Action} action
   * @param {number} limit
   */
  async #makeRoom(fence, action, limit) {
    const before = this.#command;
    if (!before) return;
    if (before.isRunning && action.command === this.#typed) {
      this.#isOver = true;
      await before.interrupt(limit);
      return;
    }
    if (!(await before.waitUntil(() => !before.isRunning, limit))) {
      throw new Problem(
        fence.chapter,
        action.line,
        `terminal ${this.number} is busy: \`${this.#typed}\` of line ${this.#typedAt} still runs`,
        ["type this in another terminal (terminal=2), or end that with ^C before"],
      );
    }
    this.#reportUnseenEnd(fence.chapter, action.line);
    // What it left in the background has to go too.
    await before.interrupt(0);
  }

  /**
   * @param {Fence} fence
   * @param {Action} action
   * @param {number} limit
   */
  async #interrupt(fence, action, limit) {
    const command = this.#command;
    if (!command?.isRunning) {
      const details = this.#typed === "" ? [] : [`\`${this.#typed}\` has ended before`];
      throw new Problem(
        fence.chapter,
        action.line,
        `^C, but nothing runs in terminal ${this.number}`,
        details,
      );
    }
    this.#shown = command.output.length;
    this.#isOver = true;
    if (!(await command.interrupt(limit))) {
      throw new Problem(
        fence.chapter,
        action.line,
        `\`${this.#typed}\` didn't end on ^C within ${limit / 1000} s`,
      );
    }
  }

  /**
   * Waits for the output that the book shows, and then looks whether there is
   * more.
   *
   * @param {Fence} fence
   * @param {Action} action
   * @param {number} limit
   * @param {boolean} hasToEnd  whether another command is typed after it
   */
  async #compare(fence, action, limit, hasToEnd) {
    const command = /** @type {RunningCommand} */ (this.#command);
    const expected = normalise(action.output);
    const state = () => matchLines(expected, normalise(this.#unseen()));
    const isDecided = () => !command.isRunning || (!hasToEnd && state() !== "waiting");
    await command.waitUntil(isDecided, limit);
    const isSilent = action.kind === "run" && expected.length === 0;
    await command.settle(isSilent ? SILENT : SETTLE);
    const got = normalise(this.#unseen());
    this.#shown = command.output.length;
    const result = matchLines(expected, got);
    if (result === "equal") return;

    const index = firstDifference(expected, got);
    const line = action.line + 1 + (expected[index]?.index ?? action.output.length - 1);
    const isStillWaiting = result === "waiting" && command.isRunning;
    const what = isStillWaiting
      ? `still waiting after ${limit / 1000} s for what \`${this.#typed}\` should print`
      : `\`${this.#typed}\` didn't print what stands here`;
    throw new Problem(fence.chapter, Math.max(line, action.line), what, [
      ...showDifference(expected, got, index),
      ...this.#hints(expected.map(({ text }) => text).join("\n")),
    ]);
  }

  /**
   * @param {Fence} fence
   * @param {Action} action
   * @param {number} limit
   * @param {boolean} shouldFail
   */
  async #checkEnding(fence, action, limit, shouldFail) {
    const command = /** @type {RunningCommand} */ (this.#command);
    if (shouldFail) await command.waitUntil(() => !command.isRunning, limit);
    if (command.isRunning) {
      if (!shouldFail) return;
      throw new Problem(
        fence.chapter,
        action.line,
        `\`${this.#typed}\` should have failed, but it still runs after ${limit / 1000} s`,
      );
    }
    this.#isOver = true;
    if (shouldFail && command.succeeded) {
      throw new Problem(
        fence.chapter,
        action.line,
        `\`${this.#typed}\` should have failed, but it exited with code 0`,
      );
    }
    if (!shouldFail && !command.succeeded) {
      throw new Problem(
        fence.chapter,
        action.line,
        `\`${this.#typed}\` ended with ${endingOf(command)}`,
        ["a fence whose last command has to fail says so: ```console fails"],
      );
    }
  }

  /**
   * A command that was left running and has failed since: the book has to show
   * that.
   *
   * @param {string} chapter
   * @param {number} line
   */
  #reportUnseenEnd(chapter, line) {
    const command = this.#command;
    if (!command || command.isRunning || this.#isOver) return;
    this.#isOver = true;
    const unseen = this.#unseen();
    if (command.succeeded && unseen.length === 0) return;
    const printed = unseen.length === 0 ? [] : ["it printed:", ...unseen.slice(0, 12)];
    this.#problems.push(
      new Problem(
        chapter,
        line,
        `\`${this.#typed}\` of line ${this.#typedAt} ended with ${endingOf(command)} by itself, ` +
          "and the book doesn't show it",
        printed,
      ),
    );
  }

  /** The lines that were printed and not yet shown. */
  #unseen() {
    const output = this.#command?.output.slice(this.#shown) ?? "";
    if (output === "") return [];
    return this.workplace.asReader(output.replace(/\r?\n$/, "")).split("\n");
  }

  /** @param {string} expected */
  #hints(expected) {
    const output = this.#command?.output ?? "";
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
 * @returns {"equal" | "waiting" | "different"} waiting: equal so far
 */
function matchLines(expected, got) {
  const index = firstDifference(expected, got);
  if (index === expected.length && index === got.length) return "equal";
  // The last line may not have been printed to its end.
  return index >= got.length - 1 && got.length <= expected.length ? "waiting" : "different";
}

/**
 * @param {{ text: string }[]} expected
 * @param {{ text: string }[]} got
 */
function firstDifference(expected, got) {
  let index = 0;
  while (index < expected.length && expected[index].text === got[index]?.text) index++;
  return index;
}

/**
 * @param {{ text: string }[]} expected
 * @param {{ text: string }[]} got
 * @param {number} index  of the first difference
 */
function showDifference(expected, got, index) {
  const show = (/** @type {{ text: string } | undefined} */ line) => {
    if (line === undefined) return "(nothing more)";
    return line.text === "" ? "(an empty line)" : line.text;
  };
  const before = expected
    .slice(Math.max(0, index - 2), index)
    .map((line) => `          ${line.text}`);
  const after = got.slice(index + 1, index + 4).map((line) => `          ${line.text}`);
  return [
    ...before,
    `expected  ${show(expected[index])}`,
    `got       ${show(got[index])}`,
    ...after,
  ];
}

/** @param {RunningCommand} command */
function endingOf(command) {
  return typeof command.ending === "number" ? `exit code ${command.ending}` : command.ending;
}
