/** The two charts of chapter 19's lab. */

import { crowd } from "./model.js";

const [width, height] = [320, 210];
const edges = { left: 44, right: 8, top: 12, bottom: 34 };
const space = "http://www.w3.org/2000/svg";

/**
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 * @param {string} [text]
 */
function draw(tag, attributes, text = "") {
  const element = document.createElementNS(space, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, `${value}`);
  element.textContent = text;
  return element;
}

export function makeChart() {
  const svg = draw("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", class: "lab-chart" });
  return /** @type {SVGElement} */ (svg);
}

/**
 * @param {number} most of the axis
 * @returns {(value: number) => number}
 */
const across = (most) => (value) =>
  edges.left + (value / most) * (width - edges.left - edges.right);

/**
 * @param {number} most of the axis
 * @returns {(value: number) => number}
 */
const up = (most) => (value) =>
  height - edges.bottom - (Math.min(value, most) / most) * (height - edges.top - edges.bottom);

/**
 * @param {(value: number) => number} y
 * @param {{ at: number, label: string }[]} ticks
 */
function rows(y, ticks) {
  return ticks.flatMap(({ at, label }) => [
    draw("path", { class: "lab-rule", d: `M${edges.left} ${y(at)}H${width - edges.right}` }),
    draw("text", { x: edges.left - 6, y: y(at) + 5, "text-anchor": "end" }, label),
  ]);
}

/**
 * @param {(value: number) => number} x
 * @param {{ at: number, label: string }[]} ticks
 */
function columns(x, ticks) {
  return ticks.map(({ at, label }) =>
    draw("text", { x: x(at), y: height - 12, "text-anchor": "middle" }, label),
  );
}

const percent = (/** @type {number} */ share) => `${Math.round(share * 100)}%`;

/**
 * Goodput by load, and where the server is on it.
 *
 * @param {SVGElement} svg
 * @param {{ load: number, goodput: number }[]} points
 * @param {number} load
 */
export function drawCurve(svg, points, load) {
  const [x, y] = [across(3), up(1.1)];
  const way = points.map(({ load: at, goodput }) => `L${x(at)} ${y(goodput)}`).join("");
  const last = points[points.length - 1];
  svg.setAttribute(
    "aria-label",
    `Goodput by load: at most ${percent(Math.max(...points.map(({ goodput }) => goodput)))} ` +
      `of what the server can, and ${percent(last.goodput)} at three times as much load.`,
  );
  svg.replaceChildren(
    ...rows(
      y,
      [0, 0.5, 1].map((at) => ({ at, label: percent(at) })),
    ),
    ...columns(
      x,
      [1, 2, 3].map((at) => ({ at, label: `${at}×` })),
    ),
    draw("path", { class: "lab-now", d: `M${x(load)} ${edges.top}V${height - edges.bottom}` }),
    draw("path", { class: "lab-curve", d: `M${x(0)} ${y(0)}${way}` }),
  );
}

/**
 * Good answers by second.
 *
 * @param {SVGElement} svg
 * @param {number[]} goodBySecond
 * @param {{ capacity: number, hasCrowd: boolean }} server
 */
export function drawSeconds(svg, goodBySecond, { capacity, hasCrowd }) {
  const [x, y] = [across(goodBySecond.length), up(capacity * 1.1)];
  const step = x(1) - x(0);
  const floor = height - edges.bottom;
  const bars = goodBySecond.map((good, second) =>
    draw("rect", {
      class: "lab-bar",
      x: x(second) + 1,
      y: y(good),
      width: step - 2,
      height: floor - y(good),
    }),
  );
  const came = hasCrowd
    ? [
        draw("rect", {
          class: "lab-crowd",
          x: x(crowd.from),
          y: edges.top,
          width: x(crowd.to) - x(crowd.from),
          height: floor - edges.top,
        }),
      ]
    : [];
  svg.setAttribute("aria-label", `Good answers by second: ${goodBySecond.join(", ")}.`);
  svg.replaceChildren(
    ...came,
    ...rows(
      y,
      [0, capacity / 2, capacity].map((at) => ({ at, label: `${Math.round(at)}` })),
    ),
    ...columns(
      x,
      [5, 10, 15, 20].map((at) => ({ at, label: `${at}` })),
    ),
    ...bars,
  );
}
