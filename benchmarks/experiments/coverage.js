/**
 * How much of a milestone its own tests run, by folder, and which lines of
 * one of its folders they leave out:
 *
 *     node benchmarks/experiments/coverage.js code/ch18-tests lib/testing
 *
 * What runs in processes that a test ends by a signal isn't seen, nor what
 * runs while the fuzzer takes V8's counts for itself.
 */
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const [milestone, shown] = process.argv.slice(2);
const tests = join(milestone, "test");
const files = readdirSync(tests).filter((name) => name.endsWith(".test.js"));

const { status, stdout, stderr } = spawnSync(
  process.execPath,
  [
    "--test",
    "--experimental-test-coverage",
    `--test-coverage-include=${milestone}/lib/**`,
    "--test-reporter=lcov",
    ...files.map((name) => join(tests, name)),
  ],
  { encoding: "utf8", maxBuffer: 2 ** 28 },
);
if (status !== 0) {
  console.error(stderr, "a test has failed: what it would have run is missing");
  process.exit(1);
}

/** @type {Map<string, { lines: number, run: number }>} */
const folders = new Map();
/** @type {string[]} */
const gaps = [];
for (const record of stdout.split("end_of_record").slice(0, -1)) {
  const path = relative(milestone, /^SF:(.*)$/m.exec(record)?.[1] ?? "");
  const lines = Array.from(record.matchAll(/^DA:(\d+),(\d+)$/gm), ([, line, count]) => ({
    line: Number(line),
    count: Number(count),
  }));
  const missed = lines.filter(({ count }) => count === 0).map(({ line }) => line);
  for (const name of ["all of lib", dirname(path)]) {
    const sum = folders.get(name) ?? { lines: 0, run: 0 };
    sum.lines += lines.length;
    sum.run += lines.length - missed.length;
    folders.set(name, sum);
  }
  if (dirname(path) === shown && missed.length > 0) gaps.push(`${path}: ${inRanges(missed)}`);
}

for (const [name, { lines, run }] of [...folders].sort(([a], [b]) => (a < b ? -1 : 1))) {
  console.log(`${name.padEnd(16)} ${((run / lines) * 100).toFixed(1).padStart(5)} %`);
}
console.log(`never run: ${gaps.length === 0 ? "nothing" : ""}`.trimEnd());
for (const gap of gaps.sort()) console.log(`  ${gap}`);

/**
 * Writes the numbers of lines as `3-5 9`.
 *
 * @param {number[]} numbers
 */
function inRanges(numbers) {
  /** @type {[first: number, last: number][]} */
  const ranges = [];
  for (const number of numbers) {
    const range = ranges.at(-1);
    if (range !== undefined && range[1] === number - 1) range[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([first, last]) => (first === last ? first : `${first}-${last}`)).join(" ");
}
