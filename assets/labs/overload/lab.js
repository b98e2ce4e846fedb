/** Chapter 19's lab: too much load, and a line that the reader chooses. */

import { overload as lab } from "../labs.js";
import { make, partTitle } from "../page.js";
import { drawCurve, drawSeconds, makeChart } from "./drawing.js";
import { beginning, capacityOf, curveOf, lines, play } from "./model.js";

/**
 * @import { Start } from "../start.js"
 * @import { Settings } from "./model.js"
 */

/** @param {Start} start */
export function startOverload({ place, name, modules }) {
  const parts = makeParts(name);
  let isAsked = false;
  const show = () => {
    isAsked = false;
    showAll(parts, modules, readSettings(parts));
  };
  const ask = () => {
    showValues(parts);
    // A slider moves more often than the page is drawn.
    if (!isAsked) requestAnimationFrame(show);
    isAsked = true;
  };
  parts.form.addEventListener("input", ask);
  parts.form.addEventListener("submit", (event) => event.preventDefault());
  parts.startAgain.addEventListener("click", () => {
    parts.form.reset();
    ask();
  });
  showValues(parts);
  show();
  place.replaceChildren(...parts.all);
}

/** @typedef {ReturnType<typeof makeParts>} Parts */

/**
 * @param {Parts} parts
 * @returns {Settings}
 */
function readSettings({ load, service, servers, tries, varies, crowd, line }) {
  return {
    load: load.field.valueAsNumber / 100,
    service: service.field.valueAsNumber,
    servers: servers.field.valueAsNumber,
    tries: tries.field.valueAsNumber,
    varies: varies.checked,
    hasCrowd: crowd.checked,
    line: line.selectedIndex,
  };
}

/** @param {Parts} parts */
function showValues({ load, service, servers, tries }) {
  for (const { field, value, unit } of [load, service, servers, tries]) {
    value.textContent = `${field.value}${unit}`;
  }
}

/**
 * @param {Parts} parts
 * @param {Record<string, any>} modules
 * @param {Settings} settings
 */
function showAll({ curve, bySecond, verdict }, modules, settings) {
  const capacity = capacityOf(settings);
  const played = play(modules, settings);
  drawCurve(curve, curveOf(modules, settings), settings.load);
  const { hasCrowd } = settings;
  drawSeconds(bySecond, played.goodBySecond, { capacity, hasCrowd });
  verdict.textContent = wordsOf(played, settings, capacity);
}

/**
 * @param {ReturnType<typeof play>} played
 * @param {Settings} settings
 * @param {number} capacity
 */
function wordsOf({ goodBySecond, p50, p99 }, { load }, capacity) {
  const last = goodBySecond.slice(-10);
  const goodput = last.reduce((sum, each) => sum + each, 0) / last.length;
  return (
    `Of ${Math.round(load * capacity)} requests a second ${Math.round(goodput)} are answered ` +
    `in time, in the last ten seconds. Of all answers that somebody waited for, half took ` +
    `up to ${Math.round(p50)} ms, and 99 % up to ${Math.round(p99)} ms.`
  );
}

/**
 * A slider, with its value beside it.
 *
 * @param {string} id
 * @param {string} words
 * @param {{ min: number, max: number, step?: number, value: number, unit?: string }} range
 */
function slider(id, words, { min, max, step = 1, value: first, unit = "" }) {
  const field = make("input", { id, type: "range" });
  for (const [name, value] of Object.entries({ min, max, step, value: first })) {
    field.setAttribute(name, `${value}`);
  }
  const value = make("span", { className: "lab-value" });
  const row = make("p", { className: "lab-slider" }, make("label", { htmlFor: id }, words), value);
  return { field, value, unit, all: [row, field] };
}

/**
 * @param {string} id
 * @param {string} words
 */
function choice(id, words) {
  const field = make("input", { id, type: "checkbox" });
  const label = make("label", { htmlFor: id }, words);
  return { field, row: make("p", { className: "lab-choice" }, field, label) };
}

/** @param {string} name */
function makeParts(name) {
  const id = (/** @type {string} */ part) => `lab-${name}-${part}`;
  const { load: share, service: time, servers: places, tries: most } = beginning;
  const startAgain = make("button", { type: "button", className: "lab-quiet" }, "Start again");
  const load = slider(id("load"), "Load, of what the server can answer", {
    ...{ min: 10, max: 300, step: 10, value: share * 100, unit: " %" },
  });
  const service = slider(id("service"), "A handler takes", {
    ...{ min: 5, max: 50, value: time, unit: " ms" },
  });
  const servers = slider(id("servers"), "Handlers at once", { min: 1, max: 4, value: places });
  const tries = slider(id("tries"), "A client asks, at most", {
    ...{ min: 1, max: 3, value: most, unit: " ×" },
  });
  const line = make(
    "select",
    { id: id("line") },
    ...lines.map((each) => make("option", {}, each.name)),
  );
  const { field: varies, row: variesRow } = choice(id("varies"), "Some handlers take longer");
  const { field: crowd, row: crowdRow } = choice(
    id("crowd"),
    "Four times as many come in the seconds 5 to 8",
  );
  const form = make(
    "form",
    { className: "lab-part lab-wide lab-settings" },
    make("div", {}, ...load.all, ...service.all, ...servers.all, ...tries.all),
    make(
      "div",
      {},
      make("p", {}, make("label", { htmlFor: line.id }, "Who waits, and who is next")),
      line,
      variesRow,
      crowdRow,
    ),
  );
  const [curve, bySecond] = [makeChart(), makeChart()];
  const verdict = make("p", { className: "lab-part lab-wide lab-verdict" });
  verdict.setAttribute("role", "status");
  const all = [
    make("p", { className: "lab-head" }, make("strong", {}, lab.title), startAgain),
    form,
    make("div", { className: "lab-part" }, partTitle("Goodput by load"), curve),
    make("div", { className: "lab-part" }, partTitle("Good answers, second by second"), bySecond),
    verdict,
  ];
  return {
    ...{ all, form, startAgain, verdict, curve, bySecond },
    ...{ load, service, servers, tries, varies, crowd, line },
  };
}
