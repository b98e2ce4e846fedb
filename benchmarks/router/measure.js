/**
 * Measures one router on one set, in a process of its own:
 *
 *     node measure.js ROUTER SET
 *
 * prints `{ hits, misses }`, nanoseconds a lookup, or `{ refused }`.
 */
import { drawOrder, seededRandom } from "../lib/statistics.js";
import { contenders } from "./routers.js";
import { buildSet } from "./sets.js";

/** @import { Find } from "./routers.js" */
/** @import { Lookup } from "./sets.js" */

const lookupsPerPass = 12_000;
const warmUpPasses = 60;
const passes = 60;

const [id, setName] = process.argv.slice(2);
const contender = contenders.find((one) => one.id === id);
if (contender === undefined) throw new Error(`There is no router "${id}".`);
const set = buildSet(setName);

process.stdout.write(`${JSON.stringify(await measure())}\n`);

async function measure() {
  /** @type {Find} */
  let find;
  try {
    const routes = set.routes.map(([method, pattern]) => named(method, pattern));
    find = await /** @type {NonNullable<typeof contender>} */ (contender).add(routes);
    check(find);
  } catch (err) {
    return { refused: /** @type {Error} */ (err).message };
  }
  return { hits: time(find, set.hits), misses: time(find, set.misses) };
}

/**
 * @param {string} method
 * @param {string} pattern
 * @returns {[string, string, () => void]}
 */
function named(method, pattern) {
  return [method, pattern, Object.assign(() => {}, { pattern })];
}

/**
 * A router that gives anything else than what was asked for isn't measured.
 *
 * @param {Find} find
 */
function check(find) {
  for (const [method, path] of set.hits) {
    const found = find(method, path);
    if (found === null) throw new Error(`${method} ${path} is not found`);
    const handler = found.handler ?? found.route?.handler;
    const { pattern } = /** @type {any} */ (handler);
    const names = pattern.match(/:\w+/g) ?? [];
    for (const name of names) {
      const value = found.params[name.slice(1)];
      if (!value || !path.includes(value)) {
        throw new Error(`${method} ${path} has no parameter ${name}`);
      }
    }
  }
  for (const [method, path] of set.misses) {
    if (find(method, path) !== null) throw new Error(`${method} ${path} is found`);
  }
}

/**
 * Asks in an order that no branch predictor can learn, with strings that
 * are new each time, as they are when requests bring them: a string that
 * was looked up before carries its hash with it.
 *
 * @param {Find} find
 * @param {Lookup[]} lookups
 * @returns {number} nanoseconds a lookup, the median of the passes
 */
function time(find, lookups) {
  const random = seededRandom(1);
  const repeated = Array.from(
    { length: Math.ceil(lookupsPerPass / lookups.length) },
    () => lookups,
  );
  const order = drawOrder(repeated.flat(), random);
  const methods = order.map(([method]) => method);
  const bytes = order.map(([, path]) => Buffer.from(path, "latin1"));
  const times = [];
  for (let i = 0; i < warmUpPasses + passes; i += 1) {
    const paths = bytes.map((buffer) => buffer.toString("latin1"));
    const start = process.hrtime.bigint();
    const count = lookUp(find, methods, paths);
    const nanoseconds = Number(process.hrtime.bigint() - start) / paths.length;
    if (count < 0) throw new Error("never");
    if (i >= warmUpPasses) times.push(nanoseconds);
  }
  return times.sort((a, b) => a - b)[passes / 2];
}

/**
 * @param {Find} find
 * @param {string[]} methods
 * @param {string[]} paths
 */
function lookUp(find, methods, paths) {
  let count = 0;
  for (let i = 0; i < paths.length; i += 1) {
    if (find(methods[i], paths[i]) !== null) count += 1;
  }
  return count;
}
