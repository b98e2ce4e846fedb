import { leadOf, openLoadCommand, parseOpenLoad } from "./open-load.js";
import { parseVegeta, vegetaCommand } from "./vegeta.js";

/** @import { RateResult } from "./vegeta.js" */

/**
 * A load generator that asks at a rate, whatever the server does.
 *
 * @typedef {object} OpenGenerator
 * @property {string} name
 * @property {(load: OpenLoad) => string[]} command
 * @property {(cores: number) => NodeJS.ProcessEnv} env given how many it has
 * @property {(connections: number, perSecond: number) => number} lead how many
 *   seconds it takes before the first request that counts
 * @property {(output: string) => RateResult} parse
 */

/**
 * @typedef {object} OpenLoad
 * @property {string} url
 * @property {number} perSecond
 * @property {number} seconds
 * @property {number} connections
 * @property {string} file that it may write to
 */

/**
 * Ours: times each request from when it was due, and says how late it was.
 *
 * @type {OpenGenerator}
 */
export const openLoad = {
  name: "our own, with a clock",
  command: openLoadCommand,
  env: () => ({}),
  lead: leadOf,
  parse: parseOpenLoad,
};

/**
 * Times each request from when it was sent.
 *
 * @type {OpenGenerator}
 */
export const vegeta = {
  name: "vegeta",
  command: vegetaCommand,
  // Less of it is collected, so more of the core is left to ask with.
  env: (cores) => ({ GOGC: "400", GOMAXPROCS: String(cores) }),
  lead: () => 0,
  parse: parseVegeta,
};
