import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { hintsOf, splitHint } from "../check/report.js";
import { readHeadings } from "../lib/headings.js";
import { isChallenge, listMilestones, testFiles } from "../lib/milestones.js";
import { silentAsserts } from "./silent-asserts.js";
import { topGroups } from "./top-groups.js";

/** @import { StageContext, StageOutcome } from "./stages.js" */

/** @param {string} root */
function testsOfChapters(root) {
  return listMilestones(root).flatMap(({ name, folder }) =>
    testFiles(folder).map((file) => `code/${name}/test/${file}`),
  );
}

/** @param {string} root */
function contracts(root) {
  const folder = join(root, "code/contracts");
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true })
    .map((file) => `code/contracts/${String(file).replaceAll("\\", "/")}`)
    .filter((path) => path.endsWith(".js"));
}

/**
 * What `npm run check` counts on: every group of a chapter's tests has a
 * heading of the chapter for its name, and a hint; no hint is left over; a
 * failure says something.
 *
 * @param {Pick<StageContext, "root">} context
 * @returns {Promise<StageOutcome>}
 */
export async function testHeadings({ root }) {
  /** @type {StageOutcome} */
  const outcome = { passed: 0, failed: 0, problems: [], notes: [] };
  /** @param {string | undefined} problem */
  const count = (problem) => {
    if (problem === undefined) {
      outcome.passed++;
    } else {
      outcome.failed++;
      outcome.problems.push(problem);
    }
  };

  for (const path of [...testsOfChapters(root), ...contracts(root)]) {
    const lines = silentAsserts(join(root, path));
    for (const line of lines) count(`${path}:${line}: this assert.ok says nothing when it fails`);
    if (lines.length === 0) count(undefined);
  }

  for (const { name, folder, chapter } of listMilestones(root)) {
    const headings = existsSync(chapter) ? readHeadings(chapter).map(({ text }) => text) : [];
    const hints = hintsOf({ folder });
    const used = new Set();
    for (const file of testFiles(folder)) {
      const place = `code/${name}/test/${file}`;
      for (const { name: group, line } of topGroups(join(folder, "test", file))) {
        used.add(group);
        const isHeading = headings.includes(group);
        const where = `${place}:${line}`;
        count(isHeading ? undefined : `${where}: "${group}" is no heading of chapters/${name}.md`);
        // A challenge has its hint in the chapter, behind a fold.
        if (isChallenge(file)) continue;
        const hint = `${where}: "${group}" has no hint in code/${name}/test/hints.json`;
        count(hints[group] ? undefined : hint);
      }
    }
    for (const group of new Set(Object.keys(hints).map((key) => splitHint(key)[0]))) {
      if (used.has(group)) continue;
      count(`code/${name}/test/hints.json: "${group}" is no group of a test any more`);
    }
  }
  return outcome;
}
