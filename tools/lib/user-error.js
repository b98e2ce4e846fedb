/**
 * Something that the person at the terminal can put right: a name that isn't
 * known, a tool that is missing. Its message is all that they are shown; any
 * other error is a bug, and keeps its stack.
 */
export class UserError extends Error {
  /**
   * @param {string} message
   * @param {string} [output]  what a failed command printed
   */
  constructor(message, output = "") {
    super(message);
    this.name = "UserError";
    this.output = output;
  }
}
