import { showDifference } from "./difference.js";
import { Problem } from "./problem.js";

/** @import { Fence } from "./fence.js" */
/** @import { Line } from "./file-set.js" */

/**
 * A part of a diff: the lines that must stand in the file, and those that
 * stand there afterwards.
 *
 * @typedef {object} Hunk
 * @property {number} line  the chapter's line where the hunk begins
 * @property {string} place  the words between `@@` and `@@`, "" when there are
 *   none
 * @property {{ sign: " " | "-" | "+", text: string, line: number }[]} lines
 *
 * A hunk and the lines that it took from the file and that it left there.
 *
 * @typedef {{ hunk: Hunk, old: Line[], made: Line[] }} AppliedHunk
 */

/** `@@` alone goes on in the same place. */
const PLACE = /^@@(?: (\S.*?) @@)?$/;

/**
 * Applies a diff fence to a file's lines, hunk after hunk, as a reader does.
 *
 * @param {Fence} fence
 * @param {Line[]} lines  the file before
 * @returns {{ lines: Line[], hunks: AppliedHunk[] }} the file after
 * @throws {Problem} when a hunk's context is missing or stands there twice
 */
export function applyDiff(fence, lines) {
  let after = lines;
  const hunks = parseHunks(fence).map((hunk) => {
    const result = applyHunk(fence, hunk, after);
    after = result.lines;
    return result.applied;
  });
  return { lines: after, hunks };
}

/**
 * Takes a diff fence apart.
 *
 * @param {Fence} fence
 * @returns {Hunk[]}
 * @throws {Problem} when a line of it isn't a diff's, or nothing is changed
 */
export function parseHunks(fence) {
  /** @type {Hunk[]} */
  const hunks = [];
  let hunk = startHunk(fence.line + 1, "");
  for (const [index, raw] of fence.lines.entries()) {
    const line = fence.line + 1 + index;
    if (raw.startsWith("@@")) {
      const place = PLACE.exec(raw);
      if (!place) {
        throw new Problem(fence.chapter, line, "a place stands between `@@ ` and ` @@`", [
          `got  ${raw}`,
        ]);
      }
      if (hunk.lines.length > 0) hunks.push(hunk);
      hunk = startHunk(line + 1, place[1] ?? "");
      continue;
    }
    // Editors trim the space of an empty context line.
    const sign = raw === "" ? " " : raw[0];
    if (sign !== " " && sign !== "-" && sign !== "+") {
      throw new Problem(
        fence.chapter,
        line,
        "a diff's line begins with a space, `-`, `+` or `@@`",
        [`got  ${raw}`],
      );
    }
    hunk.lines.push({ sign, text: raw.slice(1), line });
  }
  if (hunk.lines.length > 0) hunks.push(hunk);
  if (!hunks.some((each) => each.lines.some(({ sign }) => sign !== " "))) {
    throw new Problem(fence.chapter, fence.line, `this diff changes nothing in ${fence.file}`);
  }
  return hunks;
}

/**
 * @param {number} line
 * @param {string} place
 * @returns {Hunk}
 */
function startHunk(line, place) {
  return { line, place, lines: [] };
}

/**
 * @param {Fence} fence
 * @param {Hunk} hunk
 * @param {Line[]} lines
 * @returns {{ lines: Line[], applied: AppliedHunk }}
 */
function applyHunk(fence, hunk, lines) {
  const old = hunk.lines.filter(({ sign }) => sign !== "+");
  if (old.length === 0) {
    throw new Problem(
      fence.chapter,
      hunk.line,
      `this hunk doesn't say where in ${fence.file} it goes: add lines of context`,
    );
  }
  const places = [];
  for (let at = 0; at + old.length <= lines.length; at++) {
    if (old.every(({ text }, index) => lines[at + index].text === text)) places.push(at);
  }
  if (places.length === 0) throw missing(fence, hunk, old, lines);
  if (places.length > 1) {
    throw new Problem(
      fence.chapter,
      hunk.line,
      `the context of this hunk stands ${places.length} times in ${fence.file}: ` +
        "add a line that tells the places apart",
      [`it begins at the file's lines ${places.map((at) => at + 1).join(", ")}`],
    );
  }

  const [place] = places;
  /** @type {Line[]} */
  const made = [];
  let at = place;
  for (const { sign, text, line } of hunk.lines) {
    if (sign === " ") made.push(lines[at]);
    if (sign === "+") made.push({ text, chapter: fence.chapter, line });
    if (sign !== "+") at++;
  }
  return {
    lines: [...lines.slice(0, place), ...made, ...lines.slice(at)],
    applied: { hunk, old: lines.slice(place, at), made },
  };
}

/**
 * Names the first line that is not where the hunk wants it, at the place in
 * the file where most of the hunk fits.
 *
 * @param {Fence} fence
 * @param {Hunk} hunk
 * @param {Hunk["lines"]} old
 * @param {Line[]} lines
 */
function missing(fence, hunk, old, lines) {
  let best = { at: 0, fits: 0 };
  for (let at = 0; at < lines.length; at++) {
    const fits = old.filter(({ text }, index) => lines[at + index]?.text === text).length;
    if (fits > best.fits) best = { at, fits };
  }
  const message = `the context of this hunk isn't in ${fence.file}`;
  if (best.fits === 0) {
    return new Problem(fence.chapter, hunk.line, message, [
      `expected  ${old[0].text}`,
      "got       no line of the hunk stands in the file",
    ]);
  }
  const wrong = old.findIndex(({ text }, index) => lines[best.at + index]?.text !== text);
  const found = lines[best.at + wrong];
  return new Problem(fence.chapter, old[wrong].line, message, [
    ...showDifference(old[wrong].text, found?.text, "the end of the file"),
    ...(found
      ? [`          (line ${best.at + wrong + 1}, from ${found.chapter}:${found.line})`]
      : []),
  ]);
}
