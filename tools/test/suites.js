import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { runTests } from "../lib/test-run.js";

/** @import { TestResult } from "../lib/test-run.js" */
/** @import { StageOutcome } from "./stages.js" */

/** Lines of a failure's message, and of its stack. */
const MESSAGE_LINES = 30;
const STACK_LINES = 3;

/**
 * The test files in `tests`, as paths from the root.
 *
 * @param {string} root
 * @returns {string[]}
 */
export function findTests(root) {
  return readdirSync(join(root, "tests"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".test.js"))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .filter((file) => !/\/(fixtures|node_modules)\//.test(file))
    .sort();
}

/**
 * Runs test files and counts.
 *
 * @param {Parameters<typeof runTests>[0] & { report: (what: string) => void,
 *   label?: string }} options
 * @returns {Promise<StageOutcome>}
 */
export async function testFilesOf({ report, label, ...options }) {
  if (options.files.length === 0) return outcomeOf([]);
  const results = await runTests({
    ...options,
    onResult: ({ path }) => report([label, ...path].filter(Boolean).join(" > ")),
  });
  return outcomeOf(results, label);
}

/**
 * @param {TestResult[]} results
 * @param {string} [label]  what was tested, for the failures
 * @returns {StageOutcome}
 */
export function outcomeOf(results, label) {
  const failures = results.filter(({ status }) => status === "failed");
  return {
    passed: results.filter(({ status }) => status === "passed").length,
    failed: failures.length,
    problems: failures.map((failure) => describeFailure(failure, label)),
    notes: skippedOf(results),
  };
}

/**
 * What wasn't tested, and why. A challenge's test is skipped everywhere but
 * where its solution is.
 *
 * @param {TestResult[]} results
 */
function skippedOf(results) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { status, reason = "no reason given" } of results) {
    if (status !== "skipped" || /^challenge \d+$/.test(reason)) continue;
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return [...counts].map(([reason, number]) => `${number} SKIPPED: ${reason}`);
}

/**
 * @param {TestResult} result
 * @param {string} [label]
 */
function describeFailure({ path, error, stderr, file = "" }, label) {
  const title = [label, ...path].filter(Boolean).join(" > ");
  if (!error) return title;
  const reason = `could not be run: ${error.message}\n${stderr ?? ""}`;
  const message = error.isOfFile ? `${file} ${reason}`.trimStart() : error.message;
  const lines = message.trimEnd().split("\n");
  const shown = lines.slice(0, MESSAGE_LINES);
  if (lines.length > MESSAGE_LINES) shown.push(`... ${lines.length - MESSAGE_LINES} lines more`);
  const isSilent = error.expected !== undefined && !message.includes("\n");
  if (isSilent) shown.push(`expected  ${error.expected}`, `got       ${error.actual}`);
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at .*file:/.test(line));
  const places = frames.slice(0, STACK_LINES).map((line) => line.trim());
  return [title, ...[...shown, ...places].map((line) => `    ${line}`)].join("\n");
}
