import { existsSync } from "node:fs";
import { median } from "simple-statistics";
import { readRuns } from "../lib/compare.js";
import { loadedMemory } from "../lib/derive.js";
import { resultFile } from "../lib/results.js";
import { formatEstimate, formatMebibytes, formatNumber } from "../lib/table.js";
import { costsOfCache, memoryOfItems, readCache } from "./cache.js";
import { readCluster, underKills, underRestarts } from "./cluster.js";
import { costByRate } from "./curve.js";
import {
  addedUnderOverload,
  columnOverTime,
  descriptorsOverTime,
  kneeOfServers,
  latencyOverTime,
  readDatabase,
} from "./database.js";
import { dots } from "./dots.js";
import { costsOfSteps, ratesByServed, readKeepingFast } from "./keeping-fast.js";
import { lines } from "./lines.js";
import { countLines } from "./lines-of-code.js";
import { allowsRanks, bandOf, noiseOf } from "./noise.js";
import { goodputByLoad, readOverload } from "./overload.js";
import { readRouters, routersByRoutes } from "./router.js";
import { spreads } from "./spreads.js";
import { memoryOfUploads, readUpload } from "./upload.js";
import { costsWhileWarming, readWarmingUp } from "./warming-up.js";

/** @import { DerivedContender } from "../lib/derive.js" */
/** @import { Run } from "../lib/measure.js" */
/** @import { RatesRun } from "../lib/measure-rates.js" */
/** @import { RatesResult, Result } from "../lib/results.js" */
/** @import { Estimate } from "../lib/statistics.js" */
/** @import { Row } from "./dots.js" */
/** @import { Draw } from "./draw.js" */
/** @import { LegendItem } from "./legend.js" */
/** @import { Line, Point } from "./lines.js" */

/**
 * A chart with the table that says the same in figures.
 *
 * @typedef {object} Chart
 * @property {string} name of its file
 * @property {string} title
 * @property {string} description
 * @property {Draw} draw
 * @property {string[][]} table the first row is the head
 */

/**
 * @typedef {object} Source how to make a chart from a suite's result
 * @property {string} name
 * @property {string} suite
 * @property {(result: any) => Omit<Chart, "name">} make
 * @property {(machine: string, suite: string) => unknown} [read] gives the result
 */

/**
 * @param {Result} result
 * @returns {[id: string, row: DerivedContender][]} without the twin
 */
function contendersOf({ derived, what }) {
  return Object.entries(derived.contenders).filter(([id]) => id !== what.twin);
}

/**
 * @param {Result | RatesResult} result
 * @returns {string}
 */
function whereFrom({ where, blocks, machine }) {
  return `${blocks.length} blocks on ${machine}: ${where.cores} cores, ${where.cpu}.`;
}

/**
 * @param {Row[]} rows in rising order, or falling
 */
function describeEnds(rows) {
  const [first, last] = [rows[0], rows[rows.length - 1]];
  return `From ${first.label} with ${first.text} to ${last.label} with ${last.text}.`;
}

/**
 * What each block measured of a contender, over the baseline's figure in the
 * same block where there is one.
 *
 * @param {Result} result
 * @param {string} id
 * @param {(run: Run) => number} figure
 * @param {(run: Run) => number} [base] of the baseline
 * @returns {number[]}
 */
function eachBlock({ blocks, what: { baseline } }, id, figure, base) {
  return blocks
    .filter(({ runs }) => runs[id] && (!base || runs[baseline]))
    .map(({ runs }) => figure(runs[id]) / (base ? base(runs[baseline]) : 1));
}

/**
 * @typedef {object} DotOptions
 * @property {string} title
 * @property {string} unit
 * @property {string} column the table's head
 * @property {string} axis what is drawn; of a ratio, what it is the ratio of
 * @property {(run: Run) => number} ofRun what a block measured
 * @property {(row: DerivedContender) => number | Estimate} figure
 * @property {(row: DerivedContender) => Estimate} [ratio] to the baseline of
 *   the same block; what is drawn, where it is given
 * @property {(value: number) => string} format
 * @property {(row: DerivedContender) => boolean} [isAtLeast]
 * @property {boolean} [hasParts] time outside the kernel and inside, apart
 * @property {boolean} [mostFirst]
 * @property {string} [note]
 */

