import * as Plot from "@observablehq/plot";
import { writeAxis } from "./axis.js";
import { lineStep, paint, side, write } from "./draw.js";
import { arrowOptions, blockOptions, hollowSample, legend, ringOptions } from "./legend.js";
import { colour, isOfThePast, styleOf, symbolOptions } from "./styles.js";
import { widthOf, wrap } from "./text.js";
import { logTicks } from "./ticks.js";

/** @import { Markish } from "@observablehq/plot" */
/** @import { Draw } from "./draw.js" */
/** @import { LegendItem } from "./legend.js" */

/**
 * @typedef {object} Row one server's figure
 * @property {string} server its id, which says how it looks
 * @property {string} label
 * @property {string} [stack]
 * @property {number} value above zero
 * @property {number} [low] the interval, when there is one
 * @property {number} [high]
 * @property {number[]} [blocks] what each block measured
 * @property {{ own: number, kernel: number }} [parts] of the value, outside
 *   the kernel and inside
 * @property {boolean} [isAtLeast] it may be more
 * @property {string} text the value as a reader gets it, with its unit
 */

/**
 * How far the twins are apart: what is drawn behind the rows.
 *
 * @typedef {object} Noise
 * @property {number} low on the axis
 * @property {number} high
 * @property {string} words
 * @property {boolean} isWarning the rows' order is no result
 */

/**
 * @typedef {object} Group rows with one noise
 * @property {string} [heading]
 * @property {Row[]} rows in the order to show
 * @property {Noise} [noise]
 * @property {string} [twinOf] whose row has the blocks of its twin
 */

const headingHeight = 40;
const belowMarks = 18;

/**
 * Where a row's parts are: the value stands beside the label where both have
 * room, and under it elsewhere.
 *
 * @param {Row} row
 * @param {number} width
 */
function layOutRow({ label, text, blocks }, width) {
  const room = width - 2 * side;
  const labels = wrap(label, room);
  const texts = wrap(text, room, { isBold: true });
  const isBeside =
    labels.length === 1 &&
    texts.length === 1 &&
    widthOf(label) + widthOf(text, { isBold: true }) + 24 <= room;
  const lines = isBeside ? 1 : labels.length + texts.length;
  const line = 20 + (lines - 1) * lineStep + 18;
  return { labels, texts, isBeside, line, height: line + belowMarks + (blocks ? 8 : 0) };
}

/**
 * Puts the rows of all groups under each other.
 *
 * @param {Group[]} groups
 * @param {number} width
 * @param {number} top
 */
function layOutGroups(groups, width, top) {
  let y = top;
  const placed = groups.map(({ heading, rows, noise }) => {
    const headingAt = y;
    if (heading !== undefined) y += headingHeight;
    const from = y;
    const rowsPlaced = rows.map((row) => {
      const layout = layOutRow(row, width);
      const start = y;
      y += layout.height;
      return { row, layout, start, y: start + layout.line, style: styleOf(row.server) };
    });
    return { heading, headingAt, noise, from, to: y, rows: rowsPlaced };
  });
  return { placed, bottom: y };
}

/**
 * @typedef {ReturnType<typeof layOutGroups>["placed"][number]} PlacedGroup
 * @typedef {PlacedGroup["rows"][number]} PlacedRow
 */

/**
 * Dots on a common logarithmic scale, on which the same distance is the same
 * ratio everywhere: each with its interval, what each block measured, and its
 * value written beside it. Behind them lies the noise.
 *
 * @param {Group[]} groups
 * @param {string} axis what the axis shows
 * @returns {Draw}
 */
