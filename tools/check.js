/**
 * `npm run check -- ch03 FOLDER`: runs a chapter's tests on the reader's own
 * folder, and says in the chapter's words what fails and where it is explained.
 */
import { resolve } from "node:path";
import util from "node:util";
import { runMain } from "./lib/main.js";
import { ensureDependencies, root } from "./lib/setup.js";
import { UserError } from "./lib/user-error.js";

const USAGE = `npm run check -- ch03 FOLDER                  checks your folder for chapter 3
npm run check -- ch03 FOLDER --diff           and shows where it differs from the book
npm run check -- ch03 FOLDER --challenge 2    checks the chapter's second challenge`;

/** @returns {Promise<number>} 0 when all passes, 1 when something fails */
async function main() {
  const { values, positionals } = readArguments();
  if (values.help || (positionals.length === 0 && Object.keys(values).length === 0)) {
    console.log(USAGE);
    return 0;
  }
  await ensureDependencies();
  const { check } = await import("./check/check.js");
  const [chapter, folder, ...others] = positionals;
  if (!chapter || !folder || others.length > 0) {
    throw new UserError(`Name one chapter and one folder.\n\n${USAGE}`);
  }
  // npm runs its scripts in the repository's root, wherever it was called.
  const from = process.env.INIT_CWD ?? process.cwd();
  return check({
    root,
    chapter,
    folder: resolve(from, folder),
    challenge: values.challenge,
    showsDifference: values.diff ?? false,
    print: (line) => console.log(line),
  });
}

function readArguments() {
  try {
    return util.parseArgs({
      allowPositionals: true,
      options: {
        diff: { type: "boolean" },
        challenge: { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (err) {
    throw new UserError(`${/** @type {Error} */ (err).message}\n\n${USAGE}`);
  }
}

await runMain(main);
