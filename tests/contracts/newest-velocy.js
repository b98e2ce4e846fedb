import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const code = fileURLToPath(new URL("../../code/", import.meta.url));

/** The first milestone whose router can do all that the book promises. */
const COMPLETE_SINCE = "ch10";

/**
 * The newest milestone's velocy: `{ folder, velocy }`, or `null` while the
 * book has none that is complete.
 */
export async function newestVelocy() {
  const folder = process.env.VELOCY ?? newestFolder();
  if (folder === undefined) return null;
  const velocy = await import(pathToFileURL(join(folder, "index.js")).href);
  return { folder, velocy };
}

/**
 * The newest milestone's velocy once for each server that it runs on:
 * node:http, and its own engine when it has one.
 *
 * @returns {Promise<{ server: string, velocy: any }[]>}
 */
export async function newestServers() {
  const newest = await newestVelocy();
  if (newest === null) return [];
  const { folder, velocy } = newest;
  const servers = [{ server: "node:http", velocy }];
  const engine = join(folder, "lib/engine/index.js");
  if (!existsSync(engine)) return servers;
  const { createServer } = await import(pathToFileURL(engine).href);
  return [...servers, { server: "the engine", velocy: { ...velocy, createServer } }];
}

function newestFolder() {
  const names = readdirSync(code)
    .filter((name) => /^ch\d\d-/.test(name))
    // Some chapters make something else.
    .filter((name) => existsSync(join(code, name, "index.js")))
    .sort();
  const name = names.filter((name) => name >= COMPLETE_SINCE).at(-1);
  return name && join(code, name);
}
