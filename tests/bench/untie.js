import { derive, designOf } from "../../benchmarks/lib/derive.js";

/** @typedef {import("../../benchmarks/lib/results.js").Result} Result */

/**
 * @param {Result} result of a run whose twins tie
 * @returns {Result} of the same run, had each request of the twin cost half as
 *   much again
 */
export function untie(result) {
  const twin = String(result.what.twin);
  const blocks = result.blocks.map((block) => {
    const run = block.runs[twin];
    const cpuMicrosecondsPerRequest = run.cpuMicrosecondsPerRequest * 1.5;
    return { ...block, runs: { ...block.runs, [twin]: { ...run, cpuMicrosecondsPerRequest } } };
  });
  return { ...result, blocks, derived: derive(blocks, designOf(result.what)) };
}
