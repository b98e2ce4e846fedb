import { realpathSync, statSync } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";
import { show, UsageError } from "../errors.js";
import { Kept } from "./kept.js";
import { isMissing } from "./missing.js";
import { areAllowed } from "./name.js";
import { isSameFile, readPart, readWhole } from "./read.js";

/** @import { Stats } from "node:fs" */

/**
 * @typedef {object} Found a file, or a folder
 * @property {string} path
 * @property {string} place the path without links
 * @property {Stats} stats
 * @property {Buffer | null} content null unless it was kept
 */

// A file up to here is read whole, and may be kept.
const WHOLE_BYTES = 1024 * 1024;

// The clocks of file systems have steps, some of two seconds. What changed
// a moment ago can change again in the same step.
const SETTLED_MS = 2000;

/** A folder in the file system, and the files in it. */
export class Folder {
  #root;
  #dotfiles;
  #kept;
  #wholeBytes;

  /**
   * @param {string} root
   * @param {{ dotfiles?: boolean, keepBytes?: number }} [settings]
   * @throws {UsageError} ERR_FOLDER_MISSING
   */
  constructor(root, { dotfiles = false, keepBytes = 0 } = {}) {
    this.#dotfiles = dotfiles;
    try {
      this.#root = realpathSync(root);
      // With a slash after it, a file is an error.
      statSync(`${this.#root}/`);
    } catch (/** @type {any} */ err) {
      throw new UsageError("ERR_FOLDER_MISSING", show(root), err.code);
    }
    this.#kept = new Kept(keepBytes);
    this.#wholeBytes = Math.min(WHOLE_BYTES, keepBytes);
  }

  /** @param {string} name @returns {Promise<?Found>} */
  async find(name) {
    const path = join(this.#root, name);
    const stats = await unlessMissing(stat(path));
    if (stats === null) return null;
    if (!stats.isFile() && !stats.isDirectory()) return null;
    const kept = this.#kept.get(path);
    if (kept !== undefined && isSameFile(kept.stats, stats)) return kept;
    const place = await unlessMissing(realpath(path));
    if (place === null || !this.#isAllowed(place)) return null;
    return { path, place, stats, content: null };
  }

  /** The bytes from `start` to just before `end`. @param {Found} file */
  read(file, start, end) {
    const { place, stats, content } = file;
    if (content !== null) return content.subarray(start, end);
    if (stats.size <= this.#wholeBytes) {
      return this.#readAndKeep(file, start, end);
    }
    return readPart(place, stats, start, end);
  }

  async #readAndKeep(file, start, end) {
    // It can change while it is read, so its age is that of the beginning.
    const age = Date.now() - file.stats.ctimeMs;
    const content = await readWhole(file.place, file.stats);
    if (age > SETTLED_MS) this.#kept.add(file.path, { ...file, content });
    return content.subarray(start, end);
  }

  #isAllowed(place) {
    const path = relative(this.#root, place);
    return !isAbsolute(path) && areAllowed(path.split(sep), this.#dotfiles);
  }
}

function unlessMissing(promise) {
  return promise.catch((err) => {
    if (isMissing(err)) return null;
    throw err;
  });
}
