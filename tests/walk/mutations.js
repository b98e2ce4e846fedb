/**
 * Asks whether the walker sees what it should: changes one character of a
 * listing, of a session's output or of a hunk's place, in a copy of the book,
 * and walks. `node tests/walk/mutations.js --count 40 --seed 1`
 *
 * `--chapter ch08` stays in a chapter, `--kind place` with one kind; the kind
 * `replaced` is of listings' lines that the chapter itself replaces, so that
 * only what is run in between can tell.
 *
 * Not chosen is what the walker leaves open on purpose: output that it
 * normalises. A change that leaves the program as it is (in a comment, say) of
 * a listing that a later one replaces can't be seen in any milestone: it is
 * counted, and another is made.
 */
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { tokenizer } from "acorn";
import { buildAll } from "../../tools/book/build.js";
import { runMain } from "../../tools/lib/main.js";
import { ensurePinnedNode, root } from "../../tools/lib/setup.js";
import { UserError } from "../../tools/lib/user-error.js";
import { normalise } from "../../tools/walk/normalise.js";
import { readChapters, walk } from "../../tools/walk/walk.js";

/** @import { Build } from "../../tools/book/build.js" */
/** @import { Action } from "../../tools/book/transcript.js" */
/** @import { Problem } from "../../tools/book/problem.js" */

/** What is changed, each as often as the others. */
const KINDS = /** @type {const} */ (["listing", "transcript", "place"]);

/** What may come in place of a character, or before it. */
const CHARACTERS = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));

/**
 * A line of the book that can be changed.
 *
 * @typedef {object} Target
 * @property {typeof KINDS[number]} kind
 * @property {Build} build  of its chapter
 * @property {number} line  of the chapter, from 1
 * @property {string} text  without what a list or a quotation puts before it
 * @property {boolean} [isReplaced]  whether it is in no milestone
 * @property {Action} [action]  whose output it is, unless that is a file's
 *
 * @typedef {Target & { changed: string }} Mutation
 */

/** @returns {Promise<number>} the exit code */
async function main() {
  const { values } = parseArgs({
    options: {
      count: { type: "string", default: "40" },
      seed: { type: "string", default: "1" },
      chapter: { type: "string", default: "" },
      kind: { type: "string", default: "" },
    },
  });
  const random = randomFrom(Number(values.seed));
  const node = await ensurePinnedNode();
  const copy = copyBook();
  const targets = findTargets(copy).filter(
    ({ build, kind, isReplaced }) =>
      build.chapter.name.startsWith(values.chapter) &&
      ["", kind, isReplaced && "replaced"].includes(values.kind),
  );
  if (targets.length === 0) throw new UserError("There is nothing of that kind to change.");
  const counts = { caught: 0, slipped: 0, unseen: 0 };
  await checkBaseline(copy, node, "", false);
  /** Chapters whose sessions are right as they are. @type {Set<string>} */
  const sound = new Set();
  while (counts.caught + counts.slipped < Number(values.count)) {
    const mutation = mutate(targets, random);
    const { name } = mutation.build.chapter;
    const reason = await walkMutation(mutation, copy, async (options) => {
      if (options.run && !sound.has(name)) {
        await checkBaseline(copy, node, name, true);
        sound.add(name);
      }
      return { ...options, node };
    });
    const verdict = reason ? "caught" : isUnseen(mutation, copy) ? "unseen" : "slipped";
    counts[verdict]++;
    report(verdict, mutation, reason);
  }
  console.log(
    `${counts.caught} caught, ${counts.slipped} slipped through, ` +
      `${counts.unseen} in what a later listing replaces and no program tells`,
  );
  return counts.slipped === 0 ? 0 : 1;
}

/** A copy of the book that goes when we end. */
function copyBook() {
  const copy = mkdtempSync(join(tmpdir(), "mutations-"));
  process.once("exit", () => rmSync(copy, { recursive: true, force: true }));
  for (const folder of ["chapters", "code"]) {
    cpSync(join(root, folder), join(copy, folder), { recursive: true });
  }
  symlinkSync(join(root, "benchmarks"), join(copy, "benchmarks"));
  symlinkSync(join(root, "package.json"), join(copy, "package.json"));
  return copy;
}

/**
 * @param {string} copy
 * @param {string} node
 * @param {string} name  of a chapter, or "" for all
 * @param {boolean} run
 */
async function checkBaseline(copy, node, name, run) {
  const results = await walk({ root: copy, node, names: name ? [name] : [], run });
  const problems = results.flatMap((result) => result.problems);
  if (problems.length === 0) return;
  throw new UserError(`The book has problems before anything is changed:\n${problems.join("\n")}`);
}

/**
 * @param {string} copy
 * @returns {Target[]}
 */
