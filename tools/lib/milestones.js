import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/**
 * A milestone with the chapter that leads to it.
 *
 * @typedef {object} Milestone
 * @property {number} number
 * @property {string} name  such as `ch08-the-radix-tree`
 * @property {string} folder
 * @property {string} chapter  path of the chapter's Markdown
 */

/**
 * Every milestone that has a folder in code/, in the book's order.
 *
 * @param {string} root  the repository's root
 * @returns {Milestone[]}
 */
export function listMilestones(root) {
  const code = join(root, "code");
  if (!existsSync(code)) return [];
  return readdirSync(code)
    .filter((name) => /^ch\d\d-/.test(name))
    .sort()
    .map((name) => ({
      number: Number(name.slice(2, 4)),
      name,
      folder: join(code, name),
      chapter: join(root, "chapters", `${name}.md`),
    }));
}

/**
 * The challenges that a milestone has a test for.
 *
 * @param {Milestone} milestone
 * @returns {number[]}
 */
export function challengesOf({ folder }) {
  return testFiles(folder)
    .map((file) => /^challenge-(\d+)\.test\.js$/.exec(file)?.[1])
    .filter((number) => number !== undefined)
    .map(Number)
    .sort((a, b) => a - b);
}

/**
 * Names of the test files in a milestone's `test` folder.
 *
 * @param {string} folder
 */
export function testFiles(folder) {
  const tests = join(folder, "test");
  if (!existsSync(tests)) return [];
  return readdirSync(tests)
    .filter((file) => file.endsWith(".test.js"))
    .sort();
}

/**
 * Whether a test file is a challenge's.
 *
 * @param {string} file
 */
export function isChallenge(file) {
  return file.startsWith("challenge-");
}
