import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { workFolder } from "./paths.js";

export const KIBIBYTE = 1024;

/** A line of 64 bytes, so often that it makes the length. */
export const textOf = (/** @type {number} */ bytes) =>
  `${"wire ".repeat(12)}end\n`.repeat(bytes / 64);

/** The files that the suites of files ask for, by their names. */
export const fileTexts = {
  "small.txt": textOf(KIBIBYTE),
  "large.txt": textOf(KIBIBYTE * KIBIBYTE),
};

/** @returns {string} the folder in which they lie, written anew */
export function writeFiles() {
  const folder = path.join(workFolder, "files");
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(fileTexts)) {
    writeFileSync(path.join(folder, name), text);
  }
  return folder;
}
