import * as Plot from "@observablehq/plot";
import { isNarrow, paint, side, write } from "./draw.js";
import { legend } from "./legend.js";
import { colour, seriesStyles, styleOf, symbolOptions } from "./styles.js";
import { textSize, widthOf } from "./text.js";
import { formatTick, linearTicks, logTicks, placeTicks, scaleOf, shortenTick } from "./ticks.js";

/** @import { Markish } from "@observablehq/plot" */
/** @import { Draw } from "./draw.js" */
/** @import { LegendItem } from "./legend.js" */
/** @import { Style } from "./styles.js" */
/** @import { Tick } from "./ticks.js" */

/** @typedef {[x: number, y: number]} Point */

/**
 * @typedef {object} Line
 * @property {string} label
 * @property {Point[]} points
 * @property {string} [server] its id, which says how it looks
 * @property {"other" | "plain"} [variant] the same server in another state; or
 *   in a third one, or what a model says of it
 * @property {Point[][]} [blocks] what each of the other blocks measured
 * @property {[x: number, low: number, high: number][]} [intervals]
 * @property {boolean[]} [isDoubtful] which points don't count as the others do
 */

/**
 * @typedef {object} Band what lies between two lines
 * @property {string} label
 * @property {[x: number, low: number, high: number][]} points
 * @property {string} [server]
 */

/**
 * @typedef {object} Axes
 * @property {string} x
 * @property {string} y
 * @property {"linear" | "log"} [xScale]
 * @property {"linear" | "log"} [yScale]
 * @property {{ at: number, label: string, short?: string }[]} [xTicks]
 * @property {Band[]} [bands] behind the lines
 * @property {LegendItem[]} [notes]
 */

/** Between two symbols on a line, in pixels. */
const symbolStep = 58;

/** How a server's further lines are broken, where it has several. */
const furtherDashes = ["1.5 4", "12 3", "8 2 1.5 2"];

/**
 * @param {Line[]} shown
 * @returns {{ line: Line, style: Style }[]}
 */
function styleLines(shown) {
  /** @type {Map<Style, number>} */
  const used = new Map();
  return shown.map((line, index) => {
    const { server, variant } = line;
    const style =
      server === undefined ? seriesStyles[index % seriesStyles.length] : styleOf(server);
    if (variant === "other") return { line, style: { ...style, dash: "6 4" } };
    if (variant === "plain") return { line, style: { ...style, dash: "2 4" } };
    const before = used.get(style) ?? 0;
    used.set(style, before + 1);
    const dash = furtherDashes[(before - 1) % furtherDashes.length];
    return { line, style: before === 0 ? style : { ...style, dash } };
  });
}

/**
 * Lines that differ in colour, in how they are broken, and in their symbols.
 *
 * @param {Line[]} shown
 * @param {Axes} axes
 * @returns {Draw}
 */
export function lines(shown, axes) {
  const { x, y, xScale = "linear", yScale = "linear", bands = [], notes = [] } = axes;
  const styled = styleLines(shown);
  const xDomain = xDomainOf(shown, xScale);
  const yTicks = yTicksOf(shown, bands, yScale);
  // Between two seconds there is none.
  const isCounted = shown.every(({ points }) => points.every(([at]) => Number.isInteger(at)));
  const least = isCounted ? 1 : 0;
  return (width) => {
    const key = legend([...legendOf(styled), ...bandLegend(bands), ...notes], width);
    const long = yTicks.at.map(formatTick);
    const isLong = Math.max(...long.map((label) => widthOf(label))) > 64;
    const yLabels = isLong ? yTicks.at.map(shortenTick) : long;
    const left = side + Math.max(...yLabels.map((label) => widthOf(label))) + 8;
    const right = width - 16;
    const top = key.height + 44;
    const bottom = top + (isNarrow(width) ? 200 : 250);
    const across = { type: xScale, domain: xDomain, range: [left + 6, right] };
    const down = { type: yScale, domain: yTicks.domain, range: [bottom, top] };
    const [xOf, yOf] = [scaleOf(across), scaleOf(down)];
    const svg = paint({
      width,
      height: bottom + 58,
      x: across,
      y: down,
      marks: [
        Plot.ruleY(yTicks.at, {
          insetLeft: left,
          insetRight: width - right,
          stroke: colour("line"),
          strokeOpacity: 0.35,
        }),
        ...bands.map(bandMark),
        ...styled.flatMap(({ line, style }) => lineMarks(line, style)),
        ...symbolMarks(styled, xOf),
        ...key.marks,
      ],
    });
    key.finish(svg);
    write(svg, { x: side, y: top - 20, text: y, color: "soft" });
    for (const { text, at } of spaced(yTicks.at, yLabels, yOf)) {
      write(svg, { x: left - 8, y: at + 6, text, anchor: "end", color: "soft" });
    }
    const xLabels = placeTicks(xTicksOf(axes, xDomain, { width, least }), xOf, {
      from: 2,
      to: width - 2,
    });
    for (const { label, x: middle } of xLabels) {
      write(svg, { x: middle, y: bottom + 25, text: label, anchor: "middle", color: "soft" });
    }
    write(svg, { x: width - side, y: bottom + 48, text: x, anchor: "end", color: "soft" });
    return svg;
  };
}

/**
 * @param {Line[]} shown
 * @param {"linear" | "log"} scale
 * @returns {[from: number, to: number]}
 */
function xDomainOf(shown, scale) {
  const all = shown.flatMap(({ points }) => points.map(([x]) => x));
  const [from, to] = [Math.min(...all), Math.max(...all)];
  return scale === "log" ? [from, to * 1.02] : [from, to];
}

