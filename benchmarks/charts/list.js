import { existsSync } from "node:fs";
import { readRuns } from "../lib/compare.js";
import { resultFile } from "../lib/results.js";
import { formatMebibytes, formatNumber } from "../lib/table.js";
import { readCluster, underKills, underRestarts } from "./cluster.js";
import {
  addedUnderOverload,
  columnOverTime,
  descriptorsOverTime,
  kneeOfServers,
  latencyOverTime,
  readDatabase,
} from "./database.js";
import { dots, lines, spreads } from "./draw.js";
import { costsOfSteps, ratesByServed, readKeepingFast } from "./keeping-fast.js";
import { countLines } from "./lines-of-code.js";
import { goodputByLoad, readOverload } from "./overload.js";
import { readRouters, routersByRoutes } from "./router.js";
import { memoryOfUploads, readUpload } from "./upload.js";

/** @import { DerivedContender } from "../lib/derive.js" */
/** @import { RatesResult, Result } from "../lib/results.js" */
/** @import { Estimate } from "../lib/statistics.js" */
/** @import { Draw, Row } from "./draw.js" */

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
 * @param {Row[]} rows
 * @param {string} unit
 */
function describeEnds(rows, unit) {
  const [first, last] = [rows[0], rows[rows.length - 1]];
  return (
    `From the least to the most: ${first.label} with ${first.text} ${unit} ` +
    `to ${last.label} with ${last.text} ${unit}.`
  );
}

/**
 * A chart of dots, one for each server.
 *
 * @param {object} options
 * @param {string} options.title
 * @param {string} options.unit
 * @param {string} options.column the table's head
 * @param {(row: DerivedContender) => number | Estimate} options.figure
 * @param {(value: number, row: DerivedContender) => string} options.format
 * @param {boolean} [options.mostFirst]
 * @param {string} [options.note]
 * @returns {(result: Result) => Omit<Chart, "name">}
 */
function dotChart({ title, unit, column, figure, format, mostFirst = false, note = "" }) {
  return (result) => {
    const rows = contendersOf(result)
      .map(([id, derived]) => {
        const found = figure(derived);
        const estimate = typeof found === "number" ? { median: found } : found;
        const { title: label, stack } = result.contenders[id];
        /** @type {Row} */
        const row = {
          label,
          stack: /** @type {Row["stack"]} */ (stack),
          value: estimate.median,
          text: format(estimate.median, derived),
          ...("low" in estimate ? { low: estimate.low, high: estimate.high } : {}),
        };
        return { row, derived };
      })
      .sort((a, b) => (a.row.value - b.row.value) * (mostFirst ? -1 : 1));
    const shown = rows.map(({ row }) => row);
    const hasIntervals = shown.some(({ low }) => low !== undefined);
    return {
      title,
      description: `${title}. ${describeEnds(shown, unit)} ${note} ${whereFrom(result)}`
        .replaceAll(/ +/g, " ")
        .trim(),
      draw: dots(shown, unit),
      table: [
        ["server", `${column}, ${unit}`, ...(hasIntervals ? ["95 % interval"] : [])],
        ...rows.map(({ row, derived }) => [
          row.label,
          row.text,
          ...(row.low === undefined || row.high === undefined
            ? []
            : [`${format(row.low, derived)} to ${format(row.high, derived)}`]),
        ]),
      ],
    };
  };
}

const cpuChart = (/** @type {string} */ title) =>
  dotChart({
    title,
    unit: "µs",
    column: "CPU time per request",
    figure: (row) => row.cpuMicrosecondsPerRequest,
    format: (value) => formatNumber(value, 1),
    note: "Of the server's whole process tree.",
  });

const rateChart = (/** @type {string} */ title) =>
  dotChart({
    title,
    unit: "/s",
    column: "requests",
    figure: (row) => row.requestsPerSecond,
    format: (value, { verdict }) =>
      `${verdict === "generator-bound" ? "at least " : ""}${formatNumber(Math.round(value / 100) * 100)}`,
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
    figure: (row) => row[which] / 1024 ** 2,
    format: (value) => formatNumber(value, 1),
  });

