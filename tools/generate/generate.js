import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { firstDifference, showDifference } from "../book/difference.js";
import { applyEdits } from "../book/edits.js";
import { Problem } from "../book/problem.js";
import { blockFor, isBlockOpening } from "./blocks.js";
import { commentsOf } from "./markdown.js";
import { isNumberSource, numberFor } from "./numbers.js";
import { transcriptsOf } from "./transcripts.js";

/**
 * Where pages with numbers and generated blocks are.
 */
const FOLDERS = [".", "chapters", "benchmarks"];

/**
 * Makes the numbers, the generated blocks and the transcripts of measurements
 * of all pages anew.
 *
 * @param {object} options
 * @param {string} options.root  the repository's root
 * @param {string} options.node  path of the Node.js that runs the scripts
 * @param {boolean} options.writes  false only compares
 * @param {(what: string) => void} [options.report]  says what is being done
 * @returns {Promise<{ checked: number, changed: Problem[], problems: Problem[] }>}
 *   how many there are; what was (or would be) changed; what couldn't be made
 */
export async function generate({ root, node, writes, report = () => {} }) {
  let checked = 0;
  const changed = [];
  const problems = [];
  for (const file of pages(root)) {
    const markdown = readFileSync(join(root, file), "utf8");
    const replacements = [];
    for (const comment of commentsOf(file, markdown)) {
      const isNumber = isNumberSource(comment);
      if (!isNumber && !isBlockOpening(comment)) continue;
      checked++;
      report(`${file}:${comment.line}`);
      try {
        const replacement = isNumber
          ? numberFor(comment, markdown, root)
          : await blockFor(comment, markdown, { root, node });
        const before = markdown.slice(replacement.start, replacement.end);
        if (before === replacement.text) continue;
        replacements.push(replacement);
        changed.push(difference(file, comment, before, replacement.text));
      } catch (err) {
        if (!(err instanceof Problem)) throw err;
        problems.push(err);
      }
    }
    try {
      for (const { line, source, start, end, text } of transcriptsOf(file, markdown, root)) {
        checked++;
        const before = markdown.slice(start, end);
        if (before === text) continue;
        replacements.push({ start, end, text });
        changed.push(difference(file, { line, text: source }, before, text));
      }
    } catch (err) {
      if (!(err instanceof Problem)) throw err;
      problems.push(err);
    }
    if (writes && replacements.length > 0) {
      writeFileSync(join(root, file), applyEdits(markdown, replacements));
    }
  }
  return { checked, changed, problems };
}

/** @param {string} root */
function pages(root) {
  return FOLDERS.filter((folder) => existsSync(join(root, folder))).flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith(".md"))
      .sort()
      .map((name) => (folder === "." ? name : `${folder}/${name}`)),
  );
}

/**
 * @param {string} file
 * @param {{ line: number, text: string }} comment
 * @param {string} before
 * @param {string} after
 */
function difference(file, { line, text }, before, after) {
  const old = before.split("\n");
  const made = after.split("\n");
  const index = firstDifference(made, old);
  return new Problem(file, line + index, "this isn't what its source gives", [
    ...showDifference(made[index], old[index], "the end of the block"),
    `source    ${text.replace(/^<!--=? ?| -->$/g, "")}`,
  ]);
}
