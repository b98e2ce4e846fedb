import { realpathSync, statSync } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";
import { show, UsageError } from "../errors.js";
import { Kept } from "./kept.js";
import { isSameFile, readWhole } from "./read.js";

/** @import { Stats } from "node:fs" */

/**
 * @typedef {object} Found a file, or a folder
 * @property {string} path without links
 * @property {Stats} stats
 * @property {Buffer | null} content null if it is large, or a folder
 */

// Up to here a file is read at once, and may be kept.
const WHOLE_BYTES = 1024 * 1024;

// The clocks of file systems have steps, some of two seconds. What changed
// a moment ago can change again in the same step.
const SETTLED_MS = 2000;

// What all of these say is that there is no such file.
const MISSING = ["ENOENT", "ENOTDIR", "ENAMETOOLONG", "ELOOP"];

/** A folder in the file system, and the files in it. */
export class Folder {
  #root;
  #kept;

  /**
   * @param {string} root
   * @param {number} keepBytes
   * @throws {UsageError} ERR_FOLDER_MISSING
   */
  constructor(root, keepBytes) {
    try {
      this.#root = realpathSync(root);
      // With a slash behind it, a file is an error.
      statSync(`${this.#root}/`);
    } catch (/** @type {any} */ err) {
      throw new UsageError("ERR_FOLDER_MISSING", show(root), err.code);
    }
    this.#kept = new Kept(keepBytes);
  }

  /** @param {string} name @returns {Promise<?Found>} */
  async find(name) {
    const path = join(this.#root, name);
    const stats = await unlessMissing(stat(path));
    if (stats === null) return null;
    const kept = this.#kept.get(path);
    const isFresh = kept !== undefined && isSameFile(kept.stats, stats);
    return isFresh ? kept : this.#load(path, stats);
  }

  async #load(path, stats) {
    const place = await unlessMissing(realpath(path));
    if (place === null || !this.#isInside(place)) return null;
    const found = { path: place, stats, content: null };
    if (!stats.isFile()) return stats.isDirectory() ? found : null;
    if (stats.size > WHOLE_BYTES) return found;
    const whole = { ...found, content: await readWhole(place, stats) };
    const age = Date.now() - stats.ctimeMs;
    if (age > SETTLED_MS) this.#kept.add(path, whole);
    return whole;
  }

  #isInside(place) {
    const way = relative(this.#root, place);
    return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
  }
}

function unlessMissing(promise) {
  return promise.catch((err) => {
    if (MISSING.includes(err.code)) return null;
    throw err;
  });
}
