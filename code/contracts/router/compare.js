/**
 * Where other routers differ from the book's contract, as a Markdown table.
 *
 *     node code/contracts/router/compare.js
 *
 * With --total only their number, with --cases each of them.
 */
import assert from "node:assert/strict";
import { allCases } from "./index.js";
import { OTHERS } from "./others.js";

/** @import { Adapter, Case } from "./index.js" */

const REFUSED = "refuses the routes";

/** What is asked of velocy alone: its options, its errors' codes... */
const OURS = [
  "allowedMethods",
  "ignoreCase",
  "emptySegments",
  "errors",
  "escapes",
  "head",
  "namedWildcards",
  "onlyPaths",
  "questions",
  "ignoreTrailingSlash",
];

const cases = allCases().filter(
  ({ group }) => !group.needs.some((need) => OURS.includes(need)),
);
const groups = [...new Set(cases.map(({ group }) => group))];

if (process.argv.includes("--cases")) {
  printCases();
} else {
  printHeader();
  if (!process.argv.includes("--total")) printGroups();
  printTotal();
}

function printHeader() {
  printRow(["What the contract says", "cases", ...names()]);
  printRow(["---", "---:", ...OTHERS.map(() => "---:")]);
}

/** How many cases of each group come out differently. */
function printGroups() {
  for (const group of groups) {
    const own = cases.filter((one) => one.group === group);
    const counts = OTHERS.map((adapter) => countDifferences(adapter, own));
    if (counts.every((count) => count === 0)) continue;
    const cells = counts.map((count, i) => {
      if (refusesRoutes(OTHERS[i], own[0])) return "refuses them";
      return count;
    });
    printRow([group.name, own.length, ...cells]);
  }
}

/** How many cases of all groups come out differently. */
function printTotal() {
  const totals = OTHERS.map((adapter) => countDifferences(adapter, cases));
  printRow(["all, also where nobody differs", cases.length, ...totals]);
}

/** Each case that comes out differently for one of them. */
function printCases() {
  printRow(["Asked", "the contract", ...names()]);
  printRow(["---", "---", ...OTHERS.map(() => "---")]);
  for (const one of cases) {
    const held = OTHERS.map((adapter) => holds(adapter, one));
    if (held.every(Boolean)) continue;
    const cells = OTHERS.map((adapter, i) =>
      held[i] ? "the same" : tell(attempt(adapter, one)),
    );
    printRow([code(one.name), tell(one.expected), ...cells]);
  }
}

/** @param {(string | number)[]} cells */
function printRow(cells) {
  console.log(`| ${cells.join(" | ")} |`);
}

function names() {
  return OTHERS.map(({ name }) => name);
}

/**
 * @param {Adapter} adapter
 * @param {Case[]} some
 */
function countDifferences(adapter, some) {
  return some.filter((one) => !holds(adapter, one)).length;
}

/**
 * @param {Adapter} adapter
 * @param {Case} one
 */
function refusesRoutes(adapter, one) {
  return attempt(adapter, one) === REFUSED;
}

/**
 * @param {Adapter} adapter
 * @param {Case} one
 */
function holds(adapter, one) {
  try {
    assert.deepEqual(attempt(adapter, one), one.expected);
    return true;
  } catch {
    return (
      typeof one.expected === "string" &&
      isRefusal(attempt(adapter, one), one)
    );
  }
}

/**
 * Others have codes of their own, or none: refusing is what counts.
 *
 * @param {unknown} outcome
 * @param {Case} one
 */
function isRefusal(outcome, { expected }) {
  const isRefused = outcome !== "added" && outcome !== REFUSED;
  return String(expected).startsWith("ERR_") && isRefused;
}

/**
 * @param {Adapter} adapter
 * @param {Case} one
 */
function attempt(adapter, { ask }) {
  try {
    return ask(adapter);
  } catch {
    return REFUSED;
  }
}

/**
 * @param {any} outcome
 * @returns {string}
 */
function tell(outcome) {
  if (outcome === null) return "nothing";
  if (typeof outcome === "string") {
    return outcome.startsWith("ERR_") ? "refused" : outcome;
  }
  const params = outcome.params.map(
    (/** @type {[string, string]} */ [name, value]) => `${name}=${value}`,
  );
  return code([outcome.route, ...params].join(" "));
}

/** @param {string} text */
function code(text) {
  return `\`${text.replaceAll("|", "\\|")}\``;
}
