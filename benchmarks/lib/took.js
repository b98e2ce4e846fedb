import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { estimatesFile, workFolder } from "./paths.js";

/** What installing took on this machine, when it was done. */
const ownFile = path.join(workFolder, "took.json");

/**
 * @param {string} file
 * @returns {{ seconds: Record<string, number> }}
 */
function read(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return { seconds: {} };
  }
}

/**
 * What it took to install each thing: on this machine, where that was
 * measured, or else on one of ours.
 *
 * @returns {Record<string, number>} seconds by key
 */
export function readTook() {
  return { ...read(estimatesFile).seconds, ...read(ownFile).seconds };
}

/**
 * Notes what an installation took, for the next time that it is needed.
 *
 * @template T
 * @param {string} key
 * @param {() => Promise<T>} install
 * @returns {Promise<T>}
 */
export async function timed(key, install) {
  const start = Date.now();
  const result = await install();
  const seconds = { ...read(ownFile).seconds, [key]: (Date.now() - start) / 1000 };
  mkdirSync(workFolder, { recursive: true });
  writeFileSync(ownFile, `${JSON.stringify({ seconds }, undefined, 2)}\n`);
  return result;
}
