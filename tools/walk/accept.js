import { diffArrays } from "diff";
import { normalise, RULES } from "./normalise.js";

/** @import { Fence } from "../book/fence.js" */
/** @import { Action } from "../book/transcript.js" */

/**
 * An output of the book and what was printed instead.
 *
 * @typedef {{ fence: Fence, action: Action, got: string[] }} Correction
 */

/**
 * Writes what was printed into a chapter. What can't be equal from run to run
 * stays as the book has it.
 *
 * @param {string} text  of the chapter
 * @param {Correction[]} corrections
 * @returns {string}
 */
export function acceptCorrections(text, corrections) {
  const lines = text.split("\n");
  const fromLast = corrections.toSorted((a, b) => b.action.outputLine - a.action.outputLine);
  for (const { fence, action, got } of fromLast) {
    const prefix = prefixOf(lines[fence.line - 1]);
    const accepted = acceptOutput(action.output, got).map((line) => (prefix + line).trimEnd());
    lines.splice(action.outputLine - 1, action.output.length, ...accepted);
  }
  return lines.join("\n");
}

/**
 * What the book has to show.
 *
 * @param {string[]} book  what it shows
 * @param {string[]} got  what was printed
 * @returns {string[]}
 */
export function acceptOutput(book, got) {
  const shown = splitNormalised(book);
  const printed = splitNormalised(got);
  const changes = diffArrays(
    shown.map(({ text }) => text),
    printed.map(({ text }) => text),
  );
  /** @type {string[]} */
  const result = [];
  let old = 0;
  let fresh = 0;
  let removed = 0;
  for (const { added, removed: isRemoved, count = 0 } of changes) {
    if (isRemoved) {
      removed = count;
      old += count;
      continue;
    }
    for (let index = 0; index < count; index++) {
      if (!added) {
        result.push(...shown[old++].lines);
        fresh++;
      } else {
        const before = index < removed ? shown[old - removed + index].lines : [];
        const { lines } = printed[fresh++];
        result.push(...lines.map((line, at) => keepVariable(before[at] ?? "", line)));
      }
    }
    removed = 0;
  }
  return result;
}

/**
 * The lines, each with what it is compared by. Frames inside Node are one.
 *
 * @param {string[]} lines
 */
function splitNormalised(lines) {
  let start = 0;
  return normalise(lines).map(({ text, index }) => {
    const part = { text, lines: lines.slice(start, index + 1) };
    start = index + 1;
    return part;
  });
}

/**
 * Takes over from the book's line what varies, a date or a duration, where the
 * new line has as many of its kind.
 *
 * @param {string} book
 * @param {string} line
 */
function keepVariable(book, line) {
  let text = line;
  for (const { pattern } of RULES) {
    const kept = book.match(pattern) ?? [];
    if (kept.length !== (text.match(pattern) ?? []).length) continue;
    let index = 0;
    text = text.replace(pattern, () => kept[index++]);
  }
  return text;
}

/**
 * What stands before each line of a fence, in a list or a quotation.
 *
 * @param {string} opening  the fence's first line
 */
function prefixOf(opening) {
  const [before] = opening.split(/`{3}|~{3}/, 1);
  return before.replace(/[^>]/g, " ");
}
