import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { Ajv } from "ajv";
import { bounds } from "./bounds.js";
import { mayRank, ratioOf } from "./derive.js";
import { benchError } from "./errors.js";
import { resultsFolder } from "./paths.js";
import { checkResult, isRatesResult, resultFile } from "./results.js";
import { estimate } from "./statistics.js";
import { formatNumber, formatTable, wrapLine } from "./table.js";
import { disturbanceOf, littlesLaw } from "./verdict.js";

/** @import { Result } from "./results.js" */
/** @import { Estimate } from "./statistics.js" */

/**
 * Somebody else's figures: one run each, as they were published.
 *
 * @typedef {object} Published
 * @property {string} suite
 * @property {string} machine
 * @property {{ year: number, machine: string, connections: number, note?: string,
 *   versions?: Record<string, string> }} published
 * @property {Record<string, PublishedContender>} contenders
 */

/**
 * @typedef {object} PublishedContender
 * @property {string} title
 * @property {number} requestsPerSecond
 * @property {{ mean: number }} latency
 * @property {Record<string, number>} errors
 * @property {string} [note]
 */

const validatePublished = new Ajv({ allErrors: true }).compile(
  JSON.parse(readFileSync(new URL("published.schema.json", import.meta.url), "utf8")),
);

/**
 * @param {string} machine
 * @param {string} suite
 * @returns {Result | Published}
 * @throws {UserError}
 */
export function readMachine(machine, suite) {
  const file = resultFile(machine, suite);
  if (!existsSync(file)) {
    throw benchError(
      "ERR_BENCH_RESULT",
      `There is no result of ${suite} on ${machine} (${path.relative(resultsFolder, file)}).`,
    );
  }
  const result = JSON.parse(readFileSync(file, "utf8"));
  if (!("published" in result)) return checkResult(result);
  if (validatePublished(result)) return /** @type {Published} */ (/** @type {unknown} */ (result));
  throw benchError("ERR_BENCH_RESULT", `${file}: ${JSON.stringify(validatePublished.errors)}`);
}

/**
 * @param {string} machine
 * @param {string} suite
 * @returns {Result}
 * @throws {UserError} when there is none, or none with runs
 */
export function readRuns(machine, suite) {
  const result = readMachine(machine, suite);
  if ("published" in result) {
    throw benchError("ERR_BENCH_RESULT", `${machine} has published figures but no runs.`);
  }
  return result;
}

/** What each server of today is compared with where only the old one is. */
const predecessors = /** @type {Record<string, string>} */ ({
  express: "express-4",
  elysia: "elysia-0.6",
  axum: "axum-0.6",
  velocy: "velocy-npm",
});

/**
 * @typedef {object} Side one machine's ratio of a server to the reference
 * @property {Estimate} ratio
 * @property {string[]} doubts why the figure may not be the server's own
 * @property {boolean} [isUntied] it comes from a run whose twins don't tie, or
 *   that has too few blocks to know
 */

/**
 * @param {Result | Published} result
 * @param {string} id
 * @param {string} reference
 * @param {Figure} figure
 * @returns {Side | undefined}
 */
function sideOf(result, id, reference, figure) {
  if ("published" in result) return publishedSide(result, id, reference, figure);
  const ratio = ratioOf(result.blocks, id, reference, (run) => run[figure]);
  if (!ratio) return undefined;
  const doubts = [id, reference].flatMap((name) => {
    const { verdict } = result.derived.contenders[name];
    const isBound = verdict === "server-bound" || figure !== "requestsPerSecond";
    return [
      ...(isBound ? [] : [`${name} was ${verdict} on ${result.machine}`]),
      ...(isDisturbed(result, name) ? [`${name} was disturbed on ${result.machine}`] : []),
    ];
  });
  return { ratio, doubts, isUntied: !mayRank(result.derived) };
}

/**
 * @param {Result} result
 * @param {string} id
 * @returns {boolean} whether others took too much in half of its runs
 */
function isDisturbed({ blocks }, id) {
  const runs = blocks.flatMap((block) => block.runs[id] ?? []);
  const disturbed = runs.filter((run) => disturbanceOf(run) > bounds.disturbance);
  return disturbed.length >= runs.length / 2;
}

/** @typedef {"requestsPerSecond" | "cpuMicrosecondsPerRequest"} Figure */

