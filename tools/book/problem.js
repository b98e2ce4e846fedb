/**
 * Something in the book that doesn't hold: where, what, and what was got
 * instead. The walker collects these and prints them; a reader of the message
 * should know which line of which file to edit.
 */
export class Problem extends Error {
  /**
   * @param {string} file  path of the file to edit, from the repository's root
   * @param {number} line  1 for the first line
   * @param {string} message  one sentence
   * @param {string[]} [details]  lines shown indented under it
   */
  constructor(file, line, message, details = []) {
    super(message);
    this.name = "Problem";
    this.file = file;
    this.line = line;
    this.details = details;
  }

  /** The whole message as the walker prints it. */
  toString() {
    const indented = this.details.map((detail) => `    ${detail}`.trimEnd());
    return [`${this.file}:${this.line}: ${this.message}`, ...indented].join("\n");
  }
}
