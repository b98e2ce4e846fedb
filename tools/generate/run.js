import { spawn } from "node:child_process";
import { delimiter, dirname } from "node:path";

/**
 * Runs a program with both its outputs apart.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {{ cwd: string, limit: number }} options  milliseconds
 * @returns {Promise<{ code: number | string, stdout: string, stderr: string }>}
 *   the exit code, or the signal that ended it
 */
export function run(program, args, { cwd, limit }) {
  const path = [dirname(program), process.env.PATH].join(delimiter);
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      timeout: limit,
      env: { ...process.env, PATH: path, NO_COLOR: "1" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const stop = () => child.kill();
    process.once("exit", stop);
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text) => {
      stderr += text;
    });
    child.once("error", reject);
    child.once("close", (code, signal) => {
      process.off("exit", stop);
      resolve({ code: code ?? signal ?? 1, stdout, stderr });
    });
  });
}
