import { Problem } from "./problem.js";

/**
 * A fenced block of a chapter and what its info string asks for.
 *
 * @typedef {object} Fence
 * @property {string} chapter  the chapter's file
 * @property {number} line  line of the opening fence, 1 for the first
 * @property {string} language
 * @property {string[]} lines  what stands between the fences
 * @property {string} [file]  the file that a listing makes or changes
 * @property {number} terminal  which of the reader's terminals, from 1
 * @property {boolean} fails  the last command has to exit non-zero
 * @property {number} [timeout]  seconds to wait for the output
 * @property {string} [raw]  committed file that holds the output
 */

/** What may follow each language. A language not listed here takes `file`. */
const OPTIONS = /** @type {Record<string, string[]>} */ ({
  console: ["terminal", "fails", "timeout", "raw"],
  diff: ["file"],
});

/**
 * Reads an info string such as `console terminal=2 fails`.
 *
 * @param {string} chapter
 * @param {number} line
 * @param {string} info  everything after the backticks
 * @param {string[]} lines
 * @returns {Fence}
 * @throws {Problem} when a word of it isn't known, or a value isn't valid
 */
export function parseFence(chapter, line, info, lines) {
  const [language = "", ...words] = info.trim().split(/\s+/);
  /** @type {Fence} */
  const fence = { chapter, line, language, lines, terminal: 1, fails: false };
  const allowed = OPTIONS[language] ?? ["file"];
  for (const word of words) {
    const equals = word.indexOf("=");
    const name = equals === -1 ? word : word.slice(0, equals);
    const value = equals === -1 ? undefined : word.slice(equals + 1);
    if (!allowed.includes(name)) {
      const known = allowed.map((option) => (option === "fails" ? option : `${option}=`));
      throw new Problem(
        chapter,
        line,
        `\`${word}\` is nothing that a ${language} fence knows: ${known.join(", ")}`,
      );
    }
    setOption(fence, name, value);
  }
  if (language === "diff" && fence.file === undefined) {
    throw new Problem(chapter, line, "a diff says which file it changes: ```diff file=NAME");
  }
  return fence;
}

/**
 * @param {Fence} fence
 * @param {string} name
 * @param {string | undefined} value
 */
function setOption(fence, name, value) {
  const { chapter, line } = fence;
  switch (name) {
    case "fails":
      if (value !== undefined) throw new Problem(chapter, line, "`fails` takes no value");
      fence.fails = true;
      break;
    case "terminal":
    case "timeout":
      if (!/^[1-9]\d{0,3}$/.test(value ?? "")) {
        throw new Problem(chapter, line, `\`${name}=\` takes a whole number from 1`);
      }
      fence[name] = Number(value);
      break;
    case "file":
    case "raw":
      if (!isInside(value ?? "")) {
        throw new Problem(
          chapter,
          line,
          `\`${name}=\` takes a path with forward slashes that stays inside the folder`,
        );
      }
      fence[name] = value;
      break;
  }
}

/** @param {string} path */
function isInside(path) {
  return path !== "" && path.split("/").every((part) => !["", ".", ".."].includes(part));
}
