import { spawn } from "node:child_process";
import { join } from "node:path";

/**
 * What looks over the sources, each a program from node_modules.
 *
 * @type {{ title: string, program: string, args: string[], fixing?: string }[]}
 */
const LINTERS = [
  { title: "format and lint (Biome)", program: "biome", args: ["check"], fixing: "--write" },
  { title: "types (tsc)", program: "tsc", args: ["--project", "tsconfig.json"] },
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

/**
 * Runs every linter, one after the other.
 *
 * @param {string} root  the repository's root
 * @param {{ fixes?: boolean }} [options]  put right what a program can
 * @returns {AsyncGenerator<{ title: string, isClean: boolean, output: string }>}
 */
export async function* lint(root, { fixes = false } = {}) {
  for (const { title, program, args, fixing } of LINTERS) {
    const all = fixes && fixing ? [...args, fixing] : args;
    const { code, output } = await run(root, program, all);
    yield { title, isClean: code === 0, output: output.trim() };
  }
}

/**
 * @param {string} root
 * @param {string} program
 * @param {string[]} args
 * @returns {Promise<{ code: number, output: string }>}
 */
function run(root, program, args) {
  const isWindows = process.platform === "win32";
  const path = join(root, "node_modules/.bin", isWindows ? `${program}.cmd` : program);
  return new Promise((resolve) => {
    const child = spawn(path, args, {
      cwd: root,
      shell: isWindows,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const stop = () => child.kill();
    process.once("exit", stop);
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => {
        output += text;
      });
    }
    const finish = (/** @type {number} */ code) => {
      process.off("exit", stop);
      resolve({ code, output });
    };
    child.once("error", (err) => {
      output += err.message;
      finish(127);
    });
    child.once("close", (code) => finish(code ?? 1));
  });
}
