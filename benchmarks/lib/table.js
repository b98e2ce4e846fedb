import { meanings } from "./verdict.js";

/** @import { Result } from "./results.js" */
/** @import { Estimate } from "./statistics.js" */

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
  return [line(head), widths.map((width) => "-".repeat(width)).join("  "), ...body.map(line)].join("\n");
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

const noiseMeanings = {
  tie: "a tie, as it must be",
  "not a tie": "NOT A TIE: no smaller difference in this run can be trusted",
  "too few blocks": "too few blocks to say more",
};

/**
 * What a person reads at the end of a suite, and what the book prints.
 *
 * @param {Result} result
 * @returns {string}
 */
export function formatResult(result) {
  const { what, where, derived, blocks } = result;
  const ids = Object.keys(derived.contenders).sort(
    (a, b) =>
      derived.contenders[a].cpuMicrosecondsPerRequest.median -
      derived.contenders[b].cpuMicrosecondsPerRequest.median,
  );
  const memoryKind = Object.values(blocks[0]?.runs ?? {})[0]?.idleMemory.kind ?? "memory";
  const rows = [
    ["", "server", "CPU us/request", "ratio", "requests/s", "", "busy", "load", `${memoryKind} MiB`],
  ];
  for (const id of ids) {
    const row = derived.contenders[id];
    rows.push([
      row.rank > 0 ? `${row.rank}.` : "",
      id,
      formatEstimate(row.cpuMicrosecondsPerRequest, 2),
      formatNumber(row.cpuToBaseline.median, 3),
      `${row.verdict === "generator-bound" ? ">= " : ""}${formatNumber(row.requestsPerSecond.median)}`,
      row.verdict,
      `${formatNumber(row.serverBusy * 100)} %`,
      `${formatNumber(row.generatorBusy * 100)} %`,
      formatMebibytes(row.loadedMemoryBytes),
    ]);
  }
  const lines = [
    `${what.title}, GET ${what.path}`,
    `${where.cores} cores of ${where.cpu}${where.virtual ? ", virtual" : ""}; ${blocks.length} blocks of ` +
      `${what.settings.seconds} s after ${what.settings.warmUpSeconds} s of warm-up; ` +
      `${what.settings.connections} connections; ${what.layout.pinned ? "pinned" : "not pinned"}`,
    "",
    formatTable(rows, ["right", "left", "right", "right", "right", "left", "right", "right", "right"]),
    "",
    `ratio: CPU time to ${what.baseline} of the same block; in parentheses the 95 % interval`,
  ];
  if (derived.noise) {
    const { ratio, floor, verdict } = derived.noise;
    lines.push(
      `A/A: ${what.twin} to ${what.baseline} ${formatEstimate(ratio, 3)}: ` +
        `${noiseMeanings[verdict]}; ` +
        `what differs by less than ${formatNumber(floor * 100, 1)} % shares its rank`,
    );
  }
  for (const verdict of new Set(ids.map((id) => derived.contenders[id].verdict))) {
    lines.push(`${verdict}: ${meanings[verdict]}`);
  }
  for (const id of ids.filter((name) => !derived.contenders[name].littlesLawHolds)) {
    lines.push(
      `Little's law fails for ${id}: its mean latency is ` +
        `${formatNumber(derived.contenders[id].littlesLawRatio, 2)} of what the rate allows`,
    );
  }
  for (const [id, contender] of Object.entries(result.contenders)) {
    if (contender.note) lines.push(`${id}: ${contender.note}`);
    for (const difference of contender.contract.differences) lines.push(`${id} differs: ${difference}`);
  }
  for (const { contender, why } of what.leftOut) lines.push(`left out: ${contender}: ${why}`);
  for (const block of blocks) {
    for (const [id, why] of Object.entries(block.failed)) {
      lines.push(`failed in block ${block.block}: ${id}: ${why}`);
    }
  }
  if (!result.publishable) lines.push("A quick run: not publishable.");
  return lines.join("\n");
}