export function dots(groups, axis) {
  const all = groups.flatMap(({ rows }) => rows);
  const domain = domainOf(groups);
  const isCut = all.some(({ parts }) => parts && Math.min(parts.own, parts.kernel) < domain[0]);
  return (width) => {
    const key = legend(legendOf(groups, isCut), width);
    const hasTopTicks = all.length > 5;
    const top = key.height + (hasTopTicks ? 34 : 10);
    const { placed, bottom } = layOutGroups(groups, width, top);
    const caption = wrap(`${axis}, log axis`, width - 2 * side);
    const ticks = logTicks(domain[0], domain[1]);
    const scale = {
      type: /** @type {const} */ ("log"),
      domain,
      range: [side + 8, width - side - 8],
    };
    const svg = paint({
      width,
      height: bottom + 30 + caption.length * lineStep + 4,
      x: scale,
      marks: [
        ...placed.flatMap(({ noise, from, to }) =>
          noise ? bandMarks(noise, domain, from, to) : [],
        ),
        Plot.ruleX(ticks, {
          y1: top,
          y2: bottom,
          stroke: colour("line"),
          strokeOpacity: 0.3,
        }),
        ...placed.flatMap(({ rows }) => rowMarks(rows, domain[0])),
        ...key.marks,
      ],
    });
    key.finish(svg);
    const heights = hasTopTicks ? [bottom + 20, top - 8] : [bottom + 20];
    writeAxis(svg, { ticks, scale, width, heights });
    for (const [index, text] of caption.entries()) {
      const y = bottom + 22 + (index + 1) * lineStep;
      write(svg, { x: width - side, y, text, anchor: "end", color: "soft" });
    }
    for (const { heading, headingAt, rows } of placed) {
      if (heading !== undefined)
        write(svg, { x: side, y: headingAt + 28, text: heading, isBold: true });
      for (const row of rows) writeRow(svg, row, width);
    }
    return svg;
  };
}

/** A part that is smaller than this share of all values makes no room for itself. */
const tinyPart = 0.1;

/**
 * @param {Group[]} groups
 * @returns {[from: number, to: number]}
 */
function domainOf(groups) {
  const rows = groups.flatMap((group) => group.rows);
  const wholes = rows.flatMap(({ value, low, high, blocks = [] }) =>
    [value, low, high, ...blocks].filter((each) => each !== undefined),
  );
  const tiny = Math.min(...wholes) * tinyPart;
  const parts = rows.flatMap(({ parts }) => (parts ? [parts.own, parts.kernel] : []));
  const values = [...wholes, ...parts.filter((part) => part >= tiny)];
  // A band that is wider than all that was measured says no more when it is cut.
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const edges = groups.flatMap(({ noise }) =>
    noise ? [Math.max(noise.low, least / 2), Math.min(noise.high, most * 2)] : [],
  );
  const from = Math.min(least, ...edges);
  const to = Math.max(most, ...edges);
  const pad = Math.max((to / from) ** 0.03, 1.01);
  return [from / pad, to * pad];
}

/**
 * @param {Noise} noise
 * @param {[from: number, to: number]} domain
 * @param {number} from
 * @param {number} to
 * @returns {Markish[]}
 */
function bandMarks({ low, high, isWarning }, domain, from, to) {
  const color = colour(isWarning ? "ink" : "line");
  const edges = [Math.max(low, domain[0]), Math.min(high, domain[1])];
  return [
    Plot.rect([0], {
      ...{ x1: [edges[0]], x2: [edges[1]], y1: [from], y2: [to] },
      fill: color,
      fillOpacity: isWarning ? 0.1 : 0.2,
    }),
    Plot.ruleX(edges, { y1: from, y2: to, stroke: color, strokeDasharray: "4 3" }),
  ];
}

/**
 * @param {PlacedRow[]} rows
 * @param {number} edge where the axis begins
 * @returns {Markish[]}
 */
function rowMarks(rows, edge) {
  return [
    Plot.ruleY(rows, {
      y: "y",
      insetLeft: side,
      insetRight: side,
      stroke: colour("line"),
      strokeOpacity: 0.35,
    }),
    ...rows.flatMap((placed) => marksOfRow(placed, edge)),
  ];
}

