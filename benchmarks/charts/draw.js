/// <reference lib="dom" />
import * as Plot from "@observablehq/plot";
import { JSDOM } from "jsdom";
import { colour, narrowWidth, standaloneStyle, wideWidth } from "../../assets/figures/lib.js";

/**
 * @typedef {object} Words
 * @property {string} title what it is, in a few words
 * @property {string} description what somebody would see who can't
 */

/** How a stack is told apart: by shape as well as by colour. */
const stacks = {
  now: { colour: "accent", symbol: "circle", label: "now" },
  then: { colour: "blue", symbol: "diamond2", label: "as in 2023" },
  control: { colour: "soft", symbol: "square2", label: "to compare with" },
};

/** @typedef {keyof typeof stacks} Stack */

const textSize = 18;

/**
 * Where a row's parts are: on a narrow page the value has a line of its own.
 *
 * @param {number} width
 */
function rowOf(width) {
  return width === narrowWidth
    ? { height: 74, label: 10, value: 32, line: 54 }
    : { height: 50, label: 10, value: 10, line: 30 };
}

const face = "'Source Sans 3', 'Segoe UI', system-ui, sans-serif";

/**
 * @typedef {object} Row one server's figure
 * @property {string} label
 * @property {Stack} stack
 * @property {number} value
 * @property {number} [low] the interval, when there is one
 * @property {number} [high]
 * @property {string} text the value as a reader gets it
 */

/** @typedef {(width: number) => Element} Draw */

/**
 * @param {Document} document
 * @param {number} width
 */
function common(document, width) {
  return {
    document,
    width,
    style: {
      fontSize: `${textSize}px`,
      fontFamily: face,
      color: colour("ink"),
      background: "none",
    },
  };
}

/**
 * Dots on a common scale from zero, each with its interval and its value
 * written beside it.
 *
 * @param {Row[]} rows in the order to show
 * @param {string} unit
 * @returns {Draw}
 */
export function dots(rows, unit) {
  return (width) => {
    const { document } = new JSDOM("").window;
    const largest = Math.max(...rows.map(({ high, value }) => high ?? value));
    const used = Object.entries(stacks).filter(([name]) =>
      rows.some(({ stack }) => stack === name),
    );
    const row = rowOf(width);
    const top = 36 + (width === narrowWidth ? 26 * used.length : 26);
    const legend = used.map(([, style], index) => ({
      ...style,
      x: width === narrowWidth ? 8 : 8 + index * 190,
      y: width === narrowWidth ? 18 + index * 26 : 18,
    }));
    const y = (/** @type {Row} */ of) => top + rows.indexOf(of) * row.height;
    const height = top + rows.length * row.height + 34;
    return Plot.plot({
      ...common(document, width),
      height,
      margin: 0,
      marginLeft: 8,
      marginRight: 8,
      x: { domain: [0, largest * 1.04], range: [8, width - 8], axis: null },
      y: { type: "identity", axis: null },
      color: { type: "identity" },
      symbol: { type: "identity" },
      marks: [
        legend.map(({ x, y: at, symbol, colour: name, label }) => [
          Plot.dot([0], {
            frameAnchor: "top-left",
            dx: x - 2,
            dy: at,
            symbol,
            r: 5,
            fill: name === "accent" ? colour("accent") : colour("paper"),
            stroke: colour(/** @type {"accent"} */ (name)),
            strokeWidth: 2,
          }),
          Plot.text([label], {
            frameAnchor: "top-left",
            dx: x + 10,
            dy: at - textSize / 2 - 2,
            fill: colour("soft"),
          }),
        ]),
        Plot.ruleY(rows, {
          y: (of) => y(of) + row.line,
          stroke: colour("line"),
          strokeOpacity: 0.35,
        }),
        Plot.text(rows, {
          y: (of) => y(of) + row.label,
          text: "label",
          frameAnchor: "left",
          textAnchor: "start",
          fill: colour("ink"),
        }),
        Plot.text(rows, {
          y: (of) => y(of) + row.value,
          text: (of) => `${of.text} ${unit}`,
          frameAnchor: "right",
          textAnchor: "end",
          fill: colour("ink"),
          fontWeight: 600,
        }),
        Plot.ruleY(
          rows.filter(({ low }) => low !== undefined),
          {
            y: (of) => y(of) + row.line,
            x1: "low",
            x2: "high",
            stroke: (of) =>
              colour(/** @type {"accent"} */ (stacks[/** @type {Stack} */ (of.stack)].colour)),
            strokeWidth: 4,
            strokeOpacity: 0.55,
          },
        ),
        Object.entries(stacks).map(([name, { symbol, colour: of }]) =>
          Plot.dot(
            rows.filter(({ stack }) => stack === name),
            {
              x: "value",
              y: (of) => y(of) + row.line,
              symbol: /** @type {"circle"} */ (symbol),
              r: 6,
              fill: name === "now" ? colour("accent") : colour("paper"),
              stroke: colour(/** @type {"accent"} */ (of)),
              strokeWidth: 2,
            },
          ),
        ),
        Plot.text(["0"], {
          frameAnchor: "bottom-left",
          dy: -8,
          fill: colour("soft"),
          text: (d) => d,
        }),
        Plot.text([`${format(largest)} ${unit}`], {
          frameAnchor: "bottom-right",
          dy: -8,
          fill: colour("soft"),
        }),
      ],
    });
  };
}