/** What is compared, in this order. @type {Record<Figure, string>} */
export const figureNames = {
  cpuMicrosecondsPerRequest: "CPU time per request",
  requestsPerSecond: "requests/s",
};

const figures = /** @type {Figure[]} */ (Object.keys(figureNames));

/**
 * @param {Published} result
 * @param {string} id
 * @param {string} reference
 * @param {Figure} figure
 * @returns {Side | undefined}
 */
function publishedSide({ contenders, published, machine }, id, reference, figure) {
  const [a, b] = [contenders[id], contenders[reference]];
  if (!a || !b || figure !== "requestsPerSecond") return undefined;
  const ratio = estimate([a.requestsPerSecond / b.requestsPerSecond]);
  const doubts = [id, reference].flatMap((name) => {
    const { note, errors, latency, requestsPerSecond } = contenders[name];
    const law = littlesLaw({
      connections: published.connections - (errors.connect ?? 0),
      requestsPerSecond,
      meanLatency: latency.mean,
    });
    const broken = `on ${machine} ${name}'s mean latency was ${formatNumber(law.ratio, 2)} of what its rate allows`;
    return [...(note ? [`${name} ${note}`] : []), ...(law.holds ? [] : [broken])];
  });
  const unknown = Object.entries(published.versions ?? {}).filter(([, of]) => of === "not stated");
  if (unknown.length > 0) {
    doubts.push(
      `${machine} doesn't state its version of ${unknown.map(([name]) => name).join(", ")}`,
    );
  }
  return {
    ratio: {
      ...ratio,
      low: ratio.median * (1 - bounds.singleRunNoise),
      high: ratio.median * (1 + bounds.singleRunNoise),
    },
    doubts,
  };
}

/**
 * @param {Side} a
 * @param {Side} b
 * @returns {"agree" | "differ" | "too noisy to say"}
 */
export function compareSides(a, b) {
  for (const { ratio, isUntied } of [a, b]) {
    if (isUntied) return "too noisy to say";
    if ((ratio.high - ratio.low) / 2 / ratio.median > bounds.tooWide) return "too noisy to say";
  }
  const overlap = a.ratio.low <= b.ratio.high && b.ratio.low <= a.ratio.high;
  return overlap ? "agree" : "differ";
}

/**
 * @typedef {object} ContenderPair one server of each machine, with the one
 *   that its ratio is to
 * @property {string} id on the first machine
 * @property {string} reference there
 * @property {string} idOfOther on the second
 * @property {string} referenceOfOther
 */

/**
 * The servers that both results have, those of today with their predecessors
 * where only these are.
 *
 * @param {Result | Published} a
 * @param {Result | Published} b
 * @param {string} reference
 * @returns {ContenderPair[]}
 */
function pairContenders(a, b, reference) {
  const successor = Object.keys(predecessors).find((id) => predecessors[id] === reference);
  return Object.keys(a.contenders).flatMap((id) => {
    const idOfOther = id in b.contenders ? id : predecessors[id];
    if (idOfOther === undefined || !(idOfOther in b.contenders) || id === reference) return [];
    // A server of today goes with its own predecessor's place in the ratio.
    const isOfToday = id !== idOfOther && successor !== undefined && successor in a.contenders;
    const referenceOfA = isOfToday ? successor : reference;
    if (id === referenceOfA) return [];
    return [{ id, reference: referenceOfA, idOfOther, referenceOfOther: reference }];
  });
}

/**
 * @typedef {object} Comparison
 * @property {string} id on the first machine
 * @property {string} idOfOther on the second
 * @property {string} referenceOfFirst what the first one's ratio is to
 * @property {Figure} figure
 * @property {Side} a
 * @property {Side} b
 * @property {ReturnType<typeof compareSides>} verdict
 * @property {string[]} reasons for a difference, as far as the files tell
 */

/**
 * The ratios of two machines' results, side by side. Two machines' absolute
 * figures say nothing about the servers.
 *
 * @param {Result | Published} a
 * @param {Result | Published} b
 * @param {string} [reference] what the ratios are to; by default what both have
 * @returns {{ reference: string, comparisons: Comparison[] }}
 * @throws {UserError} ERR_BENCH_COMPARE when they have nothing in common
 */
