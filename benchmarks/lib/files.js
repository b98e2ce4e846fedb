import { mkdirSync, renameSync, writeFileSync } from "node:fs";
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
  "page.txt": textOf(16 * KIBIBYTE),
};

/** Lies beside the folder of files, where nobody is to read. */
export const secret = { name: "secret.txt", text: "not for everybody\n" };

/** The folder of files that the servers of a suite find in FILES. */
export const filesFolder = path.join(workFolder, "files/served");

/**
 * @param {string} [folder]
 * @returns {string} the folder, with the files written anew and the secret
 *   beside it
 */
export function writeFiles(folder = filesFolder) {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(fileTexts)) {
    writeFileSync(path.join(folder, name), text);
  }
  writeFileSync(path.join(folder, "..", secret.name), secret.text);
  return folder;
}

/**
 * Puts another file in a file's place, as whoever deploys does: nobody sees a
 * half of it, and who holds the old one open goes on reading that.
 *
 * @param {string} file
 * @param {string} text
 */
export function replaceFile(file, text) {
  const next = `${file}.next`;
  writeFileSync(next, text);
  renameSync(next, file);
}