/** @param {number} value */
function format(value) {
  return value >= 1000
    ? Math.round(value).toLocaleString("en-US")
    : String(Number(value.toPrecision(3)));
}

/**
 * @typedef {object} Spread one server's figures on one line
 * @property {string} label
 * @property {Stack} stack
 * @property {{ name: string, value: number }[]} points in rising order
 * @property {string} text
 */

const spreadSymbols = ["circle", "diamond2", "square2", "triangle2"];

/**
 * Several figures of each server on one logarithmic line.
 *
 * @param {Spread[]} rows in the order to show
 * @param {string} unit
 * @returns {Draw}
 */
export function spreads(rows, unit) {
  return (width) => {
    const { document } = new JSDOM("").window;
    const names = rows[0].points.map(({ name }) => name);
    const values = rows.flatMap(({ points }) => points.map(({ value }) => value));
    const legendStep = width === narrowWidth ? 74 : 100;
    const row = rowOf(width);
    const top = 58;
    const y = (/** @type {number} */ index) => top + index * row.height;
    const points = rows.flatMap(({ points: all, stack }, index) =>
      all.map(({ name, value }) => ({ name, value, y: y(index) + row.line, stack })),
    );
    const ends = rows.map(({ points: all, stack }, index) => ({
      low: all[0].value,
      high: all[all.length - 1].value,
      y: y(index) + row.line,
      stack,
    }));
    const strokeOf = (/** @type {{ stack: Stack }} */ { stack }) =>
      colour(/** @type {"accent"} */ (stacks[stack].colour));
    return Plot.plot({
      ...common(document, width),
      height: top + rows.length * row.height + 40,
      margin: 0,
      x: {
        type: "log",
        domain: [Math.min(...values) * 0.9, Math.max(...values) * 1.1],
        range: [14, width - 14],
        axis: null,
      },
      y: { type: "identity", axis: null },
      marks: [
        names.map((name, index) => [
          Plot.dot([0], {
            frameAnchor: "top-left",
            dx: 8 + index * legendStep,
            dy: 18,
            r: 5,
            symbol: /** @type {"circle"} */ (spreadSymbols[index]),
            stroke: colour("ink"),
            strokeWidth: 2,
            fill: colour("paper"),
          }),
          Plot.text([name], {
            frameAnchor: "top-left",
            dx: 20 + index * legendStep,
            dy: 8,
            fill: colour("soft"),
            text: (label) => label,
          }),
        ]),
        Plot.text(rows, {
          y: (of) => y(rows.indexOf(of)) + row.label,
          text: "label",
          frameAnchor: "left",
          dx: 8,
          textAnchor: "start",
          fill: colour("ink"),
        }),
        Plot.text(rows, {
          y: (of) => y(rows.indexOf(of)) + row.value,
          text: (of) => `${of.text} ${unit}`,
          frameAnchor: "right",
          dx: -8,
          textAnchor: "end",
          fill: colour("ink"),
          fontWeight: 600,
        }),
        Plot.ruleY(ends, { y: "y", x1: "low", x2: "high", stroke: strokeOf, strokeWidth: 2 }),
        names.map((name, index) =>
          Plot.dot(
            points.filter((point) => point.name === name),
            {
              x: "value",
              y: "y",
              r: 5,
              symbol: /** @type {"circle"} */ (spreadSymbols[index]),
              stroke: strokeOf,
              strokeWidth: 2,
              fill: colour("paper"),
            },
          ),
        ),
        Plot.text([`${format(Math.min(...values))} ${unit}`], {
          frameAnchor: "bottom-left",
          dx: 8,
          dy: -8,
          fill: colour("soft"),
          text: (label) => label,
        }),
        Plot.text([`${format(Math.max(...values))} ${unit}, log scale`], {
          frameAnchor: "bottom-right",
          dx: -8,
          dy: -8,
          fill: colour("soft"),
          text: (label) => label,
        }),
      ],
    });
  };
}

