/**
 * Whose turn it was in the samples of a profile that V8 has made.
 */

/** @typedef {import("node:inspector").Profiler.Profile} Profile */
/** @typedef {{ functionName: string, url: string }} Frame */

/** Where the program stands still. */
const waiting = "(idle)";

/**
 * Counts the time of each group, without what the functions have called.
 *
 * @param {Profile} profile
 * @param {object} options
 * @param {number} options.from microseconds of the clock that V8 reads
 * @param {number} options.to
 * @param {(frame: Frame) => string} options.groupOf
 * @returns {Map<string, number>} microseconds by group, without waiting
 */
export function selfTimes(profile, { from, to, groupOf }) {
  const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]));
  const { samples = [], timeDeltas = [] } = profile;
  /** @type {Map<string, number>} */
  const times = new Map();
  let at = profile.startTime + (timeDeltas[0] ?? 0);
  for (const [i, id] of samples.entries()) {
    // A sample stands for the time up to the next one.
    const time = timeDeltas[i + 1] ?? 0;
    const frame = frames.get(id);
    if (frame !== undefined && at >= from && at < to && frame.functionName !== waiting) {
      const group = groupOf(frame);
      times.set(group, (times.get(group) ?? 0) + time);
    }
    at += time;
  }
  return times;
}
