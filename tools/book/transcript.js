import { Problem } from "./problem.js";

/** @import { Fence } from "./fence.js" */

/**
 * One thing that happens in a terminal, and the lines seen after it.
 *
 * - `run`: a command is typed
 * - `interrupt`: Ctrl-C ends the running command
 * - `continue`: the running command printed more
 *
 * @typedef {object} Action
 * @property {"run" | "interrupt" | "continue"} kind
 * @property {number} line  the chapter's line
 * @property {string} command  empty unless `run`
 * @property {string[]} output
 * @property {number} outputLine  the chapter's line where that begins
 */

/**
 * Takes a console fence apart.
 *
 * @param {Fence} fence
 * @returns {Action[]}
 * @throws {Problem} when a typed command isn't complete
 */
export function parseTranscript(fence) {
  /** @type {Action[]} */
  const actions = [];
  for (let index = 0; index < fence.lines.length; index++) {
    const text = fence.lines[index];
    const line = fence.line + 1 + index;
    if (text.startsWith("$ ")) {
      let command = text.slice(2);
      while (isIncomplete(command)) {
        index++;
        if (index === fence.lines.length) {
          throw new Problem(fence.chapter, line, "this command isn't complete", [command]);
        }
        command += `\n${fence.lines[index].replace(/^> /, "")}`;
      }
      const outputLine = fence.line + 2 + index;
      actions.push({ kind: "run", line, command, output: [], outputLine });
    } else if (text === "^C") {
      actions.push({ kind: "interrupt", line, command: "", output: [], outputLine: line + 1 });
    } else {
      if (actions.length === 0) {
        actions.push({
          kind: "continue",
          line: line - 1,
          command: "",
          output: [],
          outputLine: line,
        });
      }
      actions[actions.length - 1].output.push(text);
    }
  }
  return actions;
}

/**
 * Whether a shell would ask for another line: after a backslash, or inside
 * quotes.
 *
 * @param {string} command
 */
function isIncomplete(command) {
  let quote = "";
  for (let index = 0; index < command.length; index++) {
    const char = command[index];
    if (char === "\\" && quote !== "'") {
      index++;
      if (index === command.length) return true;
    } else if (quote === "" && (char === "'" || char === '"')) {
      quote = char;
    } else if (char === quote) {
      quote = "";
    }
  }
  return quote !== "";
}
