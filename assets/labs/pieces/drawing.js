/** The diagram of the states, in a page. */

import { boxes, height, ways, width } from "./diagram.js";

/** @import { Point } from "./diagram.js" */

/**
 * @returns {{ svg: SVGElement, show: (state: string, passed: string[]) => void }}
 */
export function makeDiagram() {
  const lines = ways.map(({ from, to, points }) => {
    const line = svgElement("g", { class: "lab-way", "data-way": `${from} ${to}` });
    line.append(
      svgElement("path", { d: pathThrough(points), fill: "none" }),
      svgElement("path", { d: headOf(points), class: "lab-head-of-way" }),
    );
    return line;
  });
  const states = Object.entries(boxes).map(([name, box]) => {
    const state = svgElement("g", { class: "lab-state", "data-state": name });
    state.dataset.reads = box.reads;
    const { x, y, width: wide, height: high, words } = box;
    const text = svgElement("text", {
      x: x + wide / 2,
      y: y + high / 2 + 6,
      "text-anchor": "middle",
    });
    text.textContent = words;
    state.append(svgElement("rect", { x, y, width: wide, height: high, rx: high / 2 }), text);
    return state;
  });
  const svg = svgElement("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
  svg.classList.add("lab-diagram");
  svg.append(...lines, ...states);

  return {
    svg,
    show(state, passed) {
      const steps = new Set(passed.map((name, index) => `${passed[index - 1]} ${name}`));
      for (const line of lines)
        line.classList.toggle("is-taken", steps.has(line.dataset.way ?? ""));
      for (const each of states) {
        const name = each.dataset.state ?? "";
        each.classList.toggle("is-here", name === state);
        each.classList.toggle("is-passed", passed.includes(name));
      }
    },
  };
}

/**
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 * @returns {SVGElement}
 */
function svgElement(tag, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, `${value}`);
  return /** @type {SVGElement} */ (element);
}

/** @param {Point[]} points */
function pathThrough(points) {
  return points.map(([x, y], index) => `${index === 0 ? "M" : "L"}${x} ${y}`).join("");
}

/** @param {Point[]} points */
function headOf(points) {
  const [before, end] = points.slice(-2);
  const angle = Math.atan2(end[1] - before[1], end[0] - before[0]);
  const wing = (/** @type {number} */ turn) =>
    `${end[0] - Math.cos(angle + turn) * 10} ${end[1] - Math.sin(angle + turn) * 10}`;
  return `M${wing(0.42)}L${end.join(" ")}L${wing(-0.42)}Z`;
}