export function compare(a, b, reference = commonReference(a, b)) {
  const pairs = pairContenders(a, b, reference);
  const comparisons = figures.flatMap((figure) =>
    pairs.flatMap((pair) => comparePair(a, b, pair, figure) ?? []),
  );
  if (comparisons.length === 0) {
    throw benchError("ERR_BENCH_COMPARE", "The two have no figures that can be compared.");
  }
  return { reference, comparisons };
}

/**
 * @param {Result | Published} a
 * @param {Result | Published} b
 * @param {ContenderPair} pair
 * @param {Figure} figure
 * @returns {Comparison | undefined} nothing when one of them lacks the figure
 */
function comparePair(a, b, { id, reference, idOfOther, referenceOfOther }, figure) {
  const sideA = sideOf(a, id, reference, figure);
  const sideB = sideOf(b, idOfOther, referenceOfOther, figure);
  if (!sideA || !sideB) return undefined;
  const reasons = [...new Set([...sideA.doubts, ...sideB.doubts])];
  if (id !== idOfOther) reasons.push("other versions");
  const verdict = compareSides(sideA, sideB);
  return {
    id,
    idOfOther,
    referenceOfFirst: reference,
    figure,
    a: sideA,
    b: sideB,
    verdict,
    reasons,
  };
}

/**
 * @param {Result | Published} a
 * @param {Result | Published} b
 * @returns {boolean} whether `formatComparison` has anything to compare
 */
export function haveServerInCommon(a, b) {
  return Object.keys(a.contenders).some((id) => id in b.contenders);
}

/**
 * @param {Result | Published} a
 * @param {Result | Published} b
 * @returns {string}
 */
function commonReference(a, b) {
  const wanted = ["node-http", "express-4", "express", ...Object.keys(a.contenders)];
  const found = wanted.find((id) => id in a.contenders && id in b.contenders);
  if (found === undefined) {
    throw benchError("ERR_BENCH_COMPARE", "The two results have no server in common.");
  }
  return found;
}

const untied = {
  "not a tie": "the twins don't tie, so nothing follows.",
  "too few blocks": "too few blocks to know how noisy it is, so nothing follows.",
};

/** @param {Estimate} ratio */
export function formatRatio({ median, low, high }) {
  return `${formatNumber(median, 2)} (${formatNumber(low, 2)}-${formatNumber(high, 2)})`;
}

/**
 * @param {Result | Published} a
 * @param {Result | Published} b
 * @param {string} [reference]
 * @returns {string}
 */
export function formatComparison(a, b, reference) {
  for (const result of [a, b]) {
    if (!("published" in result) && isRatesResult(result)) {
      throw benchError("ERR_BENCH_COMPARE", "Latencies of two machines can't be compared.");
    }
  }
  const { comparisons, reference: used } = compare(a, b, reference);
  const rows = [["figure", "server", a.machine, b.machine, ""]];
  const reasons = new Set();
  for (const { id, idOfOther, figure, verdict, ...sides } of comparisons) {
    rows.push([
      figureNames[figure],
      id === idOfOther ? id : `${id} (${idOfOther} there)`,
      formatRatio(sides.a.ratio),
      formatRatio(sides.b.ratio),
      verdict,
    ]);
    if (verdict === "differ") {
      for (const reason of sides.reasons) reasons.add(`${id}: ${reason}`);
    }
  }
  const ofToday = comparisons.filter(({ referenceOfFirst }) => referenceOfFirst !== used);
  const lines = [`${a.suite}: ratios to ${used}`];
  if (ofToday.length > 0) {
    const ids = [...new Set(ofToday.map(({ id }) => id))].join(", ");
    lines.push(`on ${a.machine} those of ${ids} to ${ofToday[0].referenceOfFirst}`);
  }
  lines.push("", formatTable(rows, ["left", "left", "right", "right", "left"]));
  for (const result of [a, b]) {
    if ("published" in result) {
      lines.push(
        "",
        `${result.machine}: ${result.published.note ?? "as published"}; ` +
          `${bounds.singleRunNoise * 100} % taken as its noise`,
      );
    } else {
      if (!result.publishable) lines.push("", `${result.machine}: a quick run: not publishable.`);
      const { noise } = result.derived;
      if (noise && noise.verdict !== "tie")
        lines.push("", `${result.machine}: ${untied[noise.verdict]}`);
    }
  }
  if (reasons.size > 0)
    lines.push("", "Why they may differ:", ...[...reasons].map((text) => `  ${text}`));
  return lines.map(wrapLine).join("\n");
}