/**
 * @param {Result} result
 * @param {string} id
 * @param {DerivedContender} derived
 * @returns {Row["parts"]} on an axis of ratios
 */
function partsOf(result, id, { userMicrosecondsPerRequest: user }) {
  if (!user) return undefined;
  const cpu = (/** @type {Run} */ run) => run.cpuMicrosecondsPerRequest;
  const own = (/** @type {Run} */ run) => cpu(run) * (run.userShare ?? 0);
  const kernel = (/** @type {Run} */ run) => cpu(run) - own(run);
  const parts = {
    own: median(eachBlock(result, id, own, cpu)),
    kernel: median(eachBlock(result, id, kernel, cpu)),
  };
  // A share of nothing has no place on a logarithmic axis.
  return parts.own > 0 && parts.kernel > 0 ? parts : undefined;
}

/**
 * @param {Result} result
 * @param {string} id
 * @param {DotOptions} options
 * @returns {number[]} of the baseline, which is 1 in every block, its twin's
 */
function blocksOf(result, id, { ofRun, ratio }) {
  const { baseline, twin } = result.what;
  if (!ratio) return eachBlock(result, id, ofRun);
  if (id !== baseline) return eachBlock(result, id, ofRun, ofRun);
  return twin === undefined ? [] : eachBlock(result, twin, ofRun, ofRun);
}

/**
 * @param {Result} result
 * @param {string} id
 * @param {DerivedContender} derived
 * @param {DotOptions} options
 */
function dotRow(result, id, derived, options) {
  const { unit, figure, ratio, format, isAtLeast, hasParts } = options;
  const found = figure(derived);
  /** @type {{ median: number, low?: number, high?: number }} */
  const estimate = typeof found === "number" ? { median: found } : found;
  const drawn = ratio ? ratio(derived) : estimate;
  const { title: label, stack } = result.contenders[id];
  const parts = hasParts ? partsOf(result, id, derived) : undefined;
  const least = isAtLeast?.(derived) ? "at least " : "";
  const { userMicrosecondsPerRequest: user, systemMicrosecondsPerRequest: system } = derived;
  const sum = parts && user && system ? `${format(user.median)} + ${format(system.median)} = ` : "";
  const text = `${least}${sum}${format(estimate.median)}${unit === "/s" ? unit : ` ${unit}`}`;
  /** @type {Row} */
  const row = {
    server: id,
    label,
    stack,
    value: drawn.median,
    ...(drawn.low === undefined ? {} : { low: drawn.low, high: drawn.high }),
    blocks: blocksOf(result, id, options),
    ...(parts ? { parts } : {}),
    isAtLeast: least !== "",
    text: ratio ? `${text}, ${formatNumber(drawn.median, 2)}×` : text,
  };
  return { row, derived, estimate, least };
}

/**
 * A chart of dots, one for each server. Where the twins tie they stand in the
 * order of their figures, and else in that of the suite.
 *
 * @param {DotOptions} options
 * @returns {(result: Result) => Omit<Chart, "name">}
 */
function dotChart(options) {
  const { title, axis, ratio, ofRun, mostFirst = false, note = "" } = options;
  return (result) => {
    const { baseline } = result.what;
    const noise = noiseOf(result, ofRun);
    const rows = contendersOf(result).map(([id, derived]) => dotRow(result, id, derived, options));
    const order = Object.keys(result.contenders);
    rows.sort((a, b) =>
      allowsRanks(noise)
        ? (a.row.value - b.row.value) * (mostFirst ? -1 : 1)
        : order.indexOf(a.row.server) - order.indexOf(b.row.server),
    );
    const shown = rows.map(({ row }) => row);
    const middle = ratio ? 1 : shown.find(({ server }) => server === baseline)?.value;
    const baselineTitle = result.contenders[baseline].title;
    const band = noise && middle ? bandOf(noise, baselineTitle, middle) : undefined;
    const twinOf = ratio && noise ? baselineTitle : undefined;
    const words = allowsRanks(noise) ? describeEnds(shown) : "";
    return {
      title,
      description: [
        `${title}.`,
        words,
        note,
        band ? `${capitalize(band.words)}.` : "",
        whereFrom(result),
      ]
        .filter((part) => part !== "")
        .join(" "),
      draw: dots(
        [{ rows: shown, noise: band, twinOf }],
        ratio ? `${axis}, 1 = ${baselineTitle}` : axis,
      ),
      table: dotTable(rows, options, baselineTitle),
    };
  };
}

