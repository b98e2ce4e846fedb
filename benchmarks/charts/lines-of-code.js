import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { milestonesFolder } from "../lib/paths.js";

/**
 * @param {string} folder of a milestone
 * @returns {string[]} the files of its library
 */
function listSources(folder) {
  const library = path.join(folder, "lib");
  const names = readdirSync(library).filter((name) => name.endsWith(".js"));
  return names.map((name) => path.join(library, name));
}

/**
 * The lines of a milestone's library that hold code: neither empty nor only a
 * comment.
 *
 * @param {string | undefined} milestone
 * @returns {number | undefined} nothing when it isn't a milestone
 */
export function countLines(milestone) {
  if (milestone === undefined) return undefined;
  const folder = path.join(milestonesFolder, milestone);
  if (!existsSync(folder)) return undefined;
  return listSources(folder)
    .flatMap((file) => readFileSync(file, "utf8").split("\n"))
    .filter((line) => !/^\s*(?:$|\/\/|\/?\*)/.test(line)).length;
}