/**
 * @param {Line[]} shown
 * @param {Band[]} bands
 * @param {"linear" | "log"} scale
 * @returns {{ at: number[], domain: [from: number, to: number] }}
 */
function yTicksOf(shown, bands, scale) {
  const all = [
    ...shown.flatMap(({ points, blocks = [], intervals = [] }) => [
      ...[points, ...blocks].flat().map(([, y]) => y),
      ...intervals.flatMap(([, low, high]) => [low, high]),
    ]),
    ...bands.flatMap(({ points }) => points.flatMap(([, low, high]) => [low, high])),
  ];
  const most = Math.max(...all);
  if (scale === "linear") {
    const ticks = linearTicks(0, most, 5);
    const step = ticks[1] - ticks[0];
    const last = ticks[ticks.length - 1];
    const at = last < most ? [...ticks, Number((last + step).toPrecision(6))] : ticks;
    return { at, domain: [0, at[at.length - 1]] };
  }
  const least = Math.min(...all);
  const at = logTicks(least, most);
  return { at, domain: [least / 1.1, most * 1.1] };
}

/**
 * @param {Axes} axes
 * @param {[from: number, to: number]} domain
 * @param {{ width: number, least: number }} room and the least step
 * @returns {Tick[]}
 */
function xTicksOf({ xTicks, xScale = "linear" }, [from, to], { width, least }) {
  if (xTicks) return xTicks;
  const at =
    xScale === "log" ? logTicks(from, to) : linearTicks(from, to, isNarrow(width) ? 4 : 8, least);
  return at.map((each) => ({ at: each, label: formatTick(each), short: shortenTick(each) }));
}

/**
 * The labels of a vertical axis that have room under each other.
 *
 * @param {number[]} ticks
 * @param {string[]} labels
 * @param {(at: number) => number} yOf
 */
function spaced(ticks, labels, yOf) {
  /** @type {{ text: string, at: number }[]} */
  const kept = [];
  for (const [index, tick] of ticks.entries()) {
    const at = yOf(tick);
    if (kept.every((other) => Math.abs(other.at - at) >= textSize + 4)) {
      kept.push({ text: labels[index], at });
    }
  }
  return kept;
}

/**
 * @param {Band} band
 * @returns {Markish}
 */
function bandMark({ points, server }) {
  const color = colour(server === undefined ? "line" : styleOf(server).colour);
  return Plot.areaY(points, {
    x: ([x]) => x,
    y1: ([, low]) => low,
    y2: ([, , high]) => high,
    fill: color,
    fillOpacity: 0.22,
  });
}

/**
 * @param {Line} line
 * @param {Style} style
 * @returns {Markish[]}
 */
function lineMarks({ points, blocks = [], intervals = [] }, style) {
  const stroke = colour(style.colour);
  const at = { x: (/** @type {Point} */ [x]) => x, y: (/** @type {Point} */ [, y]) => y };
  return [
    ...blocks.map((block) =>
      Plot.line(block, { ...at, stroke, strokeWidth: 1, strokeOpacity: 0.5 }),
    ),
    Plot.ruleX(intervals, {
      x: ([x]) => x,
      y1: ([, low]) => low,
      y2: ([, , high]) => high,
      stroke,
      strokeWidth: 4,
      strokeOpacity: 0.45,
    }),
    Plot.line(points, { ...at, stroke, strokeWidth: 2.5, strokeDasharray: style.dash }),
  ];
}

/**
 * Puts a line's symbols where they have room, and those of different lines at
 * different places. A line of few points has one at each.
 *
 * @param {{ line: Line, style: Style }[]} styled
 * @param {(at: number) => number} xOf
 * @returns {Markish[]}
 */
function symbolMarks(styled, xOf) {
  return styled.flatMap(({ line, style }, index) => {
    const { points, variant, isDoubtful = [] } = line;
    if (variant === "plain") return [];
    const isSparse = points.length <= 10;
    let next = isSparse ? Number.NEGATIVE_INFINITY : xOf(points[0][0]) + index * 13;
    const marked = [...points.entries()].filter(([, [x]]) => {
      if (xOf(x) < next) return false;
      if (!isSparse) next = xOf(x) + symbolStep;
      return true;
    });
    return [false, true].map((isHollow) =>
      Plot.dot(
        marked
          .filter(([at]) => (variant === "other" || isDoubtful[at] === true) === isHollow)
          .map(([, point]) => point),
        { x: ([x]) => x, y: ([, y]) => y, ...symbolOptions(style, isHollow), r: 5 },
      ),
    );
  });
}

/**
 * @param {{ line: Line, style: Style }[]} styled
 * @returns {LegendItem[]}
 */
function legendOf(styled) {
  /** @type {LegendItem[]} */
  const items = styled.map(({ line, style }) => ({
    sample: "line",
    text: line.label,
    style,
    isHollow: line.variant === "other",
    isPlain: line.variant === "plain",
  }));
  const all = styled.map(({ line }) => line);
  if (all.some(({ intervals }) => intervals)) {
    items.push({ sample: "none", text: "upright: 95 % interval" });
  }
  if (all.some(({ blocks }) => blocks)) {
    items.push({ sample: "none", text: "thin: the other blocks; what they differ by is noise" });
  }
  if (all.some(({ isDoubtful }) => isDoubtful?.includes(true))) {
    items.push({ sample: "none", text: "hollow: the rate was not kept" });
  }
  return items;
}

/**
 * @param {Band[]} bands
 * @returns {LegendItem[]}
 */
function bandLegend(bands) {
  return bands.map(({ label, server }) => ({
    sample: "band",
    text: label,
    style: server === undefined ? undefined : styleOf(server),
  }));
}
