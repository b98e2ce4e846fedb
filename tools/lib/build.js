import { spawnSync } from "node:child_process";
import path from "node:path";
import { ensureMdbook } from "./mdbook.js";
import { ensureDependencies, root, SetupError } from "./setup.js";

/**
 * Sets up what is missing and builds the book. Failure is a message and an
 * exit status.
 *
 * @param {string} [destination] a folder; book/ unless given
 */
export async function build(destination = path.join(root, "book")) {
  try {
    await ensureDependencies();
    const mdbook = await ensureMdbook();
    runMdbook(mdbook, { destination: path.resolve(destination), output: "inherit" });
    console.log(`The book is in ${path.relative(process.cwd(), destination) || "."}`);
  } catch (err) {
    if (!(err instanceof SetupError)) throw err;
    if (err.output) console.error(err.output.trimEnd());
    console.error(err.message);
    process.exitCode = 1;
  }
}

/**
 * Runs `mdbook build`.
 *
 * @param {string} mdbook the executable, from ensureMdbook()
 * @param {object} options
 * @param {string} options.destination an absolute path
 * @param {string} [options.book] the folder that holds book.toml
 * @param {"inherit" | "pipe"} [options.output] where mdBook's messages go
 * @returns {string} what it printed, when piped
 * @throws {SetupError} when the build fails
 */
export function runMdbook(mdbook, { destination, book = root, output = "pipe" }) {
  const { status, stdout, stderr } = spawnSync(
    mdbook,
    ["build", "--dest-dir", destination, book],
    { encoding: "utf8", stdio: ["ignore", output, output] },
  );
  const printed = output === "pipe" ? stdout + stderr : "";
  if (status !== 0) throw new SetupError("The book could not be built.", printed);
  return printed;
}
