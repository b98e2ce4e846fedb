import { endGroup, spawnGroup } from "./process-groups.js";

/**
 * Runs a program to its end.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv, shell?: boolean, limit?: number }} options
 *   `limit`: milliseconds after which it is ended
 * @returns {Promise<{ code: number | string, stdout: string, stderr: string,
 *   output: string }>} the exit code, or the signal that ended it; what it
 *   printed, apart and together; code 127 when it couldn't be started
 */
export function run(program, args, { cwd, env = process.env, shell = false, limit }) {
  return new Promise((resolve) => {
    const child = spawnGroup(program, args, {
      cwd,
      env: { ...env, NO_COLOR: "1" },
      shell,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const timer = limit === undefined ? undefined : setTimeout(() => endGroup(child), limit);
    const printed = { stdout: "", stderr: "", output: "" };
    for (const name of /** @type {const} */ (["stdout", "stderr"])) {
      child[name]?.setEncoding("utf8").on("data", (text) => {
        printed[name] += text;
        printed.output += text;
      });
    }
    const finish = (/** @type {number | string} */ code) => {
      clearTimeout(timer);
      endGroup(child);
      resolve({ code, ...printed });
    };
    child.once("error", (err) => {
      printed.output += err.message;
      finish(127);
    });
    child.once("close", (code, signal) => finish(code ?? signal ?? 1));
  });
}
