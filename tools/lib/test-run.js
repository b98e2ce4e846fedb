import { fileURLToPath } from "node:url";
import { endGroup, spawnGroup } from "./processes.js";

const REPORTER = fileURLToPath(new URL("test-reporter.js", import.meta.url));

/** Tests that say nothing for longer hang, in milliseconds. */
const LIMIT = 120_000;

/** The `failureType` of tests that were ended because none of them ended. */
const STALL = "testTimeoutFailure";

/**
 * @typedef {object} TestResult
 * @property {string[]} path  the groups it stands in, and its own name
 * @property {"passed" | "failed" | "skipped"} status
 * @property {string} [reason]  why it was skipped
 * @property {string} [file]
 * @property {number} [duration]  milliseconds
 * @property {TestError} [error]
 * @property {string} [stderr]  what its file printed on the error output, when it failed
 *
 * @typedef {object} TestError
 * @property {string} message
 * @property {boolean} [isOfFile]  the file couldn't be run at all
 * @property {string} [code]
 * @property {string} [failureType]  node:test's, such as `testTimeoutFailure`
 * @property {string} [expected]
 * @property {string} [actual]
 * @property {string} [stack]
 */

/**
 * Runs test files with a Node.js of choice.
 *
 * @param {object} options
 * @param {string} options.cwd
 * @param {string[]} options.files  paths from `cwd`
 * @param {string} [options.node]  path of the Node.js; this one unless set
 * @param {Record<string, string>} [options.env]  in addition to our own
 * @param {number} [options.concurrency]  files at the same time
 * @param {number} [options.limit]  milliseconds without a result after which
 *   the tests are ended, which is a failure
 * @param {(result: TestResult) => void} [options.onResult]
 * @returns {Promise<TestResult[]>}
 * @throws {Error} when the runner itself fails
 */
export function runTests({
  cwd,
  files,
  node = process.execPath,
  env,
  concurrency = 2,
  limit = LIMIT,
  onResult,
}) {
  const environment = { ...process.env, ...env };
  // Set where we run inside a test ourselves, and it would change the output.
  delete environment.NODE_TEST_CONTEXT;
  delete environment.FORCE_COLOR;
  const args = [
    "--test",
    `--test-reporter=${REPORTER}`,
    `--test-concurrency=${concurrency}`,
    ...files,
  ];
  return new Promise((resolve, reject) => {
    const child = spawnGroup(node, args, {
      cwd,
      env: { ...environment, NO_COLOR: "1" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    /** @type {TestResult[]} */
    const results = [];
    /** What each file printed on its error output. @type {Map<string, string>} */
    const stderr = new Map();
    const hang = () => {
      const last = results.at(-1)?.path.join(" > ") ?? "none before it";
      const message = `no test ended for ${limit / 1000} s; the last that did: ${last}`;
      const error = { message, isOfFile: true, failureType: STALL };
      results.push({ path: [files.join(", ")], status: "failed", error });
      endGroup(child);
    };
    let timer = setTimeout(hang, limit);
    let rest = "";
    let errors = "";
    child.stdout?.setEncoding("utf8").on("data", (text) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const record = JSON.parse(line);
        if ("stderr" in record) {
          stderr.set(record.file, (stderr.get(record.file) ?? "") + record.stderr);
        } else {
          clearTimeout(timer);
          timer = setTimeout(hang, limit);
          results.push(record);
          onResult?.(record);
        }
      }
    });
    child.stderr?.setEncoding("utf8").on("data", (text) => {
      errors += text;
    });
    child.once("error", reject);
    child.once("close", (code) => {
      clearTimeout(timer);
      endGroup(child);
      for (const result of results) {
        if (result.status === "failed") result.stderr = stderr.get(result.file ?? "");
      }
      const hasFailed = results.some(({ status }) => status === "failed");
      if (code === 0 || hasFailed) resolve(results);
      else reject(new Error(`node --test ended with ${code}: ${errors.trim()}`));
    });
  });
}
