import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sectionsOf, sectionWithListing } from "./links.js";
import { whyItDidNotLoad, withoutFolder } from "./loading.js";

/** @import { Milestone } from "../lib/milestones.js" */
/** @import { TestResult } from "../lib/test-run.js" */

/** So many failures of one section are told; the others are counted. */
const MOST_FAILURES = 3;

/** A value longer than this is cut, in lines. */
const MOST_LINES = 12;

/** What stands for the files where they can't even be loaded. */
const FILES = "Your files";

/**
 * Tells the outcome of a chapter's tests, section by section as they stand in
 * the chapter.
 *
 * @param {TestResult[]} results
 * @param {object} book
 * @param {string} book.root  the repository's root
 * @param {Milestone} book.milestone
 * @param {Milestone[]} book.milestones  all of them
 * @param {string} folder  the temporary one, which is left out of messages
 * @returns {string[]} lines to print
 */
export function report(results, { root, milestone, milestones }, folder) {
  const chapterSections = sectionsOf(root, milestone);
  const order = [...chapterSections.keys()];
  const sections = [...groupBy(results, sectionOf)].sort(
    ([a], [b]) => order.indexOf(a) - order.indexOf(b),
  );
  const hints = hintsOf(milestone);
  const soFar = milestones.filter(({ number }) => number <= milestone.number);
  const lines = [];
  for (const [name, tests] of sections) {
    const ran = tests.filter(({ status }) => status !== "skipped");
    const failed = ran.filter(({ status }) => status === "failed");
    if (ran.length === 0) continue;
    const mark = failed.length === 0 ? "✔" : "✖";
    lines.push(`${mark} ${name}: ${ran.length - failed.length} of ${ran.length}`);
    if (failed.length === 0) continue;
    lines.push(...describeFailures(failed, folder), "");
    const help = name === FILES ? helpToLoad(failed[0]) : helpWith(name, failed);
    lines.push(...help.map((line) => `    ${line}`), "");
  }
  return lines;

  /**
   * @param {string} name
   * @param {TestResult[]} failed
   */
  function helpWith(name, failed) {
    const hint = hintFor(hints, name, failed[0]);
    const link = chapterSections.get(name)?.link;
    return [...(hint ? [`Hint: ${hint}`] : []), ...(link ? [`Read: ${link}`] : [])];
  }

  /** @param {TestResult} failure */
  function helpToLoad({ stderr = "" }) {
    const { path, words, hint } = whyItDidNotLoad(stderr, folder);
    const section = path && sectionWithListing(root, soFar, { path, words });
    if (!section) return hint ? [`Hint: ${hint}`] : [];
    const { chapter, heading, link } = section;
    const isHere = chapter === milestone.number;
    const where = `"${heading}"${isHere ? "" : `, in chapter ${chapter}`}`;
    return [`Hint: ${hint ? `${hint} ` : ""}${path} is written under ${where}.`, `Read: ${link}`];
  }
}

/**
 * The hint of a section, or the one for the first test that fails where there
 * is one: `"Heading > words"` is for the tests whose names hold these words.
 *
 * @param {Record<string, string>} hints
 * @param {string} name
 * @param {TestResult} failure
 */
function hintFor(hints, name, { path }) {
  const test = path.slice(1).join(" > ");
  const own = Object.keys(hints).find((key) => {
    const [section, words] = splitHint(key);
    return section === name && words !== undefined && test.includes(words);
  });
  return hints[own ?? name];
}

/**
 * Takes a hint's key apart.
 *
 * @param {string} key  `"Heading"` or `"Heading > words"`
 * @returns {[heading: string, words?: string]}
 */
export function splitHint(key) {
  const at = key.indexOf(" > ");
  return at === -1 ? [key] : [key.slice(0, at), key.slice(at + 3)];
}

/**
 * @param {TestResult[]} failed
 * @param {string} folder
 * @returns {string[]} lines
 */
function describeFailures(failed, folder) {
  const texts = failed.map((test) => {
    return describeFailure(test, folder)
      .map((line) => `    ${line}`.trimEnd())
      .join("\n");
  });
  // Several test files may fail to load for one reason.
  const different = [...new Set(texts)];
  const lines = different.slice(0, MOST_FAILURES).flatMap((text) => ["", text]);
  if (different.length > MOST_FAILURES) {
    lines.push("", `    and ${different.length - MOST_FAILURES} more`);
  }
  return lines;
}

/** @param {TestResult} result */
function sectionOf({ path, error }) {
  return error?.isOfFile ? FILES : path[0];
}

/**
 * Map.groupBy, which Node.js 20 doesn't have.
 *
 * @template T
 * @param {T[]} items
 * @param {(item: T) => string} keyOf
 * @returns {Map<string, T[]>}
 */
function groupBy(items, keyOf) {
  /** @type {Map<string, T[]>} */
  const groups = new Map();
  for (const item of items) {
    const key = keyOf(item);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
}

/**
 * @param {TestResult} test
 * @param {string} folder
 */
function describeFailure({ path, error, stderr = "" }, folder) {
  const name = path.slice(1).join(", ") || path[0];
  const local = (/** @type {string} */ text) => withoutFolder(text, folder);
  if (!error) return [name];
  if (error.failureType === "testTimeoutFailure") {
    const hangs = "  the tests came to no end: a server that doesn't answer, or doesn't close?";
    return error.isOfFile ? ["could not be tested", hangs] : [name, "  came to no end"];
  }
  if (error.isOfFile) {
    const { said } = whyItDidNotLoad(stderr, folder);
    return ["could not be tested", ...said.slice(0, MOST_LINES).map((line) => `  ${line}`)];
  }
  const message = local(error.message).split("\n").filter(Boolean);
  const said = error.expected === undefined ? message.slice(0, MOST_LINES) : message.slice(0, 1);
  const lines = [name, ...said.map((line) => `  ${line}`)];
  if (error.expected !== undefined) {
    lines.push(...sideBySide("expected", error.expected), ...sideBySide("got", error.actual ?? ""));
  }
  const place = /\(?([^\s()]*\.js:\d+:\d+)\)?/.exec(ownFrame(local(error.stack ?? "")));
  if (place && error.expected === undefined) lines.push(`  at ${place[1]}`);
  return lines;
}

/**
 * The first line of a stack in the reader's own files.
 *
 * @param {string} stack
 */
function ownFrame(stack) {
  return (
    stack
      .split("\n")
      .find((line) => /^\s+at /.test(line) && !/node:|contracts\/|test\//.test(line)) ?? ""
  );
}

/**
 * @param {string} label
 * @param {string} value
 */
function sideBySide(label, value) {
  const all = value.split("\n");
  const shown = all.length > MOST_LINES ? [...all.slice(0, MOST_LINES - 1), "..."] : all;
  return shown.map((line, index) => `  ${(index === 0 ? label : "").padEnd(10)}${line}`);
}

/**
 * @param {Pick<Milestone, "folder">} milestone
 * @returns {Record<string, string>} a sentence by heading
 */
export function hintsOf({ folder }) {
  const path = join(folder, "test/hints.json");
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
}
