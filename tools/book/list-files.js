import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/**
 * Every file of a folder, as paths with forward slashes, sorted.
 *
 * @param {string} folder
 * @returns {string[]}
 */
export function listFiles(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => !path.split("/").includes("node_modules"))
    .sort();
}
