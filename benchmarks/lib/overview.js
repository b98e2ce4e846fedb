import { existsSync } from "node:fs";
import path from "node:path";
import { listContenders, readContender } from "./contenders.js";
import { ask } from "./machine.js";
import { toolsFolder } from "./paths.js";
import { suites } from "./suites.js";
import { formatTable } from "./table.js";

/**
 * The programs that the suites need, and how to get each.
 *
 * @type {{ name: string, why: string, isThere: () => boolean, linux: string, darwin: string }[]}
 */
const tools = [
  {
    name: "wrk",
    why: "makes the load",
    // It has no way to say its version with success.
    isThere: () => ask("sh", ["-c", "command -v wrk"]) !== undefined,
    linux: "apt-get install wrk (Debian, Ubuntu), dnf install wrk (Fedora), pacman -S wrk (Arch)",
    darwin: "brew install wrk",
  },
  {
    name: "taskset",
    why: "holds server and load on cores of their own",
    isThere: () => process.platform === "darwin" || ask("taskset", ["--version"]) !== undefined,
    linux: "part of util-linux: apt-get install util-linux",
    darwin: "macOS has no pinning",
  },
  {
    name: "cargo",
    why: "builds the Axum servers",
    isThere: () => ask("cargo", ["--version"]) !== undefined,
    linux: "https://rustup.rs",
    darwin: "https://rustup.rs, or brew install rust",
  },
  {
    name: "go",
    why: "builds vegeta, for latency at fixed rates",
    isThere: () =>
      existsSync(path.join(toolsFolder, "vegeta/bin/vegeta")) || ask("go", ["version"]) !== undefined,
    linux: "apt-get install golang, or https://go.dev/dl",
    darwin: "brew install go",
  },
];

/**
 * What can be run here, what is missing, and how to install that.
 *
 * @param {{ only?: "list" }} [options]
 * @returns {Promise<string>}
 */
export async function overview({ only } = {}) {
  const suiteRows = [["suite", "asks", "servers"]];
  for (const suite of suites) {
    suiteRows.push([suite.name, suite.title, String(suite.contenders().length)]);
  }
  suiteRows.push(["router", "One lookup in a router", "see npm run bench -- router --help"]);
  const lines = [formatTable(suiteRows, ["left", "left", "left"])];
  if (only === "list") {
    const rows = [["contender", "stack", "runtime", "what it is"]];
    for (const id of listContenders()) {
      const { stack, runtime, title } = readContender(id);
      rows.push([id, stack, runtime, title]);
    }
    lines.push("", formatTable(rows, ["left", "left", "left", "left"]));
    return lines.join("\n");
  }
  const system = process.platform === "darwin" ? "darwin" : "linux";
  const toolRows = [["tool", "", "it"]];
  for (const { name, why, isThere, ...howTo } of tools) {
    toolRows.push([name, isThere() ? "is there" : "MISSING", isThere() ? why : `${why}: ${howTo[system]}`]);
  }
  lines.push(
    "",
    formatTable(toolRows, ["left", "left", "left"]),
    "",
    "Node.js 24 and 20 and both versions of Bun come from npm when a suite first needs them.",
    "Begin with: npm run bench -- typical --quick",
  );
  return lines.join("\n");
}
