import { fileURLToPath } from "node:url";
import { ownLoadCommand, parseOwnLoad } from "./own-load.js";
import { browserFields, jsonBody, jsonFields } from "./requests.js";
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

/** @type {Generator} */
export const browserWrk = {
  name: "wrk, with ten fields of a browser's",
  command: (load) => wrkCommand({ ...load, script: script("report.lua"), headers: browserFields }),
  parse: parseWrk,
};

/** @type {Generator} */
export const postingWrk = {
  name: "wrk, posting JSON",
  command: (load) => [
    ...wrkCommand({ ...load, script: script("post.lua"), headers: jsonFields }),
    "--",
    jsonBody,
  ],
  parse: parseWrk,
};

/** @type {Generator} */
export const secureWrk = {
  name: "wrk, over TLS",
  command: (load) => [
    "env",
    `OPENSSL_CONF=${script("one-cipher.cnf")}`,
    ...wrkCommand({
      ...load,
      url: load.url.replace("http:", "https:"),
      script: script("report.lua"),
    }),
  ],
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
