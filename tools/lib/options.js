import { parseArgs } from "node:util";
import { UserError } from "./user-error.js";

/** @import { ParseArgsOptionsConfig } from "node:util" */

/**
 * The options of a program's command line.
 *
 * @template {ParseArgsOptionsConfig} T
 * @param {T} options as `util.parseArgs` takes them
 * @param {string} help shown with the error
 * @returns {ReturnType<typeof parseArgs<{ options: T }>>["values"]}
 * @throws {UserError} for what isn't an option
 */
export function readOptions(options, help) {
  try {
    return parseArgs({ options }).values;
  } catch (err) {
    throw new UserError(`${/** @type {Error} */ (err).message}\n\n${help}`);
  }
}
