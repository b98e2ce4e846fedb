/**
 * `npm run walk`: does what the chapters say, as a reader would, and compares
 * what comes out with what the book shows and with the milestones in code/.
 */
import util from "node:util";
import { runMain } from "./lib/main.js";
import { lacks } from "./lib/programs.js";
import { ensureDependencies, ensurePinnedNode, root } from "./lib/setup.js";
import { UserError } from "./lib/user-error.js";

const USAGE = `npm run walk                      walk every chapter, compare with code/
npm run walk -- ch08              one chapter (or several: ch08 ch09)
npm run walk -- ch08 --write      write the files of code/ instead
npm run walk -- ch08 --accept     write what its sessions print into the chapter
npm run walk -- ch08 --measure    make the measurements anew that it shows
npm run walk -- --files           leave the sessions out: seconds instead of minutes
npm run walk -- --limit 30        wait 30 s for each output instead of 10`;

/** @import { Problem } from "./book/problem.js" */
/** @import { ChapterResult } from "./walk/walk.js" */

/** @returns {Promise<number>} the exit code */
async function main() {
  const { names, write, accept, measure, files, help, limit } = readArguments();
  if (help) {
    console.log(USAGE);
    return 0;
  }
  await ensureDependencies();
  const lacking = !files && lacks("bash", "curl");
  if (lacking) {
    throw new UserError(
      `The chapters' sessions can't be run: ${lacking}.\n` +
        "`npm run walk -- --files` compares the listings alone, and needs neither bash nor curl.",
    );
  }
  const node = await findNode();
  const { walk } = await import("./walk/walk.js");
  const progress = showProgress();
  const results = await walk({
    root,
    node,
    names,
    write,
    accept,
    measure,
    run: !files,
    limit,
    onStep: progress.step,
    onChapter: progress.chapter,
    onStale: progress.stale,
  }).finally(progress.end);
  const failed = results.filter(({ problems }) => problems.length > 0);
  console.log(`${results.length - failed.length} passed, ${failed.length} failed`);
  return failed.length === 0 ? 0 : 1;
}

function readArguments() {
  try {
    const { values, positionals } = util.parseArgs({
      allowPositionals: true,
      options: {
        write: { type: "boolean", default: false },
        accept: { type: "boolean", default: false },
        measure: { type: "boolean", default: false },
        files: { type: "boolean", default: false },
        limit: { type: "string", default: "10" },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    const limit = Number(values.limit) * 1000;
    if (!(limit > 0)) throw new UserError(`--limit takes a number of seconds\n\n${USAGE}`);
    if (values.accept && values.files) {
      throw new UserError(`--files runs nothing that --accept could write\n\n${USAGE}`);
    }
    if (values.measure && (values.files || values.accept)) {
      const other = values.files ? "--files" : "--accept";
      throw new UserError(`--measure doesn't go with ${other}\n\n${USAGE}`);
    }
    return { ...values, limit, names: positionals };
  } catch (err) {
    const { code = "", message } = /** @type {NodeJS.ErrnoException} */ (err);
    if (!code.startsWith("ERR_PARSE_ARGS")) throw err;
    throw new UserError(`${message}\n\n${USAGE}`);
  }
}

/** The pinned Node.js, or with a word about it the one that runs. */
async function findNode() {
  try {
    return await ensurePinnedNode();
  } catch (err) {
    if (!(err instanceof UserError)) throw err;
    console.error(err.message);
    console.error(`Walking on ${process.version} instead: some transcripts may differ.`);
    return process.execPath;
  }
}

/** One line a chapter and, on a terminal, one that shows what is under way. */
function showProgress() {
  const isTerminal = process.stdout.isTTY;
  /** @type {Map<string, string>} */
  const underWay = new Map();
  const clear = () => {
    if (isTerminal) process.stdout.write("\r\x1b[K");
  };
  const draw = () => {
    if (!isTerminal) return;
    const line = [...underWay.values()].join("   ");
    process.stdout.write(`\r\x1b[K${line.slice(0, process.stdout.columns - 1)}`);
  };
  return {
    /** @type {(name: string, done: number, of: number) => void} */
    step(name, done, of) {
      underWay.set(name, `${name.split("-")[0]} ${done}/${of}`);
      draw();
    },
    /** @param {ChapterResult} result */
    chapter(result) {
      underWay.delete(result.name);
      clear();
      console.log(summary(result));
      if (result.lacking) console.log(`     its sessions weren't run: ${result.lacking}`);
      for (const problem of result.problems) console.log(`\n${problem}\n`);
      draw();
    },
    /** @param {Problem[]} problems */
    stale(problems) {
      clear();
      console.log(`
What was written changes other chapters too. \`npm run walk -- --write\` writes them all:`);
      for (const { file, line, message } of problems)
        console.log(`     ${file}:${line}: ${message}`);
      console.log();
    },
    end: clear,
  };
}

/** @param {ChapterResult} result */
function summary({ name, listings, commands, written, duration, problems }) {
  const seconds = `${(duration / 1000).toFixed(1)} s`;
  const mark = problems.length === 0 ? "ok  " : "FAIL";
  const counts = [`${listings} listings`];
  if (commands !== undefined) counts.push(`${commands} commands`);
  const lines = [`${mark} ${name}: ${counts.join(", ")}, ${seconds}`];
  for (const path of written) lines.push(`     wrote ${path}`);
  return lines.join("\n");
}

await runMain(main);
