/// <reference lib="dom" />
import * as Plot from "@observablehq/plot";
import { JSDOM } from "jsdom";
import { narrowWidth, standaloneStyle, wideWidth } from "../../assets/figures/lib.js";
import { colour } from "./styles.js";
import { face, textSize } from "./text.js";

/** @import { Markish, PlotOptions } from "@observablehq/plot" */
/** @import { Colour } from "./styles.js" */

/**
 * @typedef {object} Words
 * @property {string} title what it is, in a few words
 * @property {string} description what somebody would see who can't
 */

/** @typedef {(width: number) => Element} Draw */

/** What is left free at both sides, in pixels. */
export const side = 8;

/** From one line of text to the next, in pixels. */
export const lineStep = 24;

/** @param {number} width */
export function isNarrow(width) {
  return width === narrowWidth;
}

/**
 * Has Plot draw marks on a picture without margins, so that a pixel is a
 * pixel.
 *
 * @param {object} picture
 * @param {number} picture.width
 * @param {number} picture.height
 * @param {PlotOptions["x"]} picture.x
 * @param {PlotOptions["y"]} [picture.y] pixels from the top unless given
 * @param {Markish[]} picture.marks
 */
export function paint({ width, height, x, y = { type: "identity" }, marks }) {
  const { document } = new JSDOM("").window;
  const svg = Plot.plot({
    document,
    width,
    height,
    margin: 0,
    style: {
      fontSize: `${textSize}px`,
      fontFamily: face,
      color: colour("ink"),
      background: "none",
    },
    x: { ...x, axis: null },
    y: { ...y, axis: null },
    color: { type: "identity" },
    symbol: { type: "identity" },
    marks,
  });
  return svg;
}

/**
 * @typedef {object} Label
 * @property {number} x
 * @property {number} y of its baseline
 * @property {string} text
 * @property {"start" | "middle" | "end"} [anchor]
 * @property {Colour} [color]
 * @property {boolean} [isBold]
 * @property {boolean} [isOverMarks] it keeps what is behind it at a distance
 */

/**
 * Writes a line of text. All text of the charts comes this way, with its place
 * in the picture as attributes, so that a test can tell what collides.
 *
 * @param {Element} svg
 * @param {Label} label
 */
export function write(svg, label) {
  const { x, y, text, anchor = "start", color = "ink", isBold, isOverMarks } = label;
  append(svg, "text", {
    x,
    y,
    fill: colour(color),
    ...(anchor === "start" ? {} : { "text-anchor": anchor }),
    ...(isBold ? { "font-weight": 600 } : {}),
    ...(isOverMarks ? { stroke: colour("paper"), "stroke-width": 5, "paint-order": "stroke" } : {}),
  }).textContent = text;
}

/**
 * @param {Element} svg
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 * @returns {Element}
 */
export function append(svg, tag, attributes) {
  const element = svg.ownerDocument.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(
      name,
      typeof value === "number" ? String(Number(value.toFixed(1))) : value,
    );
  }
  svg.append(element);
  return element;
}

/**
 * @param {string} text
 */
function escapeXml(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/**
 * The files of a chart, for wide pages and for narrow ones, in the form that
 * the book's figures have.
 *
 * @param {string} name
 * @param {Words} words
 * @param {Draw} draw
 * @returns {{ file: string, svg: string }[]}
 */
export function renderChart(name, words, draw) {
  return [
    { file: `${name}.svg`, svg: toSvg(words, draw(wideWidth), wideWidth) },
    { file: `${name}.narrow.svg`, svg: toSvg(words, draw(narrowWidth), narrowWidth) },
  ];
}

/**
 * @param {Words} words
 * @param {Element} drawn by Plot
 * @param {number} width
 * @returns {string}
 */
function toSvg({ title, description }, drawn, width) {
  const svg = drawn.tagName.toLowerCase() === "svg" ? drawn : drawn.querySelector("svg");
  if (!svg) throw new Error(`"${title}": Plot drew no SVG`);
  for (const style of svg.querySelectorAll("style")) style.remove();
  for (const element of svg.querySelectorAll("[class]")) element.removeAttribute("class");
  // A name on a group without a role means nothing to who can't see it.
  for (const group of svg.querySelectorAll("g[aria-label]")) group.removeAttribute("aria-label");
  const height = svg.getAttribute("height");
  // One shape a line, so that a change is seen as one.
  // HTML writes a space that breaks no line as XML has no name for.
  const shapes = svg.innerHTML.replaceAll("><", ">\n<").replaceAll("&nbsp;", "\u00a0");
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"` +
      ` viewBox="0 0 ${width} ${height}" font-family="${face}" font-size="${textSize}"` +
      ` fill="${colour("ink")}" role="img" aria-labelledby="title description">`,
    `<title id="title">${escapeXml(title)}</title>`,
    `<desc id="description">${escapeXml(description)}</desc>`,
    standaloneStyle(),
    `<rect data-standalone="" width="100%" height="100%" fill="${colour("paper")}"/>`,
    shapes,
    "</svg>",
  ].join("\n")}\n`;
}
