/** Labs: the place that a chapter gives to one, and the files that it runs. */

import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "acorn";
import { labs } from "../../assets/labs/labs.js";
import { Problem } from "../book/problem.js";
import { collectLabFiles, LabFilesError } from "../lib/lab-files.js";
import { renderFigure } from "./figure.js";
import { escapeHtml } from "./html.js";

/**
 * @import { LabDefinition } from "../../assets/labs/labs.js"
 * @import { Image } from "./figure.js"
 */

/** What starts every lab, from the book's root. */
const script = "assets/labs/start.js";

/**
 * The name of the lab that a comment asks for: `<!-- lab: radix-tree -->`.
 *
 * @param {string} html
 * @returns {string | undefined}
 */
export function labName(html) {
  return /^<!--\s*lab:\s*(\S+)\s*-->$/.exec(html.trim())?.[1];
}

/**
 * The place of a lab, with a figure in it for pages where no script runs.
 *
 * @param {string} name
 * @param {{ file: string, line: number }} comment
 * @param {{ folder: string, prefix: string, copied: string[] }} options the
 *   chapters' folder, what ids shall begin with, and the files that mdBook
 *   copies beside the pages (book.toml, additional-js)
 * @returns {string} HTML, on one line
 * @throws {Problem} when there is no such lab, a file isn't copied that it
 *   needs, or the milestone's files aren't what it needs
 */
export function renderLab(name, { file, line }, { folder, prefix, copied }) {
  const lab = Object.hasOwn(labs, name) ? labs[name] : undefined;
  if (!lab) {
    throw new Problem(file, line, `there is no lab ${name}`, [
      `there are ${Object.keys(labs).join(", ")}`,
    ]);
  }
  const root = path.dirname(folder);
  const missing = [...closureOf(root, [script])].filter((each) => !copied.includes(each));
  if (missing.length > 0) {
    throw new Problem(file, line, `the lab ${name} runs files that additional-js leaves out`, [
      "book.toml lacks",
      ...missing.map((each) => `  "${each}",`),
    ]);
  }
  const url = `../assets/figures/lab-${name}.svg`;
  /** @type {Image} */
  const image = { url, alt: lab.title, file, line };
  return (
    `<div class="lab" data-lab="${escapeHtml(name)}">` +
    renderFigure(image, { folder, prefix }) +
    `<p class="lab-note">${escapeHtml(lab.note)}</p>` +
    `${renderFiles(root, lab, { file, line })}</div>`
  );
}

/**
 * The milestone's files, for the lab to take from the page: mdBook copies files
 * as they are, and a lab reads private names.
 *
 * @param {string} root
 * @param {LabDefinition} lab
 * @param {{ file: string, line: number }} comment
 */
function renderFiles(root, lab, { file, line }) {
  try {
    // Nothing in it may look like the element's end.
    const json = JSON.stringify(collectLabFiles(root, lab)).replaceAll("<", "\\u003c");
    return `<script type="application/json" class="lab-files">${json}</script>`;
  } catch (err) {
    if (!(err instanceof LabFilesError)) throw err;
    throw new Problem(file, line, err.message);
  }
}

/**
 * Modules, and what they import.
 *
 * @param {string} root
 * @param {string[]} entries paths from the root, with slashes
 * @returns {Set<string>}
 */
function closureOf(root, entries) {
  /** @type {Set<string>} */
  const files = new Set();
  const waiting = [...entries];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    const location = path.join(root, file);
    if (files.has(file) || !existsSync(location)) continue;
    files.add(file);
    for (const specifier of importsOf(readFileSync(location, "utf8"))) {
      waiting.push(path.posix.join(path.posix.dirname(file), specifier));
    }
  }
  return files;
}

/**
 * @param {string} text of a module
 * @returns {string[]} what it imports by a relative path
 */
function importsOf(text) {
  const { body } = parse(text, { ecmaVersion: "latest", sourceType: "module" });
  return body
    .map((each) => ("source" in each && each.source ? String(each.source.value) : ""))
    .filter((specifier) => specifier.startsWith("."));
}
