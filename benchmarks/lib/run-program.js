import { spawn } from "node:child_process";
import { once } from "node:events";
import os from "node:os";
import process from "node:process";

/**
 * Runs one of the benchmark's programs that is a process of its own, and hands
 * the signals on that end it.
 *
 * @param {string} file
 * @param {string[]} args
 * @returns {Promise<number>} its exit code, or as a shell has it, 128 and the
 *   number of the signal that has ended it
 */
export async function runProgram(file, args) {
  const child = spawn(process.execPath, [file, ...args], { stdio: "inherit" });
  // Ctrl-C in a terminal reaches both, SIGTERM only us. It ends first, so that
  // what it has started is ended too.
  process.on("SIGINT", () => {});
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  const [code, signal] = await once(child, "exit");
  return code ?? 128 + os.constants.signals[/** @type {NodeJS.Signals} */ (signal)];
}
