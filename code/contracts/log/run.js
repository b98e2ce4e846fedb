import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export { lacks } from "../../../tools/lib/programs.js";

/** @import { TestContext } from "node:test" */

/** @param {TestContext} t */
export function makeFolder(t) {
  const folder = mkdtempSync(join(tmpdir(), "log-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * Runs a program that has all of a milestone's exports, and `destination`.
 *
 * @param {string} index the milestone's index.js
 * @param {string} source
 * @param {string} [destination] a path
 * @param {string[]} [before] a command that runs the rest
 */
export function startProgram(index, source, destination, before = []) {
  const url = JSON.stringify(index);
  const text = `
    const { createLogger, log, requestLog } = await import(${url});
    const destination = process.env.DESTINATION;
    ${source}`;
  const command = [
    ...before,
    process.execPath,
    "--input-type=module",
    "-e",
    text,
  ];
  const env = { ...process.env };
  if (destination !== undefined) env.DESTINATION = destination;
  const child = spawn(command[0], command.slice(1), {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const program = {
    child,
    output: "",
    errors: "",
    ended: once(child, "close"),
  };
  child.stdout.on("data", (chunk) => {
    program.output += chunk;
  });
  child.stderr.on("data", (chunk) => {
    program.errors += chunk;
  });
  return program;
}

/** @param {Parameters<typeof startProgram>} args */
export async function runProgram(...args) {
  const program = startProgram(...args);
  const [code, signal] = await program.ended;
  const { output, errors } = program;
  return { code, signal, output, errors };
}

/** @param {string} path */
export const read = (path) => readFileSync(path, "utf8");
