import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readHeadings } from "../lib/headings.js";

/** @import { Milestone } from "../lib/milestones.js" */
/** @import { TestResult } from "../lib/test-run.js" */

/** Where `npm start` serves the book. */
const SITE = "http://localhost:3000";

/** So many failures of one section are told; the others are counted. */
const MOST_FAILURES = 3;

/** A value longer than this is cut, in lines. */
const MOST_LINES = 12;

/**
 * Tells the outcome of a chapter's tests, section by section as they stand in
 * the chapter.
 *
 * @param {TestResult[]} results
 * @param {Milestone} milestone
 * @param {string} folder  the temporary one, which is left out of messages
 * @returns {string[]} lines to print
 */
export function report(results, milestone, folder) {
  const links = linksOf(milestone);
  const order = [...links.keys()];
  const sections = [...groupBy(results, sectionOf)].sort(
    ([a], [b]) => order.indexOf(a) - order.indexOf(b),
  );
  const hints = hintsOf(milestone);
  const lines = [];
  for (const [section, tests] of sections) {
    const ran = tests.filter(({ status }) => status !== "skipped");
    const failed = ran.filter(({ status }) => status === "failed");
    if (ran.length === 0) continue;
    const mark = failed.length === 0 ? "✔" : "✖";
    lines.push(`${mark} ${section}: ${ran.length - failed.length} of ${ran.length}`);
    if (failed.length === 0) continue;
    for (const test of failed.slice(0, MOST_FAILURES)) {
      lines.push("", ...describeFailure(test, folder).map((line) => `    ${line}`.trimEnd()));
    }
    if (failed.length > MOST_FAILURES) {
      lines.push("", `    and ${failed.length - MOST_FAILURES} more`);
    }
    lines.push("");
    if (hints[section]) lines.push(`    Hint: ${hints[section]}`);
    if (links.has(section)) lines.push(`    Read: ${links.get(section)}`);
    lines.push("");
  }
  return lines;
}

/** @param {TestResult} result */
function sectionOf({ path, error }) {
  return error?.isOfFile ? "Your files" : path[0];
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
  const local = (/** @type {string} */ text) =>
    text.replaceAll(`file://${folder}/`, "").replaceAll(`${folder}/`, "");
  if (!error) return [name];
  if (error.failureType === "testTimeoutFailure") {
    const hangs = "  the tests came to no end: a server that doesn't answer, or doesn't close?";
    return error.isOfFile ? ["could not be tested", hangs] : [name, "  came to no end"];
  }
  if (error.isOfFile) return ["could not be tested", ...whyItDidNotLoad(local(stderr))];
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

/** @param {string} stderr */
function whyItDidNotLoad(stderr) {
  const missing = /Cannot find module '([^']+)'/.exec(stderr)?.[1];
  if (missing) return [`  there is no ${missing} in your folder`];
  const lines = stderr
    .split("\n")
    .filter((line) => !/^\s+at |^Node\.js v|^\(node:|^\s*$/.test(line));
  return lines.slice(0, MOST_LINES).map((line) => `  ${line}`);
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
 * Addresses of a chapter's sections on the local site.
 *
 * @param {Milestone} milestone
 * @returns {Map<string, string>}
 */
function linksOf({ chapter, name }) {
  if (!existsSync(chapter)) return new Map();
  return new Map(
    readHeadings(chapter).map(({ text, anchor }) => [text, `${SITE}/${name}.html#${anchor}`]),
  );
}

/**
 * @param {Pick<Milestone, "folder">} milestone
 * @returns {Record<string, string>} a sentence by heading
 */
export function hintsOf({ folder }) {
  const path = join(folder, "test/hints.json");
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
}
