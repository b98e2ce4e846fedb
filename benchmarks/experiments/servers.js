// What the experiments have in common: a server in a process of its own, on
// its own core where the system lets us, and a generator on the other.
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { root } from "../lib/paths.js";
import { choosePlatform } from "../lib/platform/index.js";
import { runToEnd, ServerProcess } from "../lib/processes.js";
import { parseWrk, wrkCommand } from "../lib/wrk.js";

/** @import { LoadResult } from "../lib/wrk.js" */

const platform = choosePlatform();
const cores = os.availableParallelism();
const isParted = platform.canPin && cores > 1;
const onServersCore = isParted ? platform.pinned([cores - 1]) : [];
const onGeneratorsCore = isParted ? platform.pinned([0]) : [];

const query = "/bench/testing?id=10";

/**
 * @param {string} file below benchmarks/, or a whole path
 * @param {{ node?: string, nodeArgs?: string[], env?: NodeJS.ProcessEnv,
 *   args?: string[], isOnAllCores?: boolean }} [how]
 * @returns {Promise<ServerProcess>}
 */
export function startServer(file, how = {}) {
  const { node = process.execPath, nodeArgs = [], env, args = [], isOnAllCores = false } = how;
  const program = [node, ...nodeArgs, path.resolve(root, "benchmarks", file)];
  return ServerProcess.start({
    command: [...(isOnAllCores ? [] : onServersCore), ...program, ...args],
    env: { NODE_ENV: "production", ...env },
  });
}

/**
 * @param {ServerProcess} server
 * @param {{ connections?: number, seconds?: number, path?: string, script?: string }} [how]
 *   script: a Lua file for wrk
 * @returns {Promise<LoadResult>}
 */
export async function load(server, how = {}) {
  const { connections = 64, seconds = 3, path: target = query, script } = how;
  const url = `http://127.0.0.1:${server.port}${target}`;
  return parseWrk(await run(wrkCommand({ url, connections, seconds, script })));
}

/**
 * @param {string[]} command a generator's
 * @returns {Promise<string>} what it printed
 */
export async function run(command) {
  const { stdout } = await runToEnd([...onGeneratorsCore, ...command]);
  return stdout;
}
