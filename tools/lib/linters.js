import { join } from "node:path";
import { brokenLinks } from "../book/links.js";
import { namelessColumns } from "../book/tables.js";
import { run } from "./processes.js";

/**
 * What looks over the sources, each a program from node_modules.
 *
 * @type {{ title: string, program: string, args: string[], fixing?: string }[]}
 */
const LINTERS = [
  { title: "format and lint (Biome)", program: "biome", args: ["check"], fixing: "--write" },
  { title: "types (tsc)", program: "tsc", args: ["--project", "tsconfig.json"] },
  {
    title: "types of velocy (tsc)",
    program: "tsc",
    args: ["--project", "tsconfig.velocy.json"],
  },
  {
    title: "types of Part I and of programs (tsc)",
    program: "tsc",
    args: ["--project", "tsconfig.programs.json"],
  },
  {
    title: "types of what runs in a page (tsc)",
    program: "tsc",
    args: ["--project", "tsconfig.browser.json"],
  },
  { title: "spelling (cspell)", program: "cspell", args: ["--no-progress", "--no-summary"] },
  { title: "Markdown (markdownlint)", program: "markdownlint-cli2", args: [], fixing: "--fix" },
];

/** What looks over the pages, each a function of ours. */
const CHECKS = [
  { title: "links between pages", find: brokenLinks },
  { title: "names of tables' columns", find: namelessColumns },
];

/**
 * Runs every linter, one after the other; the quickest first.
 *
 * @param {string} root  the repository's root
 * @param {{ fixes?: boolean }} [options]  put right what a program can
 * @returns {AsyncGenerator<{ title: string, isClean: boolean, output: string }>}
 */
export async function* lint(root, { fixes = false } = {}) {
  for (const { title, find } of CHECKS) {
    const problems = find(root);
    yield { title, isClean: problems.length === 0, output: problems.join("\n") };
  }
  for (const { title, program, args, fixing } of LINTERS) {
    const all = fixes && fixing ? [...args, fixing] : args;
    const isWindows = process.platform === "win32";
    const path = join(root, "node_modules/.bin", isWindows ? `${program}.cmd` : program);
    const { code, output } = await run(path, all, { cwd: root, shell: isWindows });
    yield { title, isClean: code === 0, output: output.trim() };
  }
}
