import { outlineOf } from "./outline.js";
import { Problem } from "./problem.js";

/** @import { AppliedHunk } from "./diff.js" */
/** @import { Fence } from "./fence.js" */
/** @import { Line } from "./file-set.js" */
/** @import { Entry, Outline } from "./outline.js" */

/**
 * The file before or after a diff, and what a hunk changed there. Lines count
 * from 1.
 *
 * @typedef {object} View
 * @property {string[]} lines
 * @property {Outline} outline
 * @property {{ from: number, to: number }} [changed]  the lines that the hunk
 *   removed (before) or added (after), if there are any
 * @property {{ from: number, to: number }} hunk  with its context
 *
 * How a hunk can lie to something.
 *
 * @typedef {"in" | "end" | "above" | "below" | "at" | "comment"} Relation
 */

/** How a place can begin. What follows is a name, or `the` and what it is. */
const RELATIONS = /** @type {[string, Relation][]} */ ([
  ["at the end of ", "end"],
  ["at the top of ", "in"],
  ["the end of ", "end"],
  ["the comment of ", "comment"],
  ["instead of ", "at"],
  ["above ", "above"],
  ["before ", "above"],
  ["below ", "below"],
  ["after ", "below"],
  ["around ", "at"],
  ["further down in ", "in"],
  ["in ", "in"],
]);

/** Places that speak of the hunk before, or of what the text speaks of. */
const POINTING = ["at its end", "at its top", "above it", "below it", "in it", "further down"];

/**
 * Words of a place that needn't stand in the file. Others have to, and so a
 * slip is seen.
 */
const WORDS = new Set(
  (
    "the a an and it new of over for each in to with that is are made where which " +
    "first second third last next other whole both " +
    "file line lines import imports export exports class classes constructor function functions " +
    "method methods handler handlers callback property properties private public state states " +
    "type types comment argument arguments parameter parameters option options " +
    "variable variables constant constants import loop list table object array switch case " +
    "branch condition body field fields pattern patterns value values name names head top end connection connections request requests response " +
    "message messages error errors route routes server client test tests"
  ).split(" "),
);

