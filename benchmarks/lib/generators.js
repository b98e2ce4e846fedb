import { fileURLToPath } from "node:url";
import { ownLoadCommand, parseOwnLoad } from "./own-load.js";
import { parseRewrk, rewrkCommand } from "./rewrk.js";
import { parseWrk, wrkCommand } from "./wrk.js";

/** @import { LoadResult } from "./wrk.js" */

/**
 * A load generator that keeps each connection busy with one request after
 * another.
 *
 * @typedef {object} Generator
 * @property {string} name
 * @property {number} [depth] how many requests it sends at a time on one
 *   connection, if not one
 * @property {(load: Load) => string[]} command
 * @property {(output: string) => LoadResult} parse
 */

/**
 * @typedef {object} Load
 * @property {string} url
 * @property {number} connections
 * @property {number} threads
 * @property {number} seconds
 */

const script = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));

/** @type {Generator} */
export const wrk = {
  name: "wrk",
  command: (load) => wrkCommand({ ...load, script: script("report.lua") }),
  parse: parseWrk,
};

/** @type {Generator} */
export const pipeliningWrk = {
  name: "wrk, pipelining",
  depth: 16,
  command: (load) => wrkCommand({ ...load, script: script("pipeline.lua") }),
  parse: parseWrk,
};

/**
 * Asks each server to close the connection after its answer, and connects
 * anew for the next request.
 *
 * @type {Generator}
 */
export const closingWrk = {
  name: "wrk, a connection for each request",
  command: (load) =>
    wrkCommand({ ...load, script: script("report.lua"), headers: ["connection: close"] }),
  parse: parseWrk,
};

/** What a browser sends beside Host, for a request from a page's script. */
const BROWSER_FIELDS = [
  "Connection: keep-alive",
  "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
  "Accept: application/json",
  "Accept-Language: en-US,en;q=0.5",
  "Accept-Encoding: gzip, deflate, br, zstd",
  "Referer: http://localhost:3000/users/testing",
  "Cookie: session=3f1c9a0e5b7d4c2f8a6e; theme=dark",
  "Sec-Fetch-Dest: empty",
  "Sec-Fetch-Mode: cors",
  "Sec-Fetch-Site: same-origin",
];

/** @type {Generator} */
export const browserWrk = {
  name: "wrk, with ten fields of a browser's",
  command: (load) => wrkCommand({ ...load, script: script("report.lua"), headers: BROWSER_FIELDS }),
  parse: parseWrk,
};

/** @type {Generator} */
export const ownLoad = {
  name: "chapter 24's load.js",
  command: ownLoadCommand,
  parse: parseOwnLoad,
};

/** @type {Generator} */
export const rewrk = { name: "rewrk", command: rewrkCommand, parse: parseRewrk };
