/**
 * A line of a file and the line of the book that made it.
 *
 * @typedef {{ text: string, chapter: string, line: number }} Line
 */

/**
 * The reader's folder, in memory. Each line remembers the listing it came
 * from, so that a difference to a milestone can name the listing to edit.
 */
export class FileSet {
  /** @type {Map<string, Line[]>} */
  #files = new Map();

  /** A copy that changes on its own. */
  clone() {
    const copy = new FileSet();
    for (const [path, lines] of this.#files) copy.#files.set(path, lines);
    return copy;
  }

  /** Every path, sorted. */
  get paths() {
    return [...this.#files.keys()].sort();
  }

  /** @param {string} path */
  has(path) {
    return this.#files.has(path);
  }

  /** @param {string} path */
  lines(path) {
    return this.#files.get(path);
  }

  /**
   * The file's text; every line ends with a newline.
   *
   * @param {string} path
   */
  text(path) {
    const lines = this.#files.get(path) ?? [];
    return lines.map(({ text }) => `${text}\n`).join("");
  }

  /**
   * @param {string} path
   * @param {Line[]} lines
   */
  set(path, lines) {
    this.#files.set(path, lines);
  }

  /**
   * Removes a file, or all files of a folder.
   *
   * @param {string} path
   * @returns {boolean} whether there was one
   */
  remove(path) {
    const doomed = this.#at(path);
    for (const file of doomed) this.#files.delete(file);
    return doomed.length > 0;
  }

  /**
   * Copies a file or a folder.
   *
   * @param {string} from
   * @param {string} to
   * @returns {boolean} whether there was one
   */
  copy(from, to) {
    const sources = this.#at(from);
    for (const file of sources) {
      this.#files.set(to + file.slice(from.length), this.#files.get(file) ?? []);
    }
    return sources.length > 0;
  }

  /** @param {string} path */
  isFolder(path) {
    return this.paths.some((file) => file.startsWith(`${path}/`));
  }

  /** @param {string} path */
  #at(path) {
    return this.paths.filter((file) => file === path || file.startsWith(`${path}/`));
  }
}
