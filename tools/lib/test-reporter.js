/**
 * A reporter for `node --test` that writes lines of JSON: one a test, and one
 * for what a test file prints on its error output. It says what our own tools
 * need and a person doesn't: the headings that a test stands under, and both
 * sides of a failed comparison.
 */
import { inspect } from "node:util";

/** @param {AsyncIterable<any>} events  of node:test */
export default async function* report(events) {
  /** The names of the groups that the next test stands in. @type {string[]} */
  const path = [];
  for await (const { type, data } of events) {
    if (type === "test:start") {
      path.length = data.nesting;
      path.push(data.name);
    } else if (type === "test:stderr") {
      // It may come after the failure that it explains.
      yield `${JSON.stringify({ file: data.entryFile ?? data.file, stderr: data.message })}\n`;
    } else if (type === "test:pass" || type === "test:fail") {
      const { details, nesting, name, skip, todo, file } = data;
      // Its group has failed, and says why.
      if (nesting > 0 && details?.error?.failureType === "cancelledByParent") continue;
      const isOnlyAGroup = details?.type === "suite" || isBecauseOfOthers(details?.error);
      const isSkippedGroup = details?.type === "suite" && skip !== undefined;
      if (isOnlyAGroup && !isSkippedGroup && !isBroken(details)) continue;
      const record = {
        path: [...path.slice(0, nesting), name],
        status: skip !== undefined ? "skipped" : type === "test:pass" || todo ? "passed" : "failed",
        reason: typeof skip === "string" ? skip : undefined,
        file,
        duration: details?.duration_ms,
        error: type === "test:fail" ? describe(details.error, isFile(data)) : undefined,
      };
      yield `${JSON.stringify(record)}\n`;
    }
  }
}

/**
 * Whether a group failed by itself: a hook that threw, or a `describe`.
 *
 * @param {any} details
 */
function isBroken(details) {
  return details?.error !== undefined && !isBecauseOfOthers(details.error);
}

/** @param {any} error */
function isBecauseOfOthers(error) {
  return error?.failureType === "subtestsFailed";
}

/**
 * Whether a test is a whole file, which is reported as a test of its name when
 * its process fails or comes to no end.
 *
 * @param {any} data
 */
function isFile({ nesting, name, file, details }) {
  return details.error?.exitCode !== undefined || (nesting === 0 && file?.endsWith(name));
}

/**
 * @param {any} error  node:test's wrapper around what was thrown
 * @param {boolean} isOfFile
 */
function describe(error, isOfFile) {
  const cause = error?.cause ?? error;
  if (isOfFile) return { message: error.message, isOfFile, failureType: error.failureType };
  if (typeof cause !== "object" || cause === null) return { message: String(cause) };
  const isComparison = cause.code === "ERR_ASSERTION" && !isUnspoken(cause);
  const sides = isComparison ? sidesOf(cause) : undefined;
  // A command that failed has said more than its error does.
  const output = typeof cause.output === "string" ? `\n${cause.output.trim()}` : "";
  return {
    message: String(cause.message ?? error.message) + output,
    code: cause.code,
    failureType: error.failureType,
    expected: sides?.expected,
    actual: sides?.actual,
    stack: typeof cause.stack === "string" ? cause.stack : undefined,
  };
}

/**
 * Whether both sides say nothing that the message doesn't.
 *
 * @param {any} cause
 */
function isUnspoken({ expected, actual, operator }) {
  return operator === "fail" || (typeof expected === "boolean" && expected !== actual);
}

/**
 * Both sides of a comparison. node:test hands an error from the process of a
 * test file to its own, and a function or a symbol doesn't survive that: it
 * comes out as undefined, and only the message still shows it.
 *
 * @param {any} cause
 */
function sidesOf({ expected, actual, message }) {
  const [, shownActual, shownExpected] =
    /\n\n\+ (.*)\n- (.*)/.exec(message) ?? /\n\n(.*) !== (.*)\n/.exec(message) ?? [];
  return {
    expected: expected === undefined && shownExpected ? shownExpected : show(expected),
    actual: actual === undefined && shownActual ? shownActual : show(actual),
  };
}

/** @param {unknown} value */
function show(value) {
  return typeof value === "string" && value !== ""
    ? value
    : inspect(value, { depth: 4, breakLength: 70 });
}