function findTargets(copy) {
  /** @type {Target[]} */
  const targets = [];
  for (const build of buildAll(readChapters(copy))) {
    const { files } = build;
    const made = new Set(files.paths.flatMap((path) => files.lines(path) ?? []));
    const isIn = new Set([...made].map(({ chapter, line }) => `${chapter}:${line}`));
    for (const { language, file, line, lines } of build.chapter.fences) {
      for (const [index, text] of lines.entries()) {
        if (file === undefined || text.trim() === "") continue;
        const kind = text.startsWith("@@") ? "place" : "listing";
        const isPlace = language === "diff" && kind === "place";
        if (isPlace && text === "@@") continue;
        const at = line + 1 + index;
        const isMade = language !== "diff" || text.startsWith("+");
        const isReplaced = isMade && !isIn.has(`${build.chapter.file}:${at}`);
        targets.push({ kind: isPlace ? kind : "listing", build, line: at, text, isReplaced });
      }
    }
    for (const step of build.steps) {
      if (step.kind !== "console") continue;
      for (const action of step.actions) {
        for (const [index, text] of action.output.entries()) {
          if (text === "") continue;
          const line = action.outputLine + index;
          const isRun = step.fence.raw === undefined;
          targets.push({ kind: "transcript", build, line, text, ...(isRun && { action }) });
        }
      }
    }
  }
  return targets;
}

/**
 * @param {Target[]} targets
 * @param {() => number} random
 * @returns {Mutation}
 */
function mutate(targets, random) {
  const pick = (/** @type {readonly any[]} */ list) => list[Math.floor(random() * list.length)];
  const kind = pick(KINDS.filter((each) => targets.some((target) => target.kind === each)));
  for (;;) {
    const target = pick(targets.filter((each) => each.kind === kind));
    const at = Math.floor(random() * target.text.length);
    const inserted = pick(["", pick(CHARACTERS), pick(CHARACTERS)]);
    const end = at + (inserted === "" ? 1 : pick([0, 1]));
    const changed = target.text.slice(0, at) + inserted + target.text.slice(end);
    if (changed === target.text || isNormalised(target, changed)) continue;
    return { ...target, changed };
  }
}

/**
 * Whether the walker takes a session's line and the changed one for the same,
 * or for a command.
 *
 * @param {Target} target
 * @param {string} changed
 */
function isNormalised({ action, kind, line }, changed) {
  if (kind === "transcript" && (/^\$ /.test(changed) || changed === "^C")) return true;
  if (!action) return false;
  const output = action.output.with(line - action.outputLine, changed);
  const texts = (/** @type {string[]} */ lines) => normalise(lines).map(({ text }) => text);
  return texts(output).join("\n") === texts(action.output).join("\n");
}

/**
 * Walks the book with a change in it: first its files, and if they tell
 * nothing, the chapter's sessions.
 *
 * @param {Mutation} mutation
 * @param {string} copy
 * @param {(options: { run: boolean }) => Promise<{ run: boolean, node: string }>} prepare
 * @returns {Promise<string | undefined>} what was found
 */
async function walkMutation(mutation, copy, prepare) {
  const { chapter } = mutation.build;
  const path = join(copy, chapter.file);
  for (const run of [false, true]) {
    const options = await prepare({ run });
    writeFileSync(path, textWith(mutation));
    try {
      const names = run ? [chapter.name] : [];
      const results = await walk({ root: copy, names, ...options });
      const problems = results.flatMap((result) => result.problems);
      // What is wrong is told by its line, but for a listing that other lines build upon.
      const isTold = (/** @type {Problem} */ { file, line }) =>
        file === chapter.file && line === mutation.line;
      const problem = problems.find(mutation.kind === "listing" ? Boolean : isTold);
      if (problem) return `${problem.file}:${problem.line}: ${problem.message}`;
    } finally {
      writeFileSync(path, chapter.text);
    }
  }
  return undefined;
}

/** @param {Mutation} mutation */
function textWith({ build, line, text, changed }) {
  const lines = build.chapter.text.split("\n");
  const before = lines[line - 1];
  lines[line - 1] = before.slice(0, before.lastIndexOf(text)) + changed;
  return lines.join("\n");
}

/**
 * Whether a change is in what no milestone holds, and leaves the program as it
 * is to Node.js.
 *
 * @param {Mutation} mutation
 * @param {string} copy
 */
function isUnseen(mutation, copy) {
  if (mutation.kind !== "listing") return false;
  const { chapter, steps } = mutation.build;
  const [before, after] = [chapter.text, textWith(mutation)].map((text) => {
    writeFileSync(join(copy, chapter.file), text);
    const build = buildAll(readChapters(copy)).find((each) => each.chapter.file === chapter.file);
    return (build?.steps ?? []).map((step) => (step.kind === "file" ? tokensOf(step) : ""));
  });
  writeFileSync(join(copy, chapter.file), chapter.text);
  return before.length === steps.length && before.join("\n") === after.join("\n");
}

/** @param {{ path: string, text: string }} file */
function tokensOf({ path, text }) {
  if (!/\.[cm]?js$/.test(path)) return text;
  const options = { ecmaVersion: "latest", sourceType: "module", allowHashBang: true };
  const tokens = tokenizer(text, /** @type {import("acorn").Options} */ (options));
  return [...tokens].map(({ start, end }) => text.slice(start, end)).join(" ");
}

/**
 * @param {string} verdict
 * @param {Mutation} mutation
 * @param {string} [reason]
 */
function report(verdict, { kind, build, line, text, changed }, reason) {
  console.log(`${verdict.padEnd(7)} ${kind.padEnd(10)} ${build.chapter.file}:${line}`);
  console.log(`          - ${text}\n          + ${changed}`);
  if (reason) console.log(`          ${reason.split("\n")[0].slice(0, 150)}`);
}

/**
 * Numbers from 0 to 1, the same for the same seed.
 *
 * @param {number} seed
 */
function randomFrom(seed) {
  let state = (seed * 2_654_435_761 + 1) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
}

await runMain(main);
