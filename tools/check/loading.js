import { existsSync } from "node:fs";
import { posix } from "node:path";

/**
 * Why the reader's files couldn't be loaded.
 *
 * @typedef {object} Reason
 * @property {string[]} said  lines for the report
 * @property {string} [path]  the file at fault, from the reader's folder
 * @property {string} [words]  what its listing in the book holds
 * @property {string} [hint]  a sentence
 */

/**
 * Reads what Node said of files that it couldn't load.
 *
 * @param {string} stderr
 * @param {string} folder  where they are
 * @returns {Reason}
 */
export function whyItDidNotLoad(stderr, folder) {
  const text = withoutFolder(stderr, folder);
  return missingFile(text) ?? missingExport(text, folder) ?? missingName(text) ?? other(text);
}

/**
 * @param {string} text
 * @returns {Reason | undefined}
 */
function missingFile(text) {
  const [, path, from] = /Cannot find module '([^']+)'(?: imported from (\S+))?/.exec(text) ?? [];
  if (!path) return undefined;
  const by = from && !isTest(from) ? `, and ${from} imports it` : "";
  return { said: [`there is no ${path} in your folder${by}`], path };
}

/**
 * @param {string} text
 * @param {string} folder
 * @returns {Reason | undefined}
 */
function missingExport(text, folder) {
  const pattern = /The requested module '([^']+)' does not provide an export named '([^']+)'/;
  const [, specifier, name] = pattern.exec(text) ?? [];
  if (!specifier) return undefined;
  const from = placeOf(text)?.path ?? "";
  const isOwn = !specifier.startsWith(".");
  const path = isOwn ? "index.js" : posix.join(posix.dirname(from), specifier);
  const who = isTest(from) ? "the chapter's tests import it" : `${from} imports it`;
  return {
    said: [`${path} exports no ${name}, and ${who}`],
    path: existsSync(posix.join(folder, path)) ? path : undefined,
    words: name === "default" ? "default" : name,
    hint: `Look how ${name} is spelled, and whether \`export\` stands before it.`,
  };
}

/**
 * @param {string} text
 * @returns {Reason | undefined}
 */
function missingName(text) {
  const name = /Cannot find package '([^']+)'/.exec(text)?.[1];
  if (!name) return undefined;
  return {
    said: [`there is no package ${name}: package.json gives your folder its name`],
    path: "package.json",
    words: "name",
  };
}

/**
 * @param {string} text
 * @returns {Reason}
 */
function other(text) {
  const said = text.split("\n").filter((line) => !/^\s+at |^Node\.js v|^\(node:|^\s*$/.test(line));
  const path = placeOf(text)?.path;
  return { said, path: path && !isTest(path) ? path : undefined };
}

/**
 * The file and line with which Node begins what it says of an error.
 *
 * @param {string} text
 */
function placeOf(text) {
  const [, path, line] = /^([^\s:]+\.[cm]?js):(\d+)$/m.exec(text) ?? [];
  return path ? { path, line: Number(line) } : undefined;
}

/** @param {string} path */
function isTest(path) {
  return path.startsWith("test/") || path.includes("contracts/");
}

/**
 * @param {string} text
 * @param {string} folder  whose path is taken out of the text
 */
export function withoutFolder(text, folder) {
  return text.replaceAll(`file://${folder}/`, "").replaceAll(`${folder}/`, "");
}
