import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { applyEdits } from "../book/edits.js";
import { transcriptsOf } from "../generate/transcripts.js";

/** @import { Chapter } from "../book/chapter.js" */
/** @import { Fence } from "../book/fence.js" */

/** Where the measurements are that a reader can make: others have scripts. */
const BOOK = /^benchmarks\/results\/[^/]+\/book\//;

/**
 * Whether a fence shows a measurement that its command makes.
 *
 * @param {Fence} fence
 */
export function isMeasurement({ raw = "" }) {
  return BOOK.test(raw);
}

/**
 * The fences whose command makes a measurement. Of several that show the same
 * file it is the first; the others show what that one printed.
 *
 * @param {Chapter[]} chapters  in the book's order
 * @returns {Set<Fence>}
 */
export function measuringFences(chapters) {
  /** @type {Map<string, Fence>} */
  const first = new Map();
  for (const fence of chapters.flatMap(({ fences }) => fences)) {
    const { raw } = fence;
    if (raw !== undefined && isMeasurement(fence) && !first.has(raw)) first.set(raw, fence);
  }
  return new Set(first.values());
}

/**
 * Lets the chapters show what measurements' files hold now.
 *
 * @param {Chapter[]} chapters
 * @param {string[]} measured  the files
 * @param {string} root  the repository's root
 * @returns {string[]} the chapters that have changed
 */
export function showMeasured(chapters, measured, root) {
  if (measured.length === 0) return [];
  return chapters.map(({ file }) => file).filter((file) => showIn(file, measured, root));
}

/**
 * @param {string} file
 * @param {string[]} measured
 * @param {string} root
 */
function showIn(file, measured, root) {
  const text = readFileSync(join(root, file), "utf8");
  const edits = transcriptsOf(file, text, root).filter(({ source }) => measured.includes(source));
  const shown = applyEdits(text, edits);
  if (shown === text) return false;
  writeFileSync(join(root, file), shown);
  return true;
}
