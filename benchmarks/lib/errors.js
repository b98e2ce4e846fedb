/**
 * An error that a person at the terminal can act on: its message is printed
 * without a stack trace.
 */
export class BenchError extends Error {
  /**
   * @param {string} code a stable name, such as `ERR_BENCH_START`
   * @param {string} message what went wrong and what to do about it
   * @param {ErrorOptions} [options]
   */
  constructor(code, message, options) {
    super(message, options);
    this.name = "BenchError";
    this.code = code;
  }
}
