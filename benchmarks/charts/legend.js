import * as Plot from "@observablehq/plot";
import { append, lineStep, side, write } from "./draw.js";
import { colour, symbolOptions } from "./styles.js";
import { widthOf, wrap } from "./text.js";

/** @import { Markish } from "@observablehq/plot" */
/** @import { Style } from "./styles.js" */

/**
 * @typedef {object} LegendItem
 * @property {string} text
 * @property {"symbol" | "line" | "range" | "band" | "dots" | "ring" | "bar" | "at-least" |
 *   "none"} sample what stands before it
 * @property {Style} [style] of a symbol or a line
 * @property {boolean} [isHollow]
 * @property {boolean} [isPlain] a line without symbols
 * @property {boolean} [isWarning]
 */

/** What stands for hollow symbols of all shapes. @type {Style} */
export const hollowSample = { colour: "ink", symbol: "diamond2" };

/** Room for what stands before the words. */
const sampleWidths = { none: 0, symbol: 22, ring: 22, bar: 22, dots: 34, "at-least": 34 };
const longSample = 46;
const gap = 26;

/** @param {LegendItem["sample"]} sample */
function sampleWidth(sample) {
  return sampleWidths[/** @type {"none"} */ (sample)] ?? longSample;
}

/**
 * Lays a legend's items in lines: as many in one as have room, and the words
 * of a long one in several.
 *
 * @param {LegendItem[]} items
 * @param {number} width of the picture
 */
function layOut(items, width) {
  let x = side;
  let y = 20;
  return items.map((item) => {
    const before = sampleWidth(item.sample);
    const room = width - 2 * side - before;
    const lines = wrap(item.text, room, { isBold: item.isWarning });
    const isLong = lines.length > 1;
    const taken =
      before + Math.max(...lines.map((line) => widthOf(line, { isBold: item.isWarning })));
    if (x > side && (isLong || x + taken > width - side)) {
      x = side;
      y += lineStep + 2;
    }
    const placed = { item, lines, x, y, before };
    x = isLong ? width : x + taken + gap;
    y += (lines.length - 1) * (lineStep - 2);
    return placed;
  });
}

/**
 * @typedef {object} Legend
 * @property {number} height
 * @property {Markish[]} marks for Plot
 * @property {(svg: Element) => void} finish writes what Plot doesn't draw
 */

/**
 * @param {LegendItem[]} items
 * @param {number} width
 * @returns {Legend}
 */
export function legend(items, width) {
  const placed = layOut(items, width);
  const last = placed[placed.length - 1];
  return {
    height: last ? last.y + (last.lines.length - 1) * (lineStep - 2) + 14 : 0,
    marks: placed.flatMap(({ item, x, y, before }) => marksOf(item, x, y - 6, before)),
    finish(svg) {
      for (const { item, lines, x, y, before } of placed) {
        shapesOf(svg, item, x, y - 6, before);
        for (const [index, text] of lines.entries()) {
          const at = { x: x + before, y: y + index * (lineStep - 2) };
          write(svg, {
            ...at,
            text,
            color: item.isWarning ? "ink" : "soft",
            isBold: item.isWarning,
          });
        }
      }
    },
  };
}

/**
 * @param {LegendItem} item
 * @param {number} x
 * @param {number} y
 * @param {number} before
 * @returns {Markish[]}
 */
function marksOf({ sample, style, isHollow, isPlain }, x, y, before) {
  const at = (/** @type {number} */ dx) => ({
    frameAnchor: /** @type {const} */ ("top-left"),
    dx,
    dy: y,
  });
  const neutral = { colour: /** @type {const} */ ("ink"), symbol: "circle" };
  switch (sample) {
    case "symbol":
      return [Plot.dot([0], { ...at(x + 7), ...symbolOptions(style ?? neutral, isHollow) })];
    case "line": {
      const middle = at(x + (before - 10) / 2);
      const options = symbolOptions(style ?? neutral, isHollow);
      return isPlain ? [] : [Plot.dot([0], { ...middle, ...options, r: 5 })];
    }
    case "range":
      return [Plot.dot([0], { ...at(x + (before - 10) / 2), ...symbolOptions(neutral) })];
    case "at-least":
      return [
        Plot.dot([0], { ...at(x + 7), ...symbolOptions(neutral) }),
        Plot.dot([0], { ...at(x + 20), ...arrowOptions("ink") }),
      ];
    case "dots":
      return [4, 13, 20].map((dx) => Plot.dot([0], { ...at(x + dx), ...blockOptions("ink") }));
    case "ring":
      return [Plot.dot([0], { ...at(x + 7), ...ringOptions("ink") })];
    default:
      return [];
  }
}

/**
 * @param {Element} svg
 * @param {LegendItem} item
 * @param {number} x
 * @param {number} y
 * @param {number} before
 */
function shapesOf(svg, { sample, style, isWarning }, x, y, before) {
  const end = x + before - 10;
  if (sample === "line" && style) {
    const line = append(svg, "path", {
      d: `M${x} ${y}H${end}`,
      stroke: colour(style.colour),
      "stroke-width": 2.5,
      ...(style.dash ? { "stroke-dasharray": style.dash } : {}),
    });
    svg.prepend(line);
  } else if (sample === "range") {
    append(svg, "path", {
      d: `M${x} ${y}H${end}`,
      stroke: colour("ink"),
      "stroke-width": 4,
      "stroke-opacity": 0.5,
    });
  } else if (sample === "bar") {
    append(svg, "path", {
      d: `M${x + 7} ${y - 7}v14`,
      stroke: colour("ink"),
      "stroke-width": 3,
    });
  } else if (sample === "band") {
    const color = isWarning ? "ink" : (style?.colour ?? "line");
    append(svg, "rect", {
      ...{ x, y: y - 8, width: end - x, height: 16 },
      fill: colour(color),
      "fill-opacity": isWarning ? 0.1 : 0.2,
      stroke: colour(color),
      "stroke-dasharray": "4 3",
    });
  }
}

/**
 * What one block measured, as Plot draws it.
 *
 * @param {import("./styles.js").Colour} name
 */
export function blockOptions(name) {
  return { r: 2.2, fill: colour(name), fillOpacity: 0.7, stroke: "none" };
}

/**
 * Time outside the kernel.
 *
 * @param {import("./styles.js").Colour} name
 */
export function ringOptions(name) {
  return { r: 4.5, fill: colour("paper"), stroke: colour(name), strokeWidth: 2 };
}

/**
 * The arrow of what is at least so much.
 *
 * @param {import("./styles.js").Colour} name
 */
export function arrowOptions(name) {
  return {
    symbol: /** @type {const} */ ("triangle"),
    rotate: 90,
    r: 4,
    fill: colour(name),
    stroke: "none",
  };
}
