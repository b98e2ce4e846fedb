import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../lib/user-error.js";
import { listFiles } from "../walk/milestone.js";

/** @import { Milestone } from "../lib/milestones.js" */

/** More files than this aren't a chapter's folder. */
const MOST_FILES = 2_000;

/**
 * Files of a milestone that belong to the reader: tests and solutions don't.
 *
 * @param {string} folder
 */
export function ownFiles(folder) {
  return listFiles(folder).filter((path) => !/^(test|solutions|\.git)\//.test(path));
}

/**
 * Sees whether a folder can be what the reader has at the end of a chapter.
 *
 * @param {string} folder
 * @param {Milestone} milestone
 * @param {Milestone[]} milestones  all of the book
 * @param {string} [challenge]  its number, if the folder answers one
 * @returns {string[]} files of the milestone that are missing
 * @throws {UserError} with a sentence that helps, when it can't be
 */
export function examineFolder(folder, milestone, milestones, challenge) {
  if (!existsSync(folder)) throw new UserError(`There is no folder ${folder}.`);
  if (!statSync(folder).isDirectory()) {
    throw new UserError(`${folder} is a file. Name the folder that it stands in.`);
  }
  const files = ownFiles(folder);
  if (files.length === 0) {
    throw new UserError(
      `${folder} is empty. Name the folder in which you typed the chapter's files.`,
    );
  }
  if (files.length > MOST_FILES) {
    throw new UserError(`${folder} holds ${files.length} files. Name the chapter's own folder.`);
  }

  const missing = ownFiles(milestone.folder).filter((path) => !files.includes(path));
  if (missing.length === 0) return [];
  if (standsAlone(milestone, challenge, files)) return [];
  const likely = mostLike(folder, files, milestones);
  if (likely && likely !== milestone) {
    throw new UserError(
      `${folder} looks like chapter ${likely.number}, not chapter ${milestone.number}: ` +
        `it has no ${list(missing)}.\n` +
        `Check it with  npm run check -- ${shortName(likely)} ${folder}`,
    );
  }
  const hasAny = missing.length < ownFiles(milestone.folder).length;
  if (!hasAny) {
    throw new UserError(
      `${folder} has none of chapter ${milestone.number}'s files (${list(missing)}).\n` +
        "Name the folder in which you typed them.",
    );
  }
  return missing;
}

/**
 * Whether a folder is the answer to a challenge that asks for nothing but
 * files of its own, such as chapter 7's `trie.js` in an empty folder.
 *
 * @param {Milestone} milestone
 * @param {string | undefined} challenge  its number
 * @param {string[]} files  what the reader has
 */
function standsAlone({ folder }, challenge, files) {
  const solutions = join(folder, "solutions");
  if (challenge === undefined || !existsSync(solutions)) return false;
  const name = readdirSync(solutions).find((each) => each.startsWith(`${challenge}-`));
  if (name === undefined) return false;
  const asked = ownFiles(join(solutions, name));
  return asked.every((path) => files.includes(path) && !existsSync(join(folder, path)));
}

/**
 * The milestone whose files the folder has all of; of several the one that it
 * has the most files of, and then the most of the same content.
 *
 * @param {string} folder
 * @param {string[]} files
 * @param {Milestone[]} milestones
 */
function mostLike(folder, files, milestones) {
  const candidates = milestones
    .map((milestone) => ({ milestone, own: ownFiles(milestone.folder) }))
    .filter(({ own }) => own.length > 0 && own.every((path) => files.includes(path)))
    .map(({ milestone, own }) => ({
      milestone,
      score: own.length + own.filter((path) => isSame(folder, milestone, path)).length / 1000,
    }));
  candidates.sort((a, b) => b.score - a.score);
  return candidates[0]?.milestone;
}

/**
 * @param {string} folder
 * @param {Milestone} milestone
 * @param {string} path
 */
function isSame(folder, milestone, path) {
  const read = (/** @type {string} */ from) => readFileSync(join(from, path), "utf8");
  return read(folder) === read(milestone.folder);
}

/** @param {string[]} paths */
export function list(paths) {
  const shown = paths.length > 4 ? [...paths.slice(0, 3), `${paths.length - 3} more`] : paths;
  if (shown.length === 1) return shown[0];
  return `${shown.slice(0, -1).join(", ")} or ${shown.at(-1)}`;
}

/** @param {Milestone} milestone */
export function shortName({ name }) {
  return name.split("-")[0];
}
