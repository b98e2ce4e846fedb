import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import path from "node:path";
import { benchError } from "./errors.js";
import { outputOf } from "./machine.js";
import { root, toolsFolder, workFolder } from "./paths.js";
import { runToEnd } from "./processes.js";
import { timed } from "./took.js";

/**
 * A program that makes load. wrk comes from the system; the others are built
 * here, at versions that are pinned, when a suite first needs them.
 *
 * @typedef {object} Tool
 * @property {string} name
 * @property {string} why
 * @property {() => string} path
 * @property {() => boolean} canBeHad
 * @property {{ linux: string, darwin: string }} howTo
 * @property {(say: (line: string) => void, into?: string) => Promise<void>} [install]
 *   into the folder where `path` looks for it, if not another is given
 * @property {() => string} version
 */

const vegetaVersion = "12.12.0";
const rewrkVersion = "0.3.2";
const built = path.join(workFolder, "tools");

const getCargo = { linux: "https://rustup.rs", darwin: "https://rustup.rs, or brew install rust" };

/** @type {Tool[]} */
export const tools = [
  {
    name: "wrk",
    why: "loads a server as fast as it answers",
    path: () => "wrk",
    canBeHad: () => outputOf("sh", ["-c", "command -v wrk"]) !== undefined,
    howTo: {
      linux: "apt-get install wrk (Debian, Ubuntu), dnf install wrk (Fedora), pacman -S wrk (Arch)",
      darwin: "brew install wrk",
    },
    version: () => {
      // It says its version with an exit status of 1.
      const { stdout } = spawnSync("wrk", ["--version"], { encoding: "utf8" });
      return /^wrk (\S+)/.exec(stdout ?? "")?.[1] ?? "not known";
    },
  },
  {
    name: "vegeta",
    why: "asks at a fixed rate, whatever the server does",
    path: () => path.join(built, "bin/vegeta"),
    canBeHad: () => outputOf("go", ["version"]) !== undefined,
    howTo: {
      linux:
        "needs Go 1.22: apt-get install golang (Debian 13, Ubuntu 24.04), or https://go.dev/dl",
      darwin: "needs Go: brew install go",
    },
    install: async (say, into = built) => {
      say(`building vegeta ${vegetaVersion} (go build)`);
      mkdirSync(path.join(into, "bin"), { recursive: true });
      await runToEnd(
        ["go", "build", "-o", path.join(into, "bin/vegeta"), "github.com/tsenart/vegeta/v12"],
        { cwd: path.join(toolsFolder, "vegeta"), env: { GOFLAGS: "-mod=mod" } },
      );
    },
    version: () => vegetaVersion,
  },
  {
    name: "rewrk",
    why: "checks wrk: another program, the same load",
    path: () => path.join(built, "bin/rewrk"),
    canBeHad: () => outputOf("cargo", ["--version"]) !== undefined,
    howTo: { linux: `needs cargo: ${getCargo.linux}`, darwin: `needs cargo: ${getCargo.darwin}` },
    install: async (say, into = built) => {
      say(`building rewrk ${rewrkVersion} (cargo install), a minute or two`);
      await runToEnd(
        ["cargo", "install", "rewrk", "--locked", "--version", rewrkVersion, "--root", into],
        { cwd: root },
      );
    },
    version: () => rewrkVersion,
  },
];

/**
 * @param {string} name
 * @returns {Tool}
 */
function findTool(name) {
  const tool = tools.find((candidate) => candidate.name === name);
  if (!tool) throw new TypeError(`There is no tool ${name}.`);
  return tool;
}

/**
 * @param {string} name
 * @returns {string} where its program is
 */
export function toolPath(name) {
  return findTool(name).path();
}

/** @param {Tool} tool */
export function isThere({ install, path: where, canBeHad }) {
  return install ? existsSync(where()) : canBeHad();
}

/**
 * Sees to it that a tool is there.
 *
 * @param {string} name
 * @param {(line: string) => void} say what is being done
 * @returns {Promise<string>} its version
 * @throws {UserError} ERR_BENCH_MISSING with how to get it
 */
export async function prepareTool(name, say) {
  const tool = findTool(name);
  if (!isThere(tool)) {
    if (!tool.canBeHad()) {
      const howTo = tool.howTo[process.platform === "darwin" ? "darwin" : "linux"];
      throw benchError("ERR_BENCH_MISSING", `${name} is not on this machine: ${howTo}.`);
    }
    await timed(`tool ${name}`, async () => tool.install?.(say));
  }
  return tool.version();
}
