import { write } from "./draw.js";
import { formatTick, placeTicks, scaleOf, shortenTick } from "./ticks.js";

/**
 * Writes the values of a horizontal axis, as many as have room.
 *
 * @param {Element} svg
 * @param {object} axis
 * @param {number[]} axis.ticks
 * @param {Parameters<typeof scaleOf>[0]} axis.scale
 * @param {number} axis.width of the chart
 * @param {number[]} axis.heights at which they stand
 */
export function writeAxis(svg, { ticks, scale, width, heights }) {
  const labels = placeTicks(
    ticks.map((at) => ({ at, label: formatTick(at), short: shortenTick(at) })),
    scaleOf(scale),
    { from: 2, to: width - 2 },
  );
  for (const { label, x } of labels) {
    for (const y of heights) {
      write(svg, { x, y, text: label, anchor: "middle", color: "soft" });
    }
  }
}