/**
 * @typedef {object} Line
 * @property {string} label
 * @property {[x: number, y: number][]} points
 */

/** Lines differ in colour and in how they are broken. */
const lineStyles = /** @type {const} */ ([
  { colour: "accent", dash: undefined },
  { colour: "blue", dash: "7 4" },
  { colour: "green", dash: "2 4" },
  { colour: "ink", dash: "12 4 2 4" },
  { colour: "soft", dash: "4 2" },
]);

/** @param {number} value */
function shorten(value) {
  return value >= 10_000 ? `${value / 1000}k` : String(value);
}

/**
 * @param {Line[]} shown at most five
 * @param {object} axes
 * @param {string} axes.x
 * @param {string} axes.y
 * @param {"linear" | "log"} [axes.xScale]
 * @param {"linear" | "log"} [axes.yScale]
 * @param {{ at: number, label: string }[]} [axes.xTicks]
 * @returns {Draw}
 */
export function lines(shown, { x, y, xScale = "linear", yScale = "linear", xTicks }) {
  return (width) => {
    const { document } = new JSDOM("").window;
    const isNarrow = width === narrowWidth;
    const columns = isNarrow ? 1 : 3;
    const legendHeight = 26 * Math.ceil(shown.length / columns);
    const labelOfTick = new Map(xTicks?.map(({ at, label }) => [at, label]));
    const svg = Plot.plot({
      ...common(document, width),
      height: (isNarrow ? 290 : 350) + legendHeight,
      marginTop: legendHeight + 46,
      marginLeft: 62,
      marginRight: xTicks ? 40 : 24,
      marginBottom: 56,
      x: { type: xScale },
      y: { type: yScale, nice: true, ...(yScale === "linear" ? { zero: true } : {}) },
      marks: [
        Plot.gridY({
          stroke: colour("line"),
          strokeOpacity: 0.35,
          ticks: yScale === "log" ? 3 : 5,
        }),
        Plot.axisY({
          label: null,
          color: colour("soft"),
          ticks: yScale === "log" ? 3 : 5,
          tickSize: 0,
          ...(yScale === "log"
            ? { tickFormat: (/** @type {number} */ value) => shorten(value) }
            : {}),
          fontSize: textSize,
        }),
        Plot.axisX({
          label: null,
          color: colour("soft"),
          fontSize: textSize,
          ...(xTicks
            ? {
                ticks: xTicks.map(({ at }) => at),
                tickFormat: (/** @type {number} */ value) => labelOfTick.get(value) ?? "",
              }
            : { ticks: isNarrow ? 4 : 8 }),
        }),
        Plot.text([y], {
          frameAnchor: "top-left",
          dx: -54,
          dy: -34,
          fill: colour("soft"),
          text: (label) => label,
        }),
        Plot.text([x], {
          frameAnchor: "bottom-right",
          dy: 48,
          fill: colour("soft"),
          text: (label) => label,
        }),
        shown.map((line, index) =>
          Plot.line(line.points, {
            x: ([px]) => px,
            y: ([, py]) => py,
            stroke: colour(lineStyles[index].colour),
            strokeWidth: 2.5,
            strokeDasharray: lineStyles[index].dash,
          }),
        ),
      ],
    });
    for (const [index, { label }] of shown.entries()) {
      const left = 8 + (index % columns) * 220;
      const middle = 14 + 26 * Math.floor(index / columns);
      const style = lineStyles[index];
      const sample = document.createElementNS("http://www.w3.org/2000/svg", "path");
      sample.setAttribute("d", `M${left} ${middle}h34`);
      sample.setAttribute("stroke", colour(style.colour));
      sample.setAttribute("stroke-width", "2.5");
      if (style.dash) sample.setAttribute("stroke-dasharray", style.dash);
      const text = document.createElementNS("http://www.w3.org/2000/svg", "text");
      text.setAttribute("x", String(left + 42));
      text.setAttribute("y", String(middle + 6));
      text.setAttribute("fill", colour(style.colour));
      text.textContent = label;
      svg.append(sample, text);
    }
    return svg;
  };
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
  const shapes = svg.innerHTML.replaceAll("><", ">\n<");
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
