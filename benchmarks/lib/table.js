import { bounds } from "./bounds.js";
import { mayRank } from "./derive.js";
import { isRatesResult } from "./results.js";
import { disturbanceOf, keepsLittlesLaw, meanings } from "./verdict.js";

/** @import { Derived, DerivedContender } from "./derive.js" */
/** @import { Cost, DerivedRate } from "./derive-rates.js" */
/** @import { RatesRun } from "./measure-rates.js" */
/** @import { BusyShares } from "./measure.js" */
/** @import { WorkerShare } from "./measure.js" */
/** @import { Block } from "./derive.js" */
/** @import { RatesResult, Result, Setup } from "./results.js" */
/** @import { Estimate } from "./statistics.js" */
/** @import { Bound } from "./verdict.js" */

/**
 * @param {string[][]} rows the first is the head
 * @param {("left" | "right")[]} sides
 * @returns {string}
 */
export function formatTable(rows, sides) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const line = (/** @type {string[]} */ row) =>
    row
      .map((cell, column) =>
        sides[column] === "right" ? cell.padStart(widths[column]) : cell.padEnd(widths[column]),
      )
      .join("  ")
      .trimEnd();
  const [head, ...body] = rows;
  return [line(head), widths.map((width) => "-".repeat(width)).join("  "), ...body.map(line)].join(
    "\n",
  );
}

/**
 * @param {number} value
 * @param {number} [digits] after the point
 */