/**
 * @param {PlacedRow} placed
 * @param {number} edge
 * @returns {Markish[]}
 */
function marksOfRow({ row, y, style }, edge) {
  const { value, low, high, blocks = [], parts, isAtLeast, server, stack } = row;
  const isHollow = isOfThePast(server, stack);
  const stroke = colour(style.colour);
  /** @type {Markish[]} */
  const marks = [];
  if (low !== undefined && high !== undefined) {
    marks.push(
      Plot.ruleY([y], { x1: [low], x2: [high], stroke, strokeWidth: 4, strokeOpacity: 0.5 }),
    );
  }
  const strip = blocks.map(() => y + 14);
  marks.push(Plot.dot(blocks, { x: (each) => each, y: strip, ...blockOptions(style.colour) }));
  if (parts) {
    const [own, kernel] = [parts.own, parts.kernel].map((part) => Math.max(part, edge));
    marks.push(
      Plot.dot([own], { x: [own], y: [y], ...ringOptions(style.colour) }),
      Plot.ruleX([kernel], { y1: y - 7, y2: y + 7, stroke, strokeWidth: 3 }),
    );
  }
  if (isAtLeast) {
    marks.push(Plot.dot([value], { x: [value], y: [y], dx: 14, ...arrowOptions(style.colour) }));
  }
  marks.push(Plot.dot([value], { x: [value], y: [y], ...symbolOptions(style, isHollow) }));
  return marks;
}

/**
 * @param {Element} svg
 * @param {PlacedRow} placed
 * @param {number} width
 */
function writeRow(svg, { layout, start }, width) {
  const { labels, texts, isBeside } = layout;
  let y = start + 20;
  for (const text of labels) {
    write(svg, { x: side, y, text, isOverMarks: true });
    y += lineStep;
  }
  if (isBeside) y -= lineStep;
  for (const text of texts) {
    write(svg, { x: width - side, y, text, anchor: "end", isBold: true, isOverMarks: true });
    y += lineStep;
  }
}

/**
 * @param {Group[]} groups
 * @param {boolean} isCut a part is smaller than what the axis begins with
 * @returns {LegendItem[]}
 */
function legendOf(groups, isCut) {
  const rows = groups.flatMap((group) => group.rows);
  const hasIntervals = rows.some(({ low }) => low !== undefined);
  /** @type {LegendItem[]} */
  const items = [];
  if (hasIntervals) items.push({ sample: "range", text: "median, 95 % interval" });
  if (rows.some(({ blocks }) => blocks)) {
    const twins = groups.flatMap(({ twinOf }) => (twinOf ? [`; of ${twinOf} its twin's`] : []));
    items.push({ sample: "dots", text: `each block${twins[0] ?? ""}` });
  }
  if (rows.some(({ server, stack }) => isOfThePast(server, stack))) {
    items.push({
      sample: "symbol",
      style: hollowSample,
      isHollow: true,
      text: "of 2023, or on an older Node.js",
    });
  }
  if (rows.some(({ parts }) => parts)) {
    items.push(
      { sample: "ring", text: "outside the kernel" },
      { sample: "bar", text: "in the kernel" },
    );
    if (isCut) items.push({ sample: "none", text: "at the left edge: less than the axis shows" });
  }
  if (rows.some(({ isAtLeast }) => isAtLeast)) {
    items.push({ sample: "at-least", text: "at least: the generator had no time left" });
  }
  const words = new Set(groups.map(({ noise }) => noise?.words));
  for (const { heading, noise } of words.size === 1 ? groups.slice(0, 1) : groups) {
    if (!noise) continue;
    const isOfAll = heading === undefined || words.size === 1;
    items.push({
      sample: "band",
      text: isOfAll ? noise.words : `${heading}: ${noise.words}`,
      isWarning: noise.isWarning,
    });
  }
  return items;
}
