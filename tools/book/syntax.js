import { parse } from "acorn";
import { Problem } from "./problem.js";

/** @import { Fence } from "./fence.js" */
/** @import { Line } from "./file-set.js" */

/** @type {import("acorn").Options} */
const MODULE = { ecmaVersion: "latest", sourceType: "module", allowHashBang: true };

/** A listing in the text may be a part of something: a body, a loop's inside. */
/** @type {import("acorn").Options} */
const FRAGMENT = {
  ...MODULE,
  allowReturnOutsideFunction: true,
  allowAwaitOutsideFunction: true,
  allowSuperOutsideMethod: true,
};

/**
 * Checks that a file that the listings made parses.
 *
 * A class that is built up over several listings may call a private method
 * that the next one brings, which is an error only once the file is run.
 *
 * @param {string} path
 * @param {Line[]} lines
 * @param {Fence} fence  the listing that last touched it
 * @param {{ isComplete: boolean }} options  whether the reader may run it now
 * @throws {Problem}
 */
export function checkFile(path, lines, fence, { isComplete }) {
  const text = lines.map((line) => line.text).join("\n");
  if (/\.[cm]?js$/.test(path)) {
    const sourceType = path.endsWith(".cjs") ? "script" : "module";
    const options = { ...MODULE, sourceType, checkPrivateFields: isComplete };
    try {
      parse(text, /** @type {import("acorn").Options} */ (options));
    } catch (err) {
      const { line, column, reason } = syntaxError(err);
      const source = lines[line - 1] ?? lines.at(-1) ?? { ...fence, text: "" };
      throw new Problem(source.chapter, source.line, `${path} doesn't parse: ${reason}`, [
        `${source.text}`,
        `${" ".repeat(column)}^  line ${line} of ${path}, after the listing of line ${fence.line}`,
      ]);
    }
  } else if (path.endsWith(".json")) {
    try {
      JSON.parse(text);
    } catch (err) {
      const reason = /** @type {Error} */ (err).message;
      throw new Problem(fence.chapter, fence.line, `${path} isn't valid JSON: ${reason}`);
    }
  }
}

/**
 * Checks that a js fence that makes no file parses: as a module, or else as
 * an expression or as members of a class.
 *
 * @param {Fence} fence
 * @throws {Problem}
 */
export function checkFragment(fence) {
  const text = fence.lines.join("\n");
  /** @type {unknown} */
  let first;
  for (const source of [text, `(${text}\n)`, `class Fragment {${text}\n}`]) {
    try {
      parse(source, FRAGMENT);
      return;
    } catch (err) {
      first ??= err;
    }
  }
  const { line, column, reason } = syntaxError(first);
  throw new Problem(fence.chapter, fence.line + line, `this listing doesn't parse: ${reason}`, [
    fence.lines[line - 1] ?? "",
    `${" ".repeat(column)}^`,
  ]);
}

/**
 * Visits every node of a syntax tree, each before those inside it.
 *
 * @param {any} node
 * @param {(node: any, parent: any) => void} see
 * @param {any} [parent]
 */
export function visitNodes(node, see, parent) {
  see(node, parent);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child?.type === "string") visitNodes(child, see, node);
    }
  }
}

/** @param {unknown} err  what acorn threw */
function syntaxError(err) {
  const { loc, message } =
    /** @type {{ loc: { line: number, column: number }, message: string }} */ (err);
  return { ...loc, reason: message.replace(/ \(\d+:\d+\)$/, "") };
}
