import { READERS_FOLDER } from "./workplace.js";

/** @import { FileSet, Line } from "../book/file-set.js" */

/** A place in a file of the reader's, as in a frame of a stack trace. */
const PLACE = new RegExp(`${READERS_FOLDER}/([^\\s():]+):(\\d+)`);

/**
 * Says of the places in what a command printed which line of which chapter
 * made them.
 *
 * @param {string[]} printed
 * @param {FileSet} files  as they were when the command was typed
 * @returns {{ lines: string[], first: Line | undefined }}  what was printed,
 *   with the listings' lines, and the first of these
 */
export function traceToListings(printed, files) {
  /** @type {Line | undefined} */
  let first;
  const lines = printed.map((text) => {
    const [, path, number] = PLACE.exec(text) ?? [];
    const source = path && files.lines(path)?.[Number(number) - 1];
    if (!source) return text;
    first ??= source;
    return `${text}  [${source.chapter}:${source.line}]`;
  });
  return { lines, first };
}
