import process from "node:process";
import { readOptions } from "../tools/lib/options.js";
import { UserError } from "../tools/lib/user-error.js";

/** @import { ParseArgsOptionsConfig } from "node:util" */

/**
 * Suites that don't put servers side by side by one load: programs of their
 * own. Their help stands here, where it needs no package.
 *
 * @type {Record<string, { file: string, does: string, help: string }>}
 */
export const programs = {
  cache: {
    file: "experiments/cache.js",
    does: "the cache of chapter 28 beside memcached",
    help: `npm run bench -- cache [options]

  --machine NAME   the folder of benchmarks/results/ to write to (default: none)
  --quick          two short blocks: a look, and nothing to conclude from
  --blocks N       how often each server runs (default 9)
  --noreply        only what is sent without an answer, anew, into a result that
                   is there: ten minutes
  --packets        only the packets of at-once, anew, into a result that is
                   there: a minute, and on Linux alone

Takes about half an hour. Needs memcached, and takes yrmcds where it is
there: apt-get install memcached yrmcds. Installs npm's memcached, a client.`,
  },
  database: {
    file: "database/run.js",
    does: "chapter 29: Node and Go with a Postgres of their own",
    help: `node benchmarks/database/run.js [options]

  --machine NAME   the folder of benchmarks/results/ to write to (default: local)
  --quick          a few minutes: a look, and nothing to conclude from
  --blocks N       how often each server climbs the ladder (default 5)
  --pauses         only what makes one in a hundred wait, anew, into a result that
                   is there: twelve minutes
  --pictures       only the pictures of a result that is there, anew: three minutes
  --seed N         draws the order of the servers again`,
  },
  "keeping-fast": {
    file: "experiments/keeping-fast.js",
    does: "chapter 27's servers, leaking and mended",
    help: `npm run bench -- keeping-fast [options]

  --machine NAME   the folder of benchmarks/results/ to write to (default: local)
  --quick          two short blocks: a look, and nothing to conclude from
  --blocks N       how often each server runs (default 9)
  --seed N         draws the order of the servers again

Takes about eight minutes, and one with --quick.`,
  },
  router: {
    file: "router/run.js",
    does: "one look-up in a router, without a server",
    help: `node benchmarks/router/run.js [options]

  --machine NAME   the folder of benchmarks/results/ to write to (default: local)
  --blocks N       how often each router runs on each set (default 5)
  --quick          one block: a look, and no result to compare with
  --stop-after N   run N blocks now, and leave the rest to --resume
  --resume         go on with an unfinished result
  --seed N         draws the order again`,
  },
};

/**
 * The options of such a program. With `--help`, or with an option that there
 * isn't, it ends here.
 *
 * @template {ParseArgsOptionsConfig} T
 * @param {string} name
 * @param {T} options
 */
export function readProgramOptions(name, options) {
  const { help } = programs[name];
  if (process.argv.slice(2).some((arg) => arg === "--help" || arg === "-h")) {
    console.log(help);
    process.exit();
  }
  try {
    return readOptions(options, help);
  } catch (err) {
    if (!(err instanceof UserError)) throw err;
    console.error(err.message);
    process.exit(1);
  }
}
