import { readSettings } from "../options.js";
import { listContenders, readContender } from "./contenders.js";
import { about, forecast } from "./forecast.js";
import { outputOf } from "./machine.js";
import { suites } from "./suites.js";
import { formatTable } from "./table.js";
import { isThere, tools } from "./tools.js";

/** What is no load generator but needed all the same. */
const others = [
  {
    name: "taskset",
    why: "holds server and load on cores of their own",
    isThere: () =>
      process.platform === "darwin" || outputOf("taskset", ["--version"]) !== undefined,
    howTo: { linux: "part of util-linux: apt-get install util-linux", darwin: "" },
  },
  {
    name: "cargo",
    why: "builds the Axum servers and rewrk",
    isThere: () => outputOf("cargo", ["--version"]) !== undefined,
    howTo: { linux: "https://rustup.rs", darwin: "https://rustup.rs, or brew install rust" },
  },
  {
    name: "go",
    why: "builds the server on Go's net/http, and vegeta",
    isThere: () => outputOf("go", ["version"]) !== undefined,
    howTo: {
      linux: "apt-get install golang, or https://go.dev/dl",
      darwin: "brew install go",
    },
  },
  {
    name: "openssl",
    why: "makes the key for the suite tls",
    isThere: () => outputOf("openssl", ["version"]) !== undefined,
    howTo: { linux: "apt-get install openssl", darwin: "part of macOS" },
  },
];

/**
 * What can be run here, what is missing, and how to install that.
 *
 * @param {{ only?: "list" }} [options]
 * @returns {Promise<string>}
 */
export async function overview({ only } = {}) {
  const suiteRows = [["suite", "asks", "servers", "takes", "installing"]];
  for (const suite of suites) {
    const asks = suite.isLab ? `How to be wrong: ${suite.title.toLowerCase()}` : suite.title;
    const { measuring, installing, items } = forecast(suite, { settings: readSettings({}) });
    suiteRows.push([
      ...[suite.name, asks, String(suite.contenders().length), about(measuring)],
      items.length === 0 ? "" : about(installing),
    ]);
  }
  suiteRows.push([
    "router",
    "One look-up in a router",
    "",
    "see npm run bench -- router --help",
    "",
  ]);
  const lines = [formatTable(suiteRows, ["left", "left", "right", "left", "left"])];
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
  for (const tool of tools) {
    const state = isThere(tool) ? "is there" : tool.canBeHad() ? "is built when needed" : "MISSING";
    const howTo = state === "MISSING" ? `: ${tool.howTo[system]}` : "";
    toolRows.push([tool.name, state, `${tool.why}${howTo}`]);
  }
  for (const { name, why, howTo, ...tool } of others) {
    const there = tool.isThere();
    toolRows.push([name, there ? "is there" : "MISSING", there ? why : `${why}: ${howTo[system]}`]);
  }
  lines.push(
    "",
    formatTable(toolRows, ["left", "left", "left"]),
    "",
    "Node.js at five versions and Bun at two come from npm when a suite first needs them.",
    "Begin with: npm run bench -- typical --quick. Each suite says beforehand how long it takes.",
  );
  return lines.join("\n");
}
