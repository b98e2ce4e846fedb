/** The appendix Security: each of its rows names a section and a test. */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ROW = /^\| (.+?) \| \[[^\]]+\]\(([^)]+)\) \| `([^`]+)`: "(.+)" \|$/;

/**
 * @param {string} root of the book
 * @param {string} text of the page
 * @returns {string[]} what is wrong with its table
 */
export function wrongRows(root, text) {
  const [, , ...rows] = text.split("\n").filter((line) => line.startsWith("|"));
  if (rows.length === 0) return ["there is no table"];
  return rows.flatMap((row) => problemWith(root, row) ?? []);
}

/**
 * @param {string} root
 * @param {string} row
 * @returns {string | undefined}
 */
function problemWith(root, row) {
  const match = ROW.exec(row);
  if (match === null) return `not an attack, a section and a test: ${row}`;
  const [, attack, section, file, words] = match;
  // Whether the chapter has the section is the matter of links.js.
  const [chapter, anchor] = section.split("#");
  if (!existsSync(join(root, "chapters", chapter))) return `${attack}: there is no ${chapter}`;
  if (!anchor) return `${attack}: ${chapter} is a chapter, and not a section`;
  if (!existsSync(join(root, file))) return `${attack}: there is no ${file}`;
  if (readFileSync(join(root, file), "utf8").includes(words)) return undefined;
  return `${attack}: ${file} has no test "${words}"`;
}