/** @param {string} text */
function capitalize(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * @param {ReturnType<typeof dotRow>[]} rows
 * @param {DotOptions} options
 * @param {string} baseline its title
 * @returns {string[][]}
 */
function dotTable(rows, { column, unit, format, ratio }, baseline) {
  const hasParts = rows.every(({ row }) => row.parts !== undefined);
  const hasIntervals = rows.some(({ estimate }) => estimate.low !== undefined);
  const span = (/** @type {number} */ low, /** @type {number} */ high) =>
    `${format(low)} to ${format(high)}`;
  return [
    [
      "server",
      `${column}, ${unit}`,
      ...(hasParts ? ["outside the kernel", "inside"] : []),
      hasIntervals ? "95 % interval" : "least and most of the blocks",
      ...(ratio ? [`to ${baseline}`] : []),
    ],
    ...rows.map(({ row, derived, estimate, least }) => [
      row.label,
      `${least}${format(estimate.median)}`,
      ...(hasParts ? modes(derived).map((mode) => format(mode.median)) : []),
      estimate.low !== undefined && estimate.high !== undefined
        ? span(estimate.low, estimate.high)
        : span(Math.min(...(row.blocks ?? [])), Math.max(...(row.blocks ?? []))),
      ...(ratio ? [formatEstimate(ratio(derived), 2)] : []),
    ]),
  ];
}

/** @param {DerivedContender} derived */
function modes({ userMicrosecondsPerRequest: user, systemMicrosecondsPerRequest: system }) {
  return user && system ? [user, system] : [];
}

const cpuChart = (/** @type {string} */ title) =>
  dotChart({
    title,
    unit: "µs",
    column: "CPU time per request",
    axis: "CPU time per request",
    ofRun: (run) => run.cpuMicrosecondsPerRequest,
    figure: (row) => row.cpuMicrosecondsPerRequest,
    ratio: (row) => row.cpuToBaseline,
    format: (value) => formatNumber(value, 1),
    hasParts: true,
    note: "Of the server's whole process tree.",
  });

const rateChart = (/** @type {string} */ title) =>
  dotChart({
    title,
    unit: "/s",
    column: "requests",
    axis: "requests per second",
    ofRun: (run) => run.requestsPerSecond,
    figure: (row) => row.requestsPerSecond,
    ratio: (row) => row.requestsPerSecondToBaseline,
    format: (value) => formatNumber(Math.round(value / 100) * 100),
    isAtLeast: ({ verdict }) => verdict === "generator-bound",
    mostFirst: true,
  });

/**
 * @param {string} title
 * @param {"idleMemoryBytes" | "loadedMemoryBytes"} which
 */
const memoryChart = (title, which) =>
  dotChart({
    title,
    unit: "MiB",
    column: "memory",
    axis: "memory, MiB",
    ofRun: (run) =>
      (which === "idleMemoryBytes" ? run.idleMemory.bytes : loadedMemory(run)) / 1024 ** 2,
    figure: (row) => row[which] / 1024 ** 2,
    format: (value) => formatNumber(value, 1),
  });

/**
 * @param {string} title
 * @param {("p50" | "p90" | "p99" | "max")[]} names of the table's columns; the
 *   blocks' dots are of the last
 * @returns {(result: Result) => Omit<Chart, "name">}
 */
function latencySpread(title, names) {
  const last = names[names.length - 1];
  const ofRun = (/** @type {Run} */ { latency }) => latency[last] ?? Number.NaN;
  return (result) => {
    const { baseline, twin } = result.what;
    const order = Object.keys(result.contenders);
    const mayRank = allowsRanks(noiseOf(result, ({ latency }) => latency.p50 ?? Number.NaN));
    const baselineTitle = result.contenders[baseline].title;
    const rows = Object.entries(result.derived.contenders)
      .map(([id, { latency }]) => ({
        server: id,
        label: id === twin ? `${baselineTitle}, again` : result.contenders[id].title,
        stack: result.contenders[id]?.stack,
        ...{ p50: latency.p50, p90: latency.p90, p99: latency.p99 },
        blocks: eachBlock(result, id, ofRun),
        text: `${names.map((name) => formatLatency(latency[name])).join(" · ")} ms`,
        figures: names.map((name) => formatLatency(latency[name])),
      }))
      .sort((a, b) =>
        mayRank ? a.p50 - b.p50 : order.indexOf(a.server) - order.indexOf(b.server),
      );
    /** @type {LegendItem[]} */
    const notes =
      twin === undefined
        ? []
        : [
            {
              sample: "none",
              text: `noise: ${baselineTitle} ran twice, and what differs is noise`,
            },
          ];
    const blocksAre = last === "max" ? "longest of each block" : `${last} of each block`;
    return {
      title,
      description:
        `${title}, in milliseconds, of a generator that waits for each answer before it asks ` +
        `again: a line from the median to the 99th percentile, and a dot for the ${blocksAre}. ` +
        `${twin === undefined ? "" : `What lies between the two rows of ${baselineTitle} is noise. `}` +
        whereFrom(result),
      draw: spreads(rows, { axis: "latency, ms", blocks: blocksAre, notes }),
      table: [
        ["server", ...names.map((name) => `${name}, ms`), `${last} of the blocks, ms`],
        ...rows.map(({ label, figures, blocks }) => [
          label,
          ...figures,
          `${formatLatency(Math.min(...blocks))} to ${formatLatency(Math.max(...blocks))}`,
        ]),
      ],
    };
  };
}

/** @param {number} milliseconds */
function formatLatency(milliseconds) {
  return formatNumber(milliseconds, milliseconds < 10 ? 2 : milliseconds < 100 ? 1 : 0);
}

/** Where on the axis 1/(1-p) the percentiles are that readers know. */
const percentileTicks = [
  { at: 2, label: "50 %" },
  { at: 10, label: "90 %" },
  { at: 100, label: "99 %" },
  { at: 1000, label: "99.9 %" },
];

/**
 * @param {RatesResult["blocks"][number]["runs"][string]["rates"][number]} run
 * @returns {Point[]}
 */
function distributionOf({ distribution }) {
  return distribution
    .filter(([percentile]) => percentile >= 0.5 && percentile < 0.9995)
    .map(([percentile, value]) => [1 / (1 - percentile), value]);
}

/**
 * @param {RatesResult} result
 * @returns {Omit<Chart, "name">}
 */
function latencyAtRate(result) {
  const { twin, settings } = result.what;
  const kept = Object.keys(result.derived.contenders).filter(
    (id) => result.derived.contenders[id].rates.common.verdict === "kept",
  );
  const ids = kept.filter((id) => id !== twin).slice(0, 5);
  const rate = formatNumber(settings.commonRate);
  /** @type {Line[]} */
  const shown = [...ids, ...kept.filter((id) => id === twin)].map((id) => {
    // The block whose p99 is in the middle stands for all.
    const runs = result.blocks
      .flatMap(({ runs: all }) => all[id]?.rates.find(({ name }) => name === "common") ?? [])
      .sort((a, b) => a.latency.p99 - b.latency.p99);
    const [middle] = runs.splice(Math.floor(runs.length / 2), 1);
    return {
      server: id,
      label: id === twin ? "the same again: noise" : result.contenders[id].title,
      ...(id === twin ? { variant: /** @type {const} */ ("other") } : {}),
      points: distributionOf(middle),
      blocks: runs.map(distributionOf),
    };
  });
  const title = `Latency at ${rate} requests a second`;
  return {
    title,
    description:
      `${title}, the same for all, asked without waiting for answers: which share of the requests ` +
      `was answered within how many milliseconds. A thick line is the block whose p99 is in the ` +
      `middle, and thin ones are the other blocks: what they differ by is noise. Both axes are ` +
      `logarithmic. ${whereFrom(result)}`,
    draw: lines(shown, {
      x: "share of requests",
      y: "latency, ms",
      xScale: "log",
      yScale: "log",
      xTicks: percentileTicks,
    }),
    table: ratesTable(result),
  };
}

/** @param {RatesResult} result */
function ratesTable({ derived, contenders }) {
  const table = [["server", "asked", "requests/s", "p50, ms", "p99, ms", "p99.9, ms", "verdict"]];
  for (const [id, { rates }] of Object.entries(derived.contenders)) {
    for (const [name, rate] of Object.entries(rates)) {
      table.push([
        contenders[id].title,
        name === "common" ? "all alike" : `${name.replace("%", " %")} of its own`,
        formatNumber(rate.offeredPerSecond),
        formatLatency(rate.p50.median),
        formatLatency(rate.p99.median),
        formatLatency(rate.p999.median),
        rate.verdict,
      ]);
    }
  }
  return table;
}

/**
 * @param {RatesResult} result
 * @returns {Omit<Chart, "name">}
 */
function memoryOverTime(result) {
  const { twin, settings } = result.what;
  const [first, ...others] = result.blocks;
  const ofRun = (/** @type {RatesRun} */ { idleMemory, rates }) => {
    /** @type {Point[]} */
    const points = [[0, idleMemory.bytes / 1024 ** 2]];
    for (const [index, { memory }] of rates.entries()) {
      for (const { seconds, bytes } of memory) {
        points.push([index * settings.secondsPerRate + seconds, bytes / 1024 ** 2]);
      }
    }
    return points;
  };
  const shown = Object.entries(first.runs)
    .filter(([id]) => id !== twin)
    .map(([id, run]) => ({
      server: id,
      label: result.contenders[id].title,
      points: ofRun(run),
      blocks: others.filter(({ runs }) => runs[id]).map(({ runs }) => ofRun(runs[id])),
    }));
  shown.sort((a, b) => a.label.localeCompare(b.label, "en"));
  const title = "Memory over time";
  return {
    title,
    description:
      `${title} in mebibytes: at rest, then ${result.what.settings.secondsPerRate} seconds each at ` +
      `${formatNumber(result.what.settings.commonRate)} requests a second and at 25, 50, 75 and ` +
      `90 % of what each server can do. ${whereFrom(result)}`,
    draw: lines(shown.slice(0, 5), { x: "seconds", y: "memory, MiB" }),
    table: [
      ["server", "at rest, MiB", "at the end, MiB"],
      ...shown.map(({ label, points }) => [
        label,
        formatNumber(points[0][1], 1),
        formatNumber(points[points.length - 1][1], 1),
      ]),
    ],
  };
}

/**
 * @param {Result} result
 * @returns {Omit<Chart, "name">}
 */
function ladder(result) {
  const chart = cpuChart("CPU time per request, step by step")(result);
  const [, ...shown] = chart.table.map(([label]) => label);
  const rows = contendersOf(result)
    .sort(
      ([a], [b]) =>
        shown.indexOf(result.contenders[a].title) - shown.indexOf(result.contenders[b].title),
    )
    .map(([id, row]) => {
      const code = countLines(result.contenders[id].milestone);
      return [
        result.contenders[id].title,
        formatNumber(row.cpuMicrosecondsPerRequest.median, 1),
        formatNumber(row.cpuToBaseline.median, 2),
        formatMebibytes(row.loadedMemoryBytes),
        code === undefined ? "–" : formatNumber(code),
      ];
    });
  return {
    ...chart,
    table: [["server", "CPU time, µs", "to node:http", "memory, MiB", "lines of code"], ...rows],
  };
}

/** @type {[name: string, make: Source["make"]][]} */
const databaseCharts = [
  ["knee", kneeOfServers],
  ["cpu", columnOverTime("cpu", "Processor time", "% of a core", 1, "beyond")],
  ["memory", columnOverTime("ram", "Resident memory", "MiB", 1024)],
  ["threads", columnOverTime("threads", "Threads", "threads")],
  ["connections", columnOverTime("descriptors", "Open descriptors", "descriptors", 1, "beyond")],
  ["descriptors", descriptorsOverTime],
  ["latency", latencyOverTime],
  ["collapse", addedUnderOverload],
];

/** @type {Source[]} */
const sources = [
  ...databaseCharts.map(([name, make]) => ({
    name: `database-${name}`,
    suite: "database",
    make,
    read: readDatabase,
  })),
  { name: "cache-cpu", suite: "cache", make: costsOfCache, read: readCache },
  { name: "cache-memory", suite: "cache", make: memoryOfItems, read: readCache },
  { name: "upload-memory", suite: "upload", make: memoryOfUploads, read: readUpload },
  { name: "warming-up", suite: "warming-up", make: costsWhileWarming, read: readWarmingUp },
  { name: "overload", suite: "overload", make: goodputByLoad, read: readOverload },
  { name: "cluster-kills", suite: "cluster-kills", make: underKills, read: readCluster },
  { name: "cluster-restarts", suite: "cluster-restarts", make: underRestarts, read: readCluster },
  {
    name: "keeping-fast",
    suite: "keeping-fast",
    make: ratesByServed,
    read: readKeepingFast,
  },
  {
    name: "keeping-fast-cost",
    suite: "keeping-fast",
    make: costsOfSteps,
    read: readKeepingFast,
  },
  { name: "router-scale", suite: "router", make: routersByRoutes, read: readRouters },
  { name: "typical-cpu", suite: "typical", make: cpuChart("CPU time per request, one process") },
  {
    name: "typical-requests",
    suite: "typical",
    make: rateChart("Requests per second, one process"),
  },
  {
    name: "typical-max-latency",
    suite: "typical",
    make: dotChart({
      title: "Longest latency, one process",
      unit: "ms",
      column: "longest latency",
      axis: "longest latency of a block, ms",
      ofRun: (run) => run.latency.max,
      figure: ({ latency }) => latency.max,
      format: formatLatency,
      note: "The median of the blocks' longest.",
    }),
  },
  {
    name: "typical-idle-memory",
    suite: "typical",
    make: memoryChart("Memory at rest, one process", "idleMemoryBytes"),
  },
  {
    name: "typical-loaded-memory",
    suite: "typical",
    make: memoryChart("Memory under constant load, one process", "loadedMemoryBytes"),
  },
  { name: "real-cpu", suite: "real", make: cpuChart("CPU time per request, two workers") },
  { name: "real-requests", suite: "real", make: rateChart("Requests per second, two workers") },
  {
    name: "real-latency",
    suite: "real",
    make: latencySpread("Latency, two workers", ["p50", "p90", "p99", "max"]),
  },
  {
    name: "real-latency-without-max",
    suite: "real",
    make: latencySpread("Latency without the longest, two workers", ["p50", "p90", "p99"]),
  },
  {
    name: "real-idle-memory",
    suite: "real",
    make: memoryChart("Memory at rest, two workers", "idleMemoryBytes"),
  },
  {
    name: "real-loaded-memory",
    suite: "real",
    make: memoryChart("Memory under constant load, two workers", "loadedMemoryBytes"),
  },
  { name: "curve", suite: "curve", make: costByRate },
  { name: "latency-at-one-rate", suite: "latency", make: latencyAtRate },
  { name: "memory-over-time", suite: "latency", make: memoryOverTime },
  { name: "ladder", suite: "ladder", make: ladder },
  {
    name: "own-engine",
    suite: "own-engine",
    make: cpuChart("CPU time per request, velocy's engine and what is under it"),
  },
  {
    name: "own-engine-browser",
    suite: "own-engine-browser",
    make: cpuChart("CPU time per request with a browser's ten fields"),
  },
  {
    name: "framework",
    suite: "framework",
    make: cpuChart("CPU time per request, three middleware and a returned object"),
  },
  {
    name: "engine",
    suite: "engine",
    make: cpuChart("CPU time per request, chapter 4's server and node:http"),
  },
  {
    name: "cross-check",
    suite: "cross-check",
    make: cpuChart("CPU time per request, loaded by rewrk"),
  },
];

/**
 * The charts that a machine has results for.
 *
 * @param {string} machine
 * @returns {Chart[]}
 */
export function listCharts(machine) {
  return sources
    .filter(({ suite }) => existsSync(resultFile(machine, suite)))
    .map(({ name, suite, make, read = readRuns }) => ({ name, ...make(read(machine, suite)) }));
}

/**
 * One chart of a result that need not be in a file.
 *
 * @param {string} name
 * @param {unknown} result
 * @returns {Chart}
 */
export function makeChart(name, result) {
  const source = sources.find((candidate) => candidate.name === name);
  if (!source) throw new RangeError(`There is no chart "${name}".`);
  return { name, ...source.make(result) };
}

/**
 * @param {string[][]} table
 * @returns {string} Markdown
 */
export function toMarkdown([head, ...rows]) {
  const line = (/** @type {string[]} */ cells) => `| ${cells.join(" | ")} |`;
  const rule = head.map((_, index) => (index === 0 ? "---" : "---:"));
  return [line(head), line(rule), ...rows.map(line)].join("\n");
}
