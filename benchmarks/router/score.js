// Prints where velocy's router takes less time than the others and where it
// doesn't, in sentences for a chapter's generated block:
// node benchmarks/router/score.js [MACHINE [VERSION]]
import { readFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { bookMachine, resultsFolder } from "../lib/paths.js";
import { estimate } from "../lib/statistics.js";

/** @import { Estimate } from "../lib/statistics.js" */
/** @import { Run } from "./run.js" */

/**
 * What is read of the routers' result.
 *
 * @typedef {object} Scored
 * @property {Run[][]} blocks
 * @property {Record<string, { routes: number }>} sets
 * @property {Record<string, { hits: Record<string, Estimate> }>} derived
 */

/** Of the others this one alone takes a target, with its query. */
const takesTargets = "find-my-way";

/** With fewer rounds nothing is settled. */
const leastRounds = 5;

/**
 * @param {Scored} result
 * @param {string} version of velocy
 * @returns {string} a paragraph
 */
export function describeScore(result, version) {
  const fromPath = `velocy-${version}`;
  const fromTarget = `${fromPath}-from-a-target`;
  const all = Object.keys(result.sets);
  const names = all.filter((name) => !isScale(name));
  const scales = all.filter((name) => isScale(name) && fromTarget in result.derived[name].hits);
  const { least, most } = costOfTargets(result, [...names, ...scales], fromPath, fromTarget);
  const sentences = [
    `For velocy, a target takes ${least} to ${most} times as long as a path.`,
    ...tell(
      "Asked by path, velocy takes",
      "the best of the others that take a path",
      scoreOf(result, names, fromPath, fastestByPath),
    ),
    ...tell(
      "Asked by target, it takes",
      "find-my-way",
      scoreOf(result, names, fromTarget, () => takesTargets),
    ),
    ...tell(
      "In the chart, asked by target, it takes",
      "find-my-way",
      scoreOf(result, scales, fromTarget, () => takesTargets),
      (counts) => `with ${counts} routes`,
    ),
  ];
  return sentences.join(" ");
}

/** @param {string} set */
function isScale(set) {
  return set.startsWith("scale-");
}

/**
 * @param {Scored} result
 * @param {string[]} sets
 * @param {string} fromPath
 * @param {string} fromTarget
 */
function costOfTargets(result, sets, fromPath, fromTarget) {
  const ratios = sets.map((set) => {
    const { hits } = result.derived[set];
    return hits[fromTarget].median / hits[fromPath].median;
  });
  return { least: Math.min(...ratios).toFixed(1), most: Math.max(...ratios).toFixed(1) };
}

/**
 * @typedef {object} Score
 * @property {string} place a set's name, or its number of routes
 * @property {"less" | "more" | "unclear" | "tooFew"} verdict
 * @property {string} spread how many times the other's time ours is
 */

/**
 * Round by round, as a machine's mood lasts longer than a run.
 *
 * @param {Scored} result
 * @param {string[]} sets
 * @param {string} ours
 * @param {(result: Scored, set: string) => string} otherOn
 * @returns {Score[]}
 */
function scoreOf(result, sets, ours, otherOn) {
  return sets.map((set) => {
    const above = hitsOf(result, set, ours);
    const below = hitsOf(result, set, otherOn(result, set));
    const { low, high } = estimate(above.map((hits, i) => hits / below[i]));
    const isSettled = above.length >= leastRounds;
    const place = isScale(set) ? result.sets[set].routes.toLocaleString("en") : set;
    const spread = `${low.toFixed(2)} to ${high.toFixed(2)}`;
    return { place, verdict: isSettled ? verdictOf(low, high) : "tooFew", spread };
  });
}

/**
 * @param {number} low
 * @param {number} high
 * @returns {"less" | "more" | "unclear"}
 */
function verdictOf(low, high) {
  if (high < 1) return "less";
  return low > 1 ? "more" : "unclear";
}

/**
 * @param {Scored} result
 * @param {string} set
 */
function fastestByPath({ derived }, set) {
  const { hits } = derived[set];
  return Object.keys(hits)
    .filter((id) => !id.startsWith("velocy") && id !== takesTargets)
    .sort((a, b) => hits[a].median - hits[b].median)[0];
}

/**
 * @param {Scored} result
 * @param {string} set
 * @param {string} router
 * @returns {number[]} one a block
 */
function hitsOf({ blocks }, set, router) {
  return blocks.map((block) => {
    const run = block.find((one) => one.set === set && one.router === router);
    return run?.hits ?? Number.NaN;
  });
}

/**
 * @param {string} beginning
 * @param {string} other
 * @param {Score[]} scores
 * @param {(places: string) => string} where
 * @returns {string[]} sentences
 */
function tell(beginning, other, scores, where = (places) => `on ${places}`) {
  const those = (/** @type {Score["verdict"]} */ wanted) =>
    scores.filter(({ verdict }) => verdict === wanted);
  const placesOf = (/** @type {Score[]} */ some) => where(join(some.map(({ place }) => place)));
  const [less, more, unclear, tooFew] = [
    those("less"),
    those("more"),
    those("unclear"),
    those("tooFew"),
  ];
  const clear = [];
  if (less.length > 0) clear.push(`less than ${other} ${placesOf(less)}`);
  if (more.length > 0) clear.push(`more than ${other} ${placesOf(more)}`);
  const sentences = clear.length > 0 ? [`${beginning} ${clear.join(", and ")}.`] : [];
  if (unclear.length > 0) {
    const spreads = unclear.map(({ place, spread }, i) => {
      return `${place} (${spread}${i === 0 ? " times as long" : ""})`;
    });
    sentences.push(`The rounds disagree ${where(join(spreads))}.`);
  }
  if (tooFew.length > 0) sentences.push(`There were too few rounds to tell ${placesOf(tooFew)}.`);
  return sentences;
}

/** @param {string[]} words */
function join(words) {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [machine = bookMachine, version = "0.10.0"] = process.argv.slice(2);
  const file = path.join(resultsFolder, machine, "router.json");
  console.log(describeScore(JSON.parse(readFileSync(file, "utf8")), version));
}