/** A name as code has it, perhaps with a call's parentheses, or a route's path. */
const NAME = /^(#?[A-Za-z_$][\w$]*(?:\.#?[\w$]+)*|\/\S*?)(?:\(\))?$/;

/** What may stand between "the" and a name. */
const KINDS = new Map([
  ["class", "class"],
  ["function", "function"],
  ["method", "function"],
  ["type", "type"],
]);

/** How many lines may follow the changed ones "at the end" of something. */
const LAST_LINES = 4;

/** What a place can be, for messages. */
const HELP = [
  "a place is `in NAME`, `above NAME`, `below NAME`, `at the end of NAME`, `NAME`, `the imports`,",
  "`at the top`, ... or says in words of the file where it is: see CONTRIBUTING.md",
];

/**
 * Checks that the words between the `@@` of each hunk say where it is: names
 * have to be there, in the file before or after the diff, and where the words
 * say.
 *
 * @param {Fence} fence
 * @param {AppliedHunk[]} hunks
 * @param {{ before: Line[], after: Line[] }} file  which parses
 * @throws {Problem}
 */
export function checkPlaces(fence, hunks, file) {
  for (const applied of hunks) {
    if (applied.hunk.place) checkPlace(fence, applied, file);
  }
}

/**
 * @param {Fence} fence
 * @param {AppliedHunk} applied
 * @param {{ before: Line[], after: Line[] }} file
 */
function checkPlace(fence, applied, file) {
  const { hunk } = applied;
  const path = fence.file ?? "";
  const views = [
    viewOf(file.before, path, applied.old, new Set(applied.made)),
    viewOf(file.after, path, applied.made, new Set(applied.old)),
  ];
  for (const part of hunk.place.split(", ")) {
    const reason = whyNot(part, views, path);
    const isBoth = part.split(" and ").every((each) => whyNot(each, views, path) === undefined);
    if (reason === undefined || isBoth) continue;
    throw new Problem(fence.chapter, hunk.line - 1, `\`@@ ${hunk.place} @@\`: ${reason}`, HELP);
  }
}

/**
 * @param {Line[]} file
 * @param {string} path
 * @param {Line[]} lines  of the hunk, as they stand in the file
 * @param {Set<Line>} others  that stand there on the diff's other side too
 * @returns {View}
 */
function viewOf(file, path, lines, others) {
  const numbers = new Map(file.map((line, index) => [line, index + 1]));
  /** @param {Line[]} some */
  const rangeOf = (some) => {
    const found = some.map((line) => numbers.get(line)).filter((number) => number !== undefined);
    return { from: Math.min(...found), to: Math.max(...found) };
  };
  const own = lines.filter((line) => numbers.has(line) && !others.has(line));
  const told = own.filter(({ text }) => text.trim() !== "");
  const texts = file.map(({ text }) => text);
  return {
    lines: texts,
    outline: outline(file, path),
    changed: own.length === 0 ? undefined : rangeOf(told.length === 0 ? own : told),
    hunk: rangeOf(lines),
  };
}

/** Of files that were asked for: a diff's hunks share theirs. @type {WeakMap<Line[], Outline>} */
const outlines = new WeakMap();

/**
 * @param {Line[]} file
 * @param {string} path
 */
function outline(file, path) {
  const known = outlines.get(file);
  if (known) return known;
  const made = outlineOf(
    file.map(({ text }) => text),
    path,
  );
  outlines.set(file, made);
  return made;
}

/**
 * @param {string} place
 * @param {View[]} views
 * @param {string} path
 * @returns {string | undefined}  why the hunk isn't there
 */
function whyNot(place, views, path) {
  if (POINTING.includes(place)) return undefined;
  if (place === "at the top") return holds(views, isAtTop) ? undefined : "it isn't there";
  if (place === "at the end") return whyNot("at the end of the file", views, path);
  const [, first, last] = /^from (\S+) to (\S+)$/.exec(place) ?? [];
  if (first) return whyNot(first, views, path) ?? whyNot(last, views, path);
  const subject = /^where (.+) (?:is|are) made$/.exec(place)?.[1];
  if (subject) return whyNot(`in ${subject}`, views, path) && whyNot(subject, views, path);

  const [words, relation] = RELATIONS.find(([start]) => place.startsWith(start)) ?? ["", "at"];
  const target = place.slice(words.length);
  if (!target.startsWith("the ")) {
    const name = NAME.exec(target)?.[1];
    if (!name) return `"${target}" is no name, and doesn't begin with "the"`;
    return whyNotAt(relation, name, views, path, (entry) => entry.name === name);
  }
  return whyNotThe(relation, target.slice("the ".length), views, path);
}

/**
 * @param {Relation} relation
 * @param {string} what  after "the"
 * @param {View[]} views
 * @param {string} path
 * @returns {string | undefined}
 */
function whyNotThe(relation, what, views, path) {
  const [kind, name, ...more] = what.split(" ");
  if (KINDS.has(kind) && NAME.test(name ?? "") && !WORDS.has(name) && more.length === 0) {
    const isMeant = (/** @type {Entry} */ it) => it.kind === KINDS.get(kind) && it.name === name;
    return whyNotAt(relation, name, views, path, isMeant);
  }
  switch (what) {
    case "file":
      return whyNotAt(relation, "the file", views, path);
    case "constructor":
      return whyNotAt(relation, "constructor", views, path, (it) => it.name === "constructor");
    case "class":
      return whyNotAt(relation, "the class", views, path, (it) => it.kind === "class");
    case "function":
      return whyNotAt(relation, "the function", views, path, (it) => it.kind === "function");
    case "import": {
      const isImport = (/** @type {Entry} */ { kind, name }) => kind === "import" && name !== "";
      const isOne = views.some((view) => entriesOf(view, isImport).length === 1);
      if (!isOne) return 'say "the imports", or which one';
      return whyNotAt(relation, "the import", views, path, isImport);
    }
    case "imports":
      return whyNotAt(relation, "the imports", views, path, (it) => it.kind === "import");
    case "type":
    case "types":
      return whyNotAt(relation, `the ${what}`, views, path, (it) => it.kind === "type");
    case "private properties": {
      const isPrivate = (/** @type {Entry} */ { kind, name }) =>
        kind === "property" && name.startsWith("#");
      return whyNotAt(relation, "the private properties", views, path, isPrivate);
    }
    case "comment":
      return holds(views, isInComment) ? undefined : "it changes no comment";
    default:
      return strangeWord(what, views, path);
  }
}

/**
 * @param {Relation} relation
 * @param {string} title
 * @param {View[]} views
 * @param {string} path
 * @param {(entry: Entry) => boolean} [isMeant]  the whole file, if left out
 */
function whyNotAt(relation, title, views, path, isMeant) {
  const all = views.flatMap((view) => entriesOf(view, isMeant).map((entry) => ({ entry, view })));
  if (all.length === 0) {
    const isThere = views.some(({ lines }) => lines.some((line) => hasWord(line, title)));
    if (!isThere) return `there is no ${title} in ${path}`;
    const isNear = views.some(({ lines, hunk }) =>
      lines.slice(hunk.from - 1, hunk.to).some((line) => hasWord(line, title)),
    );
    return isNear ? undefined : `${title} isn't near`;
  }
  if (all.some(({ entry, view }) => lies(relation, entry, view))) return undefined;
  const [{ entry }] = all;
  const lines = entry.start === entry.end ? `${entry.start}` : `${entry.start} to ${entry.end}`;
  return `this isn't it, for ${title} is line ${lines} of ${path}`;
}

/**
 * @param {View} view
 * @param {(entry: Entry) => boolean} [isMeant]
 * @returns {Entry[]}
 */
function entriesOf({ lines, outline }, isMeant) {
  if (isMeant) return outline.entries.filter(isMeant);
  return [{ name: "", kind: "variable", top: 1, start: 1, end: lines.length }];
}

/**
 * @param {Relation} relation
 * @param {Entry} entry
 * @param {View} view
 * @returns {boolean}
 */
function lies(relation, { top, start, end }, { lines, changed, hunk }) {
  const { from, to } = changed ?? { from: Number.NaN, to: Number.NaN };
  const isBare = (/** @type {number} */ first, /** @type {number} */ last) =>
    lines.slice(first - 1, last).every((line) => line.trim() === "");
  switch (relation) {
    case "in":
      return top <= from && from <= end;
    case "end":
      return top <= from && from <= end && end - to < LAST_LINES;
    case "above":
      return from < start && isBare(to + 1, top - 1);
    case "below":
      return from > end && isBare(end + 1, from - 1);
    case "comment":
      return from < start && to >= top;
    case "at":
      return changed !== undefined && hunk.from <= end + 1 && hunk.to >= top - 1;
  }
}

/** @param {View} view  with something changed */
function isAtTop({ lines, outline, changed }) {
  const from = changed?.from ?? Number.NaN;
  return lines.slice(0, from - 1).every((line, index) => {
    if (line.trim() === "" || line.startsWith("#!") || outline.comments.has(index + 1)) return true;
    return outline.entries.some(
      ({ kind, start, end }) => kind === "import" && start <= index + 1 && index + 1 <= end,
    );
  });
}

/** @param {View} view  with something changed */
function isInComment({ outline, changed }) {
  const { from, to } = changed ?? { from: 0, to: 0 };
  for (let line = from; line <= to; line++) if (outline.comments.has(line)) return true;
  return false;
}

/**
 * @param {View[]} views
 * @param {(view: View) => boolean} condition
 */
function holds(views, condition) {
  return views.some((view) => view.changed !== undefined && condition(view));
}

/**
 * @param {string} words  that say in prose where a hunk is
 * @param {View[]} views
 * @param {string} path
 */
function strangeWord(words, views, path) {
  const texts = views.flatMap(({ lines }) => lines);
  const strange = words.split(" ").find((word) => {
    if (WORDS.has(word)) return false;
    const name = NAME.exec(word)?.[1];
    return !name || name.length < 4 || !texts.some((line) => hasWord(line, name));
  });
  if (strange === undefined) return undefined;
  return `"${strange}" is no word for a place, and doesn't stand in ${path}`;
}

/**
 * @param {string} line
 * @param {string} word
 */
function hasWord(line, word) {
  for (let at = line.indexOf(word); at !== -1; at = line.indexOf(word, at + 1)) {
    const around = (line[at - 1] ?? " ") + (line[at + word.length] ?? " ");
    if (!/[\w$#]/.test(around)) return true;
  }
  return false;
}
