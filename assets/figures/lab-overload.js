/**
 * What stands in the place of chapter 19's lab when no script runs: goodput by
 * load as the milestone's own simulation has it, without a line and with one.
 */

import path from "node:path";
import { fileURLToPath } from "node:url";
import { collectLabFiles } from "../../tools/lib/lab-files.js";
import { overload as lab } from "../labs/labs.js";
import { dataUrl, linkModules } from "../labs/link.js";
import { beginning, curveOf, lines } from "../labs/overload/model.js";

/**
 * @import { Canvas, Figure, Point } from "./lib.js"
 */

const root = path.resolve(fileURLToPath(import.meta.url), "../../..");

/** @typedef {{ load: number, goodput: number }[]} Curve */

/** @returns {Promise<Figure>} */
export default async function drawOverload() {
  const modules = await linkModules(collectLabFiles(root, lab), dataUrl);
  const bare = curveOf(modules, beginning);
  const shed = curveOf(modules, { ...beginning, line: lines.length - 1 });
  const percent = (/** @type {Curve} */ points) =>
    points.map(({ load, goodput }) => `${load}: ${Math.round(goodput * 100)} %`).join(", ");
  return {
    title: "Goodput by load",
    description:
      "Good answers by load, both as shares of what the server can answer. " +
      `Where everybody waits: ${percent(bare)}. With shed(): ${percent(shed)}.`,
    wide: (canvas) => drawChart(canvas, { bare, shed }, 300),
    narrow: (canvas) => drawChart(canvas, { bare, shed }, 240),
  };
}

/**
 * @param {Canvas} canvas
 * @param {{ bare: Curve, shed: Curve }} curves
 * @param {number} height
 */
function drawChart(canvas, { bare, shed }, height) {
  const [left, top, bottom] = [72, 40, height - 64];
  const x = (/** @type {number} */ load) => left + (load / 3) * (canvas.width - left - 24);
  const y = (/** @type {number} */ share) => bottom - share * (bottom - top);
  for (const share of [0, 0.5, 1]) {
    canvas.line(
      [
        [left, y(share)],
        [canvas.width - 4, y(share)],
      ],
      { width: 0.75 },
    );
    canvas.text(left - 8, y(share) + 6, `${share * 100} %`, { anchor: "end", color: "soft" });
  }
  for (const load of [1, 2, 3]) {
    canvas.text(x(load), bottom + 26, `${load}×`, { anchor: "middle", color: "soft" });
  }
  canvas.text(x(1.5), bottom + 54, "load", { anchor: "middle", color: "soft" });
  const points = (/** @type {Curve} */ curve) =>
    /** @type {Point[]} */ ([
      [x(0), y(0)],
      ...curve.map(({ load, goodput }) => [x(load), y(goodput)]),
    ]);
  canvas.line(points(bare), { color: "accent", width: 3 });
  canvas.line(points(shed), { color: "blue", width: 3 });
  canvas.text(x(3), y(1) - 14, "with shed()", { color: "blue", weight: 600, anchor: "end" });
  canvas.text(x(3), y(0) - 14, "everybody waits", {
    color: "accent",
    weight: 600,
    anchor: "end",
  });
  canvas.height = height;
}
