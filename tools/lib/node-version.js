// Read by every Node.js that knows modules: no syntax younger than that here.

import { readFileSync } from "node:fs";

/** The oldest Node.js that the book's code and tools run on. */
export const oldestNode = "20.19";

/** The version of the Node.js that the book's transcripts come from. */
export const pinnedVersion = readFileSync(
  new URL("../../.node-version", import.meta.url),
  "utf8",
).trim();

/**
 * Says so, and sets the exit status, when this Node.js is too old for the
 * project.
 *
 * @returns {boolean} whether it is new enough
 */
export function isNodeNewEnough() {
  const version = process.versions.node;
  if (isAtLeast(version, oldestNode)) return true;
  console.error(
    "This needs Node.js " +
      oldestNode +
      " or later, and this is " +
      version +
      ". " +
      "Get a newer one at https://nodejs.org or by your version manager, then run it again.",
  );
  process.exitCode = 1;
  return false;
}

/**
 * @param {string} version
 * @param {string} oldest
 * @returns {boolean}
 */
export function isAtLeast(version, oldest) {
  const [major, minor] = version.split(".").map(Number);
  const [oldestMajor, oldestMinor] = oldest.split(".").map(Number);
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}
