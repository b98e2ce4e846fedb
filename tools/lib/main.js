import { isNodeNewEnough } from "./node-version.js";
import { UserError } from "./user-error.js";

/**
 * Runs a command's main function. A UserError becomes its message, without a
 * stack trace, and any failure a non-zero exit code. An interrupted process
 * exits by the ordinary way, so that its exit handlers stop what it started.
 *
 * @param {() => Promise<number>} main  returns the exit code
 */
export async function runMain(main) {
  if (!isNodeNewEnough()) return;
  process.once("SIGINT", () => process.exit(130));
  process.once("SIGTERM", () => process.exit(143));
  try {
    process.exitCode = await main();
  } catch (err) {
    if (!(err instanceof UserError)) throw err;
    if (err.output) console.error(err.output.trimEnd());
    console.error(err.message);
    process.exitCode = 1;
  }
}