/**
 * @param {string} title
 * @param {("p50" | "p90" | "p99" | "max")[]} names
 * @returns {(result: Result) => Omit<Chart, "name">}
 */
function latencySpread(title, names) {
  return (result) => {
    const rows = contendersOf(result)
      .map(([id, { latency }]) => {
        const points = names.map((name) => ({ name, value: latency[name] }));
        const { title: label, stack } = result.contenders[id];
        return { label, stack: /** @type {Row["stack"]} */ (stack), points };
      })
      .sort((a, b) => a.points[0].value - b.points[0].value)
      .map((row) => ({
        ...row,
        text: row.points.map(({ value }) => formatLatency(value)).join(" · "),
      }));
    return {
      title,
      description:
        `${title}, in milliseconds, of a generator that waits for each answer before it ` +
        `asks again. ${whereFrom(result)}`,
      draw: spreads(rows, "ms"),
      table: [
        ["server", ...names.map((name) => `${name}, ms`)],
        ...rows.map(({ label, points }) => [
          label,
          ...points.map(({ value }) => formatLatency(value)),
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
 * @param {RatesResult} result
 * @returns {Omit<Chart, "name">}
 */
function latencyAtRate(result) {
  const ids = Object.keys(result.derived.contenders).filter(
    (id) => result.derived.contenders[id].rates.common.verdict === "kept",
  );
  const rate = formatNumber(result.what.settings.commonRate);
  const shown = ids.slice(0, 5).map((id) => {
    // The block whose p99 is in the middle stands for all.
    const runs = result.blocks
      .flatMap(({ runs: all }) => all[id]?.rates.find(({ name }) => name === "common") ?? [])
      .sort((a, b) => a.latency.p99 - b.latency.p99);
    const { distribution } = runs[Math.floor(runs.length / 2)];
    const points = distribution
      .filter(([percentile]) => percentile < 0.9995)
      .map(
        ([percentile, value]) => /** @type {[number, number]} */ ([1 / (1 - percentile), value]),
      );
    return { label: result.contenders[id].title, points };
  });
  const title = `Latency at ${rate} requests a second`;
  return {
    title,
    description:
      `${title}, the same for all, asked without waiting for answers: which share of the requests ` +
      `was answered within how many milliseconds. Both axes are logarithmic. ${whereFrom(result)}`,
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
  const [block] = result.blocks;
  const shown = Object.entries(block.runs).map(([id, { idleMemory, rates }]) => {
    /** @type {[number, number][]} */
    const points = [[0, idleMemory.bytes / 1024 ** 2]];
    for (const [index, { memory }] of rates.entries()) {
      for (const { seconds, bytes } of memory) {
        points.push([index * result.what.settings.secondsPerRate + seconds, bytes / 1024 ** 2]);
      }
    }
    return { label: result.contenders[id].title, points };
  });
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
  const rows = contendersOf(result)
    .sort((a, b) => a[1].cpuMicrosecondsPerRequest.median - b[1].cpuMicrosecondsPerRequest.median)
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
  ["cpu", columnOverTime("cpu", "Processor time", "% of a core")],
  ["memory", columnOverTime("ram", "Resident memory", "MiB", 1024)],
  ["threads", columnOverTime("threads", "Threads", "threads")],
  ["connections", columnOverTime("descriptors", "Open descriptors", "descriptors")],
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
  { name: "upload-memory", suite: "upload", make: memoryOfUploads, read: readUpload },
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
  { name: "latency-at-one-rate", suite: "latency", make: latencyAtRate },
  { name: "memory-over-time", suite: "latency", make: memoryOverTime },
  { name: "ladder", suite: "ladder", make: ladder },
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
 * @param {string[][]} table
 * @returns {string} Markdown
 */
export function toMarkdown([head, ...rows]) {
  const line = (/** @type {string[]} */ cells) => `| ${cells.join(" | ")} |`;
  const rule = head.map((_, index) => (index === 0 ? "---" : "---:"));
  return [line(head), line(rule), ...rows.map(line)].join("\n");
}