export function formatNumber(value, digits = 0) {
  return value.toLocaleString("en-US", {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

/**
 * @param {Estimate} estimate
 * @param {number} digits
 */
export function formatEstimate({ median, low, high }, digits) {
  return `${formatNumber(median, digits)} (${formatNumber(low, digits)}-${formatNumber(high, digits)})`;
}

/** @param {number} bytes */
export function formatMebibytes(bytes) {
  return formatNumber(bytes / 1024 ** 2, 1);
}

/**
 * How many bytes an answer has: who sends less has less to do.
 *
 * @param {Record<string, DerivedContender>} contenders
 * @returns {string}
 */
function formatBytes(contenders) {
  /** @type {Map<number, string[]>} */
  const byBytes = new Map();
  for (const [id, { bytesPerResponse }] of Object.entries(contenders)) {
    byBytes.set(bytesPerResponse, [...(byBytes.get(bytesPerResponse) ?? []), id]);
  }
  if (byBytes.size === 1) return `${[...byBytes.keys()][0]}, all alike`;
  return [...byBytes].map(([bytes, ids]) => `${bytes} (${ids.join(", ")})`).join("; ");
}

/** What stands before a rate that isn't the server's own limit. */
const marks = /** @type {Record<Bound, string>} */ ({
  "server-bound": "",
  "generator-bound": ">=",
  "neither-bound": "?",
  "cores-shared": "",
});

/** @param {WorkerShare[]} workers */
function formatWorkers(workers) {
  const connections = workers.map((worker) => worker.connections);
  if (connections.every((count) => count !== undefined)) return connections.join(" + ");
  return `${workers.map(({ share }) => formatNumber(share * 100)).join("/")} %`;
}

const noiseMeanings = {
  tie: "a tie, as it must be",
  "not a tie": "NOT A TIE: no difference in this run can be trusted, so nothing is ranked",
  "too few blocks": "too few blocks to say more, so nothing is ranked",
};

/** @param {Result | RatesResult} result */
function formatHead({ what: setup, where: host, blocks }) {
  const { seconds, turns = 1 } = setup.settings;
  const load = turns === 1 ? `${seconds} s` : `${turns} turns of ${seconds} s`;
  const processor = host.processor ? ` (${host.processor})` : "";
  return [
    `${setup.title}, ${setup.method ?? "GET"} ${setup.path}`,
    `${host.cores} cores of ${host.cpu}${processor}${host.virtual ? ", virtual" : ""}; ${blocks.length} blocks of ` +
      `${load} after ${setup.settings.warmUpSeconds} s of warm-up; ` +
      `${setup.settings.connections} connections; ${setup.layout.pinned ? "pinned" : "not pinned"}`,
    "",
  ];
}

/**
 * What has to be known beside the figures.
 *
 * @param {Result | RatesResult} result
 * @returns {string[]}
 */
function formatNotes(result) {
  const lines = [];
  for (const [id, contender] of Object.entries(result.contenders)) {
    if (contender.note) lines.push(`${id}: ${contender.note}`);
    for (const difference of contender.contract.differences)
      lines.push(`${id} differs: ${difference}`);
  }
  for (const { contender, why } of result.what.leftOut)
    lines.push(`left out: ${contender}: ${why}`);
  for (const block of result.blocks) {
    for (const [id, why] of Object.entries(block.failed)) {
      lines.push(`failed in block ${block.block}: ${id}: ${why.split("\n")[0]}`);
    }
    lines.push(...formatDisturbed(block));
  }
  if (!result.finished)
    lines.push(`Not finished: ${result.blocks.length} of ${result.what.settings.blocks} blocks.`);
  if (!result.publishable) lines.push("A quick run: not publishable.");
  return lines;
}

/**
 * A line a block where each server was loaded once, the worst first; else one
 * for each stretch of load that was disturbed.
 *
 * @param {Result["blocks"][number] | RatesResult["blocks"][number]} block
 * @returns {string[]}
 */
function formatDisturbed({ block, runs }) {
  const head = `disturbed in block ${block}`;
  /** @type {{ id: string, server: number, generator: number }[]} */
  const both = [];
  /** @type {string[]} */
  const lines = [];
  for (const [id, run] of Object.entries(runs)) {
    if ("rates" in run || run.generatorOthersShare === undefined) {
      for (const what of describeDisturbances(run)) lines.push(`${head}: ${id}: ${what}`);
    } else if (disturbanceOf(run) > bounds.disturbance) {
      both.push({ id, ...takenByOthers(run) });
    }
  }
  if (both.length === 0) return lines;
  both.sort((a, b) => worstOf(b) - worstOf(a));
  const list = both.map(
    ({ id, server, generator }) => `${id} ${formatPercent(server)}/${formatPercent(generator)} %`,
  );
  return [
    ...lines,
    `${head}, others took so much of the server's cores/the generator's: ${list.join(", ")}`,
  ];
}

/** @param {{ server: number, generator: number }} shares */
function worstOf({ server, generator }) {
  return Math.max(server, generator);
}

/** @param {Partial<BusyShares>} shares */
function takenByOthers(shares) {
  const { othersShare = 0, generatorOthersShare = 0 } = shares;
  const { stealShare = 0, generatorStealShare = 0 } = shares;
  return {
    server: othersShare + stealShare,
    generator: generatorOthersShare + generatorStealShare,
  };
}

/** @param {number} share */
function formatPercent(share) {
  return formatNumber(share * 100);
}

/**
 * @param {Block["runs"][string] | RatesRun} run
 * @returns {string[]}
 */
function describeDisturbances(run) {
  if (!("rates" in run)) return describeDisturbance(run);
  const { othersShare, rates, capacity } = run;
  // The first results have the most of all rates, and no more.
  if (othersShare !== undefined) return describeDisturbance({ othersShare });
  return [{ ...capacity, name: "as fast as it goes" }, ...rates].flatMap(({ name, ...shares }) =>
    describeDisturbance(shares).map((what) => `at ${name}: ${what}`),
  );
}

/**
 * @param {Partial<BusyShares>} shares
 * @returns {string[]} nothing when they are tolerable
 */
function describeDisturbance(shares) {
  const { othersShare = 0, generatorOthersShare } = shares;
  // The first results watched the server's cores alone; where both sides have
  // the same there are no others.
  if (generatorOthersShare === undefined) {
    if (othersShare <= bounds.disturbance) return [];
    return [`other programs took ${formatPercent(othersShare)} % of a core`];
  }
  if (disturbanceOf(shares) <= bounds.disturbance) return [];
  const { server, generator } = takenByOthers(shares);
  return [
    `others took ${formatPercent(server)} % of the server's cores, ` +
      `${formatPercent(generator)} % of the generator's`,
  ];
}

/**
 * What a person reads at the end of a suite, and what the book prints.
 *
 * @param {Result | RatesResult} result
 * @returns {string}
 */
export function formatResult(result) {
  const lines = isRatesResult(result)
    ? result.what.shows === "cost"
      ? formatCurve(result)
      : formatRates(result)
    : result.what.sells
      ? formatLab(result, result.what.sells)
      : formatSaturation(result);
  return [...formatHead(result), ...lines, ...formatNotes(result)].map(wrapLine).join("\n");
}

const mostColumns = 76;

/**
 * Breaks a line that is too long for a terminal or a page. A table stays as
 * it is.
 *
 * @param {string} line
 * @returns {string}
 */
export function wrapLine(line) {
  if (line.includes("\n") || line.length <= mostColumns) return line;
  const indent = /^ */.exec(line)?.[0] ?? "";
  const folded = [];
  let current = indent;
  for (const word of line.trim().split(" ")) {
    if (current.trim() !== "" && current.length + 1 + word.length > mostColumns) {
      folded.push(current);
      current = `${indent}  `;
    }
    current += current.trim() === "" ? word : ` ${word}`;
  }
  return [...folded, current].join("\n");
}

/** A verdict in which the figures of a rate can't be trusted. */
const untrusted = ["lagged", "generator-bound"];

/** @param {DerivedRate} rate @returns {boolean} */
function isTrusted({ verdict, keptIn }) {
  // The first results show the figures all the same.
  return keptIn === undefined || keptIn > 0 || !untrusted.includes(verdict);
}

/**
 * @param {Pick<Cost, "userMicrosecondsPerRequest" | "systemMicrosecondsPerRequest">} cost
 */
function formatModes({ userMicrosecondsPerRequest: user, systemMicrosecondsPerRequest: system }) {
  return [user, system].map((mode) => formatNumber(mode?.median ?? Number.NaN, 1)).join(" + ");
}

/**
 * @param {RatesResult} result
 * @returns {string[]}
 */
function formatRates({ derived }) {
  const all = Object.values(derived.contenders).flatMap(({ rates }) => Object.values(rates));
  const countsFromDue = all.every(({ latenessMs }) => latenessMs !== undefined);
  const hasModes = all.every((rate) => rate.userMicrosecondsPerRequest);
  const head = ["server", "asked", "requests/s", "p50 ms", "p99 ms", "p99.9 ms"];
  if (countsFromDue) head.push("> 20 ms", "late ms");
  head.push("CPU us");
  if (hasModes) head.push("user + system");
  const rows = [[...head, ""]];
  for (const [id, { capacity, closedLoop, rates, atSaturation }] of Object.entries(
    derived.contenders,
  )) {
    rows.push([
      id,
      "closed loop",
      formatNumber(capacity.median),
      ...[closedLoop.p50, closedLoop.p99, closedLoop.p999].map(({ median }) =>
        formatNumber(median, 2),
      ),
      ...(countsFromDue ? ["", ""] : []),
      atSaturation ? formatNumber(atSaturation.cpuMicrosecondsPerRequest.median, 1) : "",
      ...(hasModes ? [atSaturation ? formatModes(atSaturation) : ""] : []),
      atSaturation?.verdict ?? "",
    ]);
    for (const [name, rate] of Object.entries(rates)) {
      const percentiles = [rate.p50, rate.p99, rate.p999];
      const { above = {}, latenessMs = Number.NaN } = rate;
      rows.push([
        id,
        name === "common" ? "all alike" : `${name} of its own`,
        formatNumber(rate.offeredPerSecond),
        ...percentiles.map(({ median }) => (isTrusted(rate) ? formatNumber(median, 2) : "-")),
        ...(countsFromDue
          ? [
              isTrusted(rate) ? `${formatNumber((above[20] ?? 0) * 100, 1)} %` : "-",
              formatNumber(latenessMs, 2),
            ]
          : []),
        formatNumber(rate.cpuMicrosecondsPerRequest.median, 1),
        ...(hasModes ? [formatModes(rate)] : []),
        rate.verdict,
      ]);
    }
  }
  const sides = rows[0].map((_, index) => (index < 2 || index === head.length ? "left" : "right"));
  return [
    formatTable(rows, /** @type {("left" | "right")[]} */ (sides)),
    "",
    ...(countsFromDue ? notesOnDue : notesOnSent),
    ...Object.entries(derived.contenders).flatMap(([id, { closedLoop }]) =>
      formatLittlesLaw(id, closedLoop.littlesLawRatio),
    ),
  ];
}

const closedLoopNote =
  "closed loop: wrk with as many requests as it gets answers, and the latencies it prints";

/** Where a generator tells the latency from when it sent. */
const notesOnSent = [
  "medians over the blocks; at fixed rates latency counts from when vegeta sent the request",
  closedLoopNote,
  "generator-bound: the generator had no time left, so the latency is partly its own",
  "not kept: vegeta could not send in time, so the figures look better than they are",
];

/** Where it tells it from when a request was due. */
const notesOnDue = [
  "medians over the blocks in which the rate was kept; at fixed rates latency counts from " +
    "when a request was due",
  closedLoopNote,
  "> 20 ms: the share of the requests that took longer",
  `late: how late the generator itself was, in 99 % of the requests; over ${bounds.lateness} ms ` +
    "the run isn't kept",
  "lagged: it was later than that, and had time; generator-bound: it had none left",
  "not kept: the server didn't keep up",
];

/**
 * CPU time per request over the rate.
 *
 * @param {RatesResult} result
 * @returns {string[]}
 */
function formatCurve({ what: setup, derived }) {
  const entries = Object.entries(derived.contenders);
  const names = Object.keys(entries[0][1].rates);
  const shares = [["server", "requests/s", ...names, "all it can"]];
  const costs = [
    ["server", "at a half", "user + system", "at saturation", "user + system", "ratio"],
  ];
  for (const [id, { capacity, rates, atHalf, atSaturation }] of entries) {
    const cells = names.map((name) => {
      const { verdict, cpuMicrosecondsPerRequest: cpu } = rates[name];
      return `${verdict === "kept" ? "" : "~"}${formatNumber(cpu.median, 1)}`;
    });
    const full = atSaturation?.cpuMicrosecondsPerRequest;
    const most = full ? formatNumber(full.median, 1) : "-";
    const mark = atSaturation ? marks[/** @type {Bound} */ (atSaturation.verdict)] : "";
    shares.push([id, `${mark}${formatNumber(capacity.median)}`, ...cells, most]);
    if (!atHalf || !atSaturation || !full) continue;
    const atHalfCpu = atHalf.cpuMicrosecondsPerRequest;
    costs.push([
      id,
      `${atHalf.verdict === "kept" ? "" : "~"}${formatEstimate(atHalfCpu, digitsFor(atHalfCpu.median))}`,
      formatModes(atHalf),
      formatEstimate(full, digitsFor(full.median)),
      formatModes(atSaturation),
      formatNumber(atHalfCpu.median / full.median, 2),
    ]);
  }
  const sidesOf = (/** @type {string[][]} */ [head]) =>
    head.map((_, index) => /** @type {"left" | "right"} */ (index === 0 ? "left" : "right"));
  return [
    "CPU us/request at shares of what each server can:",
    "",
    formatTable(shares, sidesOf(shares)),
    "",
    formatTable(costs, sidesOf(costs)),
    "",
    "medians over the blocks, in parentheses the 95 % interval; user: outside the kernel",
    "~: the rate wasn't kept: requests came in heaps, and a heap is cheaper by the piece",
    ...(derived.noise ? [formatNoise(setup, derived.noise, "at a half of its capacity, ")] : []),
    ...Object.entries(meanings)
      .filter(([name]) => entries.some(([, { atSaturation }]) => atSaturation?.verdict === name))
      .map(([name, meaning]) => `${marks[/** @type {Bound} */ (name)]} ${name}: ${meaning}`.trim()),
  ];
}

/**
 * @typedef {object} Column
 * @property {string} head
 * @property {"left" | "right"} side
 * @property {boolean} [when] it is shown, if not always
 * @property {(row: DerivedContender, id: string) => string} cell
 */

/**
 * @param {Setup} setup
 * @param {object} is
 * @param {boolean} is.hasModes user and system time are known apart
 * @param {boolean} is.isRanked
 * @returns {Column[]}
 */
function saturationColumns({ layout, settings }, { hasModes, isRanked }) {
  const hasWorkers = settings.workers > 1;
  /** @type {Column[]} */
  const columns = [
    {
      head: "",
      side: "right",
      when: isRanked,
      cell: ({ rank }) => (rank > 0 ? `${rank}.` : ""),
    },
    { head: "server", side: "left", cell: (_, id) => id },
    {
      head: "CPU us/request",
      side: "right",
      cell: ({ cpuMicrosecondsPerRequest: cpu }) => formatEstimate(cpu, digitsFor(cpu.median)),
    },
    {
      head: "user + system",
      side: "right",
      when: hasModes,
      cell: formatModes,
    },
    {
      head: "ratio",
      side: "right",
      cell: ({ cpuToBaseline }) => formatNumber(cpuToBaseline.median, 3),
    },
    {
      head: "requests/s",
      side: "right",
      // On shared cores a rate is the limit of neither: it would only mislead.
      when: !layout.shared,
      cell: ({ verdict, requestsPerSecond }) =>
        `${marks[verdict]}${formatNumber(requestsPerSecond.median)}`,
    },
    {
      head: "p99 ms",
      side: "right",
      when: hasWorkers,
      cell: ({ latency }) => formatNumber(latency.p99, 1),
    },
    {
      head: "max ms",
      side: "right",
      when: hasWorkers,
      cell: ({ latency }) => formatNumber(latency.max, 1),
    },
    {
      head: "workers",
      side: "right",
      when: hasWorkers,
      cell: ({ workers = [] }) => formatWorkers(workers),
    },
    {
      head: "busy/load",
      side: "right",
      when: !hasWorkers,
      cell: ({ serverBusy, generatorBusy }) =>
        `${formatNumber(serverBusy * 100)}/${formatNumber(generatorBusy * 100)} %`,
    },
    {
      head: "MiB",
      side: "right",
      cell: ({ loadedMemoryBytes }) => formatMebibytes(loadedMemoryBytes),
    },
  ];
  return columns.filter(({ when = true }) => when);
}

/**
 * @param {number} value
 * @returns {number} digits after the point that tell servers apart
 */
function digitsFor(value) {
  if (value < 10) return 2;
  return value < 100 ? 1 : 0;
}

/**
 * @param {Result} result
 * @returns {string[]}
 */
function formatSaturation({ what: setup, derived, blocks }) {
  const entries = Object.entries(derived.contenders).sort(
    ([, a], [, b]) => a.cpuMicrosecondsPerRequest.median - b.cpuMicrosecondsPerRequest.median,
  );
  const hasModes = entries.every(([, row]) => row.userMicrosecondsPerRequest !== undefined);
  const columns = saturationColumns(setup, { hasModes, isRanked: mayRank(derived) });
  const table = formatTable(
    [
      columns.map(({ head }) => head),
      ...entries.map(([id, row]) => columns.map(({ cell }) => cell(row, id))),
    ],
    columns.map(({ side }) => side),
  );
  const lines = [
    table,
    "",
    `ratio: CPU time to ${setup.baseline} of the same block; in parentheses the 95 % interval`,
  ];
  if (columns.some(({ head }) => head === "workers")) {
    lines.push(
      "workers: connections of each process, or shares of its threads in the CPU time; the busiest first",
    );
  }
  if (hasModes) lines.push("user + system: outside the kernel, and inside");
  if (derived.noise) lines.push(formatNoise(setup, derived.noise), ...formatTies(derived));
  for (const verdict of new Set(entries.map(([, row]) => row.verdict))) {
    const mark = marks[verdict] === "" ? "" : `${marks[verdict]} `;
    lines.push(`${mark}${verdict}: ${meanings[verdict]}`);
  }
  const memoryKind = Object.values(blocks[0]?.runs ?? {})[0]?.idleMemory.kind ?? "memory";
  lines.push(
    `MiB: ${memoryKind} under load${setup.settings.turns ? ", with the other servers alive" : ""}`,
    `bytes of an answer: ${formatBytes(derived.contenders)}`,
    ...entries.flatMap(([id, { littlesLawRatio }]) => formatLittlesLaw(id, littlesLawRatio)),
  );
  return lines;
}

/**
 * @param {Setup} setup
 * @param {NonNullable<Derived["noise"]>} noise
 * @param {string} [where] it was measured
 */
function formatNoise({ baseline, twin }, { ratio, floor, verdict }, where = "") {
  const said = `A/A: ${where}${twin} to ${baseline} ${formatEstimate(ratio, 3)}: ${noiseMeanings[verdict]}`;
  if (verdict !== "tie") return said;
  const room = formatNumber(floor * 100, 1);
  return `${said}; a server shares the rank of one from which it differs by less than ${room} %, or whose ratio to it may be 1`;
}

/**
 * Of those that share a rank, who was shown to be alike, and who wasn't.
 *
 * @param {Derived} derived
 * @returns {string[]} nothing for the first results
 */
function formatTies({ ties = [] }) {
  const margin = `${formatNumber(bounds.alike * 100)} %`;
  return ties.map(({ first, other, verdict }) =>
    verdict === "alike"
      ? `${other} and ${first} can't be told apart: they differ by less than ${margin}`
      : `${other} and ${first} share a rank, but this run can't say that they are within ${margin}`,
  );
}

/**
 * @param {string} id
 * @param {number} ratio
 * @returns {string[]} a line when the law doesn't hold
 */
function formatLittlesLaw(id, ratio) {
  if (keepsLittlesLaw(ratio)) return [];
  return [
    `Little's law fails for ${id}: its mean latency is ` +
      `${formatNumber(ratio, 2)} of what the rate allows`,
  ];
}

/**
 * A lab's servers, by the figure that somebody would show who measured like
 * this and thought no further.
 *
 * @param {Result} result
 * @param {"requestsPerSecond" | "p50"} rankedBy
 * @returns {string[]}
 */
function formatLab({ what: setup, derived }, rankedBy) {
  const hasModes = Object.values(derived.contenders).every((row) => row.userMicrosecondsPerRequest);
  const modes = hasModes ? ["user + system"] : [];
  const rows = [["server", "requests/s", "p50 ms", "max ms", "CPU us/request", ...modes, ""]];
  for (const [id, row] of rankForSale(derived.contenders, rankedBy, setup.twin)) {
    const { latency } = row;
    rows.push([
      id,
      formatNumber(row.requestsPerSecond.median),
      ...[latency.p50, latency.max].map((value) => formatNumber(value, 2)),
      formatEstimate(row.cpuMicrosecondsPerRequest, 1),
      ...(hasModes ? [formatModes(row)] : []),
      row.verdict,
    ]);
  }
  const sides = rows[0].map((_, index) => {
    return /** @type {"left" | "right"} */ (
      index === 0 || index === rows[0].length - 1 ? "left" : "right"
    );
  });
  const by = rankedBy === "p50" ? "median latency" : "requests a second";
  const lines = [formatTable(rows, sides), "", `How to be wrong: ranked by ${by}`];
  for (const [id, connections] of Object.entries(setup.settings.connectionsOf ?? {})) {
    if (id in derived.contenders) lines.push(`${id}: ${connections} connections`);
  }
  for (const [id, { littlesLawRatio }] of Object.entries(derived.contenders)) {
    lines.push(...formatLittlesLaw(id, littlesLawRatio));
  }
  return lines;
}

/**
 * @param {Record<string, DerivedContender>} contenders
 * @param {"requestsPerSecond" | "p50"} rankedBy
 * @param {string | undefined} twin which is left out
 * @returns {[id: string, row: DerivedContender][]} the one that looks best first
 */
export function rankForSale(contenders, rankedBy, twin) {
  return Object.entries(contenders)
    .filter(([id]) => id !== twin)
    .sort(([, a], [, b]) =>
      rankedBy === "p50"
        ? a.latency.p50 - b.latency.p50
        : b.requestsPerSecond.median - a.requestsPerSecond.median,
    );
}
