import { readFileSync } from "node:fs";
import { resultFile } from "../lib/results.js";
import { formatNumber } from "../lib/table.js";
import { lines } from "./lines.js";

/** @import { Chart } from "./list.js" */

/**
 * What is read of an upload's result.
 *
 * @typedef {object} UploadResult
 * @property {string} node
 * @property {number} mebibytes
 * @property {{ cores: number, cpu: string }} where
 * @property {Record<"whole" | "parts", { mostBytes: number,
 *   samples: { sentMebibytes: number, rssBytes: number }[] }>} runs
 */

const LABELS = { whole: "the whole body", parts: "part by part" };

/**
 * @param {string} machine
 * @param {string} suite
 * @returns {UploadResult}
 */
export function readUpload(machine, suite) {
  return JSON.parse(readFileSync(resultFile(machine, suite), "utf8"));
}

/**
 * The server's memory by how much of a file was sent.
 *
 * @param {UploadResult} result
 * @returns {Omit<Chart, "name">}
 */
export function memoryOfUploads({ runs, mebibytes, node, where }) {
  const kinds = /** @type {("whole" | "parts")[]} */ (Object.keys(LABELS));
  const shown = kinds.map((kind) => ({
    server: "velocy",
    ...(kind === "whole" ? { variant: /** @type {const} */ ("other") } : {}),
    label: LABELS[kind],
    points: runs[kind].samples.map(
      ({ sentMebibytes, rssBytes }) =>
        /** @type {[number, number]} */ ([sentMebibytes, rssBytes / 1024 ** 2]),
    ),
  }));
  const title = "Memory of a server during an upload";
  const most = (/** @type {"whole" | "parts"} */ kind) =>
    formatNumber(Math.round(runs[kind].mostBytes / 1024 ** 2));
  return {
    title,
    description:
      `${title} of ${formatNumber(mebibytes)} MiB, in MiB, by how much was sent. Gathered whole: ` +
      `up to ${most("whole")}. Part by part: up to ${most("parts")}, and flat. ` +
      `Node ${node}, ${where.cores} cores, ${where.cpu}.`,
    draw: lines(shown, { x: "MiB sent", y: "memory, MiB", xTicks: ticksUpTo(mebibytes) }),
    table: [
      ["how the body is read", "at rest, MiB", "at most, MiB"],
      ...kinds.map((kind) => [
        LABELS[kind],
        formatNumber(Math.round(runs[kind].samples[0].rssBytes / 1024 ** 2)),
        most(kind),
      ]),
    ],
  };
}

/** @param {number} mebibytes */
function ticksUpTo(mebibytes) {
  const step = mebibytes / 4;
  return [0, 1, 2, 3].map((index) => ({ at: index * step, label: formatNumber(index * step) }));
}
