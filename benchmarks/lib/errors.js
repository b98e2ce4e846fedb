import { UserError } from "../../tools/lib/user-error.js";

/**
 * An error that a person at the terminal can act on, with a name that a
 * program can go by.
 *
 * @param {string} code such as `ERR_BENCH_START`
 * @param {string} message what went wrong and what to do about it
 * @param {ErrorOptions} [options]
 * @returns {UserError & { code: string }}
 */
export function benchError(code, message, { cause } = {}) {
  return Object.assign(new UserError(message), { code, cause });
}
