/**
 * What every command of the book needs before it can start. Nothing but
 * Node's own modules is imported here: it runs before `npm ci`.
 */
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./root.js";

/** The oldest Node.js that the book's code runs on. */
const OLDEST_NODE = [20, 19];

/** After this time a step says that it is under way, in milliseconds. */
const PATIENCE = 2_000;

/**
 * Something that the person at the keyboard can put right. Its message says
 * how; no stack trace is shown.
 */
export class SetupError extends Error {
  name = "SetupError";
}

/**
 * Runs a command line tool's main function: a SetupError becomes its message,
 * and any failure a non-zero exit code.
 *
 * @param {() => Promise<number | void>} main  returns the exit code, 0 unless
 *   set
 */
export async function runMain(main) {
  // Exiting runs the exit handlers, which stop what was started.
  for (const [signal, code] of /** @type {const} */ ([["SIGINT", 130], ["SIGTERM", 143]])) {
    process.once(signal, () => process.exit(code));
  }
  try {
    checkNodeVersion();
    process.exitCode = (await main()) ?? 0;
  } catch (err) {
    console.error(err instanceof SetupError ? `\n${err.message}` : err);
    process.exitCode = 1;
  }
}

/**
 * @param {string} [version]
 * @throws {SetupError} when this Node.js is too old for the book
 */
export function checkNodeVersion(version = process.versions.node) {
  const [major, minor] = version.split(".").map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  throw new SetupError(
    `This is Node.js ${version}, and the book needs ${OLDEST_NODE.join(".")} or later.\n` +
      "Get the current one from https://nodejs.org and try again.",
  );
}

/**
 * Does a step and, when it takes longer than two seconds, says so.
 *
 * @template T
 * @param {string} title  what is being done, such as "installing packages"
 * @param {() => Promise<T>} step
 * @returns {Promise<T>}
 */
export async function runStep(title, step) {
  const start = performance.now();
  const seconds = () => `${Math.round((performance.now() - start) / 1000)} s`;
  const isTerminal = process.stderr.isTTY;
  let isShown = false;
  let ticks = 0;
  const timer = setInterval(() => {
    ticks++;
    if (isTerminal) process.stderr.write(`\r\x1b[K${title} ... ${seconds()}`);
    else if (!isShown || ticks % 15 === 0) console.error(`${title} ... ${seconds()}`);
    isShown = true;
  }, PATIENCE);
  try {
    return await step();
  } finally {
    clearInterval(timer);
    if (isShown && isTerminal) process.stderr.write("\r\x1b[K");
    if (isShown) console.error(`${title}: ${seconds()}`);
  }
}

/**
 * Installs the packages that package-lock.json lists, unless they are there.
 *
 * @param {string} [folder]  one with a package-lock.json; the repository's
 *   root unless set
 * @throws {SetupError}
 */
export async function ensureDependencies(folder = ROOT) {
  if (hasDependencies(folder)) return;
  const where = folder === ROOT ? "" : ` of ${folder.slice(ROOT.length + 1)}`;
  await runStep(`installing the packages${where} (npm ci)`, () =>
    npm(["ci", "--no-audit", "--no-fund"], folder),
  );
}

/**
 * Installs the Node.js that the book's transcripts are from.
 *
 * @returns {Promise<string>} path of its `node`
 * @throws {SetupError}
 */
export async function ensureNode24() {
  const folder = join(ROOT, "tools/node-24");
  const node = node24Path();
  if (!existsSync(node) || !hasDependencies(folder)) {
    await runStep("installing Node.js 24 (npm ci in tools/node-24)", () =>
      npm(["ci", "--no-audit", "--no-fund"], folder),
    );
  }
  return node;
}

/** Where the pinned `node` is once it is installed. */
export function node24Path() {
  return join(ROOT, "tools/node-24/node_modules/.bin/node");
}

/**
 * Whether the packages that are installed are those of the lock file.
 *
 * @param {string} folder
 */
export function hasDependencies(folder) {
  const installedPath = join(folder, "node_modules/.package-lock.json");
  if (!existsSync(installedPath)) return false;
  const installed = packagesOf(installedPath);
  return Object.entries(packagesOf(join(folder, "package-lock.json"))).every(([path, wanted]) => {
    // The lock's first entry is the project itself. What is optional is for
    // other systems.
    if (path === "" || (wanted.optional && !installed[path])) return true;
    return installed[path]?.version === wanted.version;
  });
}

/**
 * @param {string} lock
 * @returns {Record<string, { version: string, optional?: boolean }>}
 */
function packagesOf(lock) {
  return JSON.parse(readFileSync(lock, "utf8")).packages ?? {};
}

/**
 * @param {string[]} args
 * @param {string} cwd
 * @throws {SetupError}
 */
async function npm(args, cwd) {
  const { code, output } = await run("npm", args, { cwd, shell: process.platform === "win32" });
  if (code === 0) return;
  const isOffline = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH/.test(output);
  const reason = isOffline
    ? "npm can't reach its registry. The network is needed once, to install; try again with it."
    : output.trim().split("\n").slice(-12).join("\n");
  throw new SetupError(`\`npm ${args.join(" ")}\` failed in ${cwd}.\n${reason}`);
}

/**
 * Runs a program to its end and gathers what it prints.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {import("node:child_process").SpawnOptions} [options]
 * @returns {Promise<{ code: number, output: string }>} code 127 when the
 *   program isn't there
 */
export function run(program, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
    const stop = () => child.kill();
    process.once("exit", stop);
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8");
      stream?.on("data", (text) => {
        output += text;
      });
    }
    child.once("error", (err) => {
      process.off("exit", stop);
      resolve({ code: 127, output: err.message });
    });
    child.once("close", (code) => {
      process.off("exit", stop);
      resolve({ code: code ?? 1, output });
    });
  });
}
