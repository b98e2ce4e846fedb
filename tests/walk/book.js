import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { walk } from "../../tools/walk/walk.js";

/**
 * A book of a test's own, in a temporary folder.
 *
 * @param {import("node:test").TestContext} t  the folder goes when it ends
 * @param {Record<string, string>} files  texts by path
 * @returns {string} the folder
 */
export function makeBook(t, files) {
  const root = mkdtempSync(join(tmpdir(), "book-"));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

/**
 * Walks a book and gives its problems as they are printed.
 *
 * @param {string} root
 * @param {Partial<import("../../tools/walk/walk.js").WalkOptions>} [options]
 */
export async function problemsOf(root, options = {}) {
  const results = await walk({ root, node: process.execPath, limit: 2_000, ...options });
  return results.flatMap(({ problems }) => problems.map(String));
}

/**
 * Walks one chapter that is given by its text, its milestone written first.
 * Fences are made of tildes so that they can stand in a template.
 *
 * @param {import("node:test").TestContext} t
 * @param {string} text  what follows the chapter's first line
 * @param {Record<string, string>} [files]  others of the book
 */
export async function problemsIn(t, text, files = {}) {
  const chapter = `<!-- milestone: ch01-one -->\n${text}`;
  const root = makeBook(t, { "chapters/ch01-one.md": chapter, ...files });
  return problemsOf(root, { write: true });
}
