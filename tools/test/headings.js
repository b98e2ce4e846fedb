import { existsSync } from "node:fs";
import { join } from "node:path";
import { hintsOf } from "../check/report.js";
import { readHeadings } from "../lib/headings.js";
import { isChallenge, listMilestones, testFiles } from "../lib/milestones.js";
import { topGroups } from "./top-groups.js";

/** @import { StageContext, StageOutcome } from "./stages.js" */

/**
 * What `npm run check` counts on: every group of a chapter's tests has a
 * heading of the chapter for its name, and a hint; no hint is left over.
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
    for (const group of Object.keys(hints)) {
      if (used.has(group)) continue;
      count(`code/${name}/test/hints.json: "${group}" is no group of a test any more`);
    }
  }
  return outcome;
}
