import * as Plot from "@observablehq/plot";
import { writeAxis } from "./axis.js";
import { lineStep, paint, side, write } from "./draw.js";
import { blockOptions, hollowSample, legend } from "./legend.js";
import { colour, isOfThePast, styleOf, symbolOptions } from "./styles.js";
import { widthOf, wrap } from "./text.js";
import { logTicks } from "./ticks.js";

/** @import { Markish } from "@observablehq/plot" */
/** @import { Draw } from "./draw.js" */
/** @import { LegendItem } from "./legend.js" */

/**
 * @typedef {object} Spread how long one server's answers took
 * @property {string} server its id, which says how it looks
 * @property {string} label
 * @property {string} [stack]
 * @property {number} p50
 * @property {number} p90
 * @property {number} p99
 * @property {number[]} blocks what each block measured of the figure that
 *   differs most
 * @property {string} text
 */

/**
 * A line for each server from the median of latency to its 99th percentile,
 * on a logarithmic scale, and a dot for what each block measured: a median of
 * them would hide that some blocks have it and some don't.
 *
 * @param {Spread[]} rows in the order to show
 * @param {object} words
 * @param {string} words.axis what the axis shows
 * @param {string} words.blocks what the dots are
 * @param {LegendItem[]} [words.notes]
 * @returns {Draw}
 */
export function spreads(rows, { axis, blocks, notes = [] }) {
  const values = rows.flatMap(({ p50, p99, blocks: each }) => [p50, p99, ...each]);
  const domain = [Math.min(...values) / 1.08, Math.max(...values) * 1.08];
  return (width) => {
    const key = legend(
      [
        { sample: "symbol", text: "half of the answers (p50)" },
        { sample: "range", text: "up to p99" },
        { sample: "bar", text: "p90" },
        { sample: "dots", text: blocks },
        ...(rows.some(({ server, stack }) => isOfThePast(server, stack))
          ? [
              {
                sample: /** @type {const} */ ("symbol"),
                style: hollowSample,
                isHollow: true,
                text: "of 2023, or on an older Node.js",
              },
            ]
          : []),
        ...notes,
      ],
      width,
    );
    const top = key.height + 34;
    const { placed, bottom } = layOut(rows, width, top);
    const ticks = logTicks(domain[0], domain[1]);
    const scale = {
      type: /** @type {const} */ ("log"),
      domain,
      range: [side + 8, width - side - 8],
    };
    const svg = paint({
      width,
      height: bottom + 30 + lineStep + 4,
      x: scale,
      marks: [
        Plot.ruleX(ticks, { y1: top, y2: bottom, stroke: colour("line"), strokeOpacity: 0.3 }),
        ...placed.flatMap(marksOf),
        ...key.marks,
      ],
    });
    key.finish(svg);
    writeAxis(svg, { ticks, scale, width, heights: [top - 8, bottom + 20] });
    write(svg, {
      ...{ x: width - side, y: bottom + 22 + lineStep, anchor: "end", color: "soft" },
      text: `${axis}, log axis`,
    });
    for (const { lines, texts, isBeside, start } of placed) {
      for (const [index, text] of lines.entries()) {
        write(svg, { x: side, y: start + 20 + index * lineStep, text, isOverMarks: true });
      }
      const first = start + 20 + (isBeside ? 0 : lines.length * lineStep);
      for (const [index, text] of texts.entries()) {
        const y = first + index * lineStep;
        write(svg, { x: width - side, y, text, anchor: "end", isBold: true, isOverMarks: true });
      }
    }
    return svg;
  };
}

/**
 * @param {Spread[]} rows
 * @param {number} width
 * @param {number} top
 */
function layOut(rows, width, top) {
  const room = width - 2 * side;
  let bottom = top;
  const placed = rows.map((row) => {
    const lines = wrap(row.label, room);
    const texts = wrap(row.text, room, { isBold: true });
    const taken = widthOf(row.label) + widthOf(row.text, { isBold: true }) + 24;
    const isBeside = lines.length === 1 && texts.length === 1 && taken <= room;
    const count = isBeside ? 1 : lines.length + texts.length;
    const start = bottom;
    const y = start + 38 + (count - 1) * lineStep;
    bottom = y + 26;
    return { row, lines, texts, isBeside, start, y };
  });
  return { placed, bottom };
}

/**
 * @param {{ row: Spread, y: number }} placed
 * @returns {Markish[]}
 */
function marksOf({ row, y }) {
  const { server, stack, p50, p90, p99, blocks } = row;
  const style = styleOf(server);
  const stroke = colour(style.colour);
  return [
    Plot.ruleY([y], {
      insetLeft: side,
      insetRight: side,
      stroke: colour("line"),
      strokeOpacity: 0.35,
    }),
    Plot.ruleY([y], { x1: [p50], x2: [p99], stroke, strokeWidth: 4, strokeOpacity: 0.5 }),
    Plot.ruleX([p90], { y1: y - 7, y2: y + 7, stroke, strokeWidth: 3 }),
    Plot.dot(blocks, {
      x: (each) => each,
      y: blocks.map(() => y + 14),
      ...blockOptions(style.colour),
    }),
    Plot.dot([p50], { x: [p50], y: [y], ...symbolOptions(style, isOfThePast(server, stack)) }),
  ];
}
