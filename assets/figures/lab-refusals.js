/**
 * What stands in the place of chapter 4's lab when no script runs: each of its
 * attacks, and what the milestone's own parser says to it.
 */

import path from "node:path";
import { fileURLToPath } from "node:url";
import { collectLabFiles } from "../../tools/lib/lab-files.js";
import { refusals as lab } from "../labs/labs.js";
import { dataUrl, linkModules } from "../labs/link.js";
import { readCommand, send } from "../labs/refusals/model.js";

/** @import { Canvas, Figure } from "./lib.js" */

const root = path.resolve(fileURLToPath(import.meta.url), "../../..");

/** @returns {Promise<Figure>} */
export default async function drawRefusals() {
  const modules = await linkModules(collectLabFiles(root, lab), dataUrl);
  const rows = lab.examples.map(({ name, text }) => {
    const { refusal } = send(modules["request-parser"], readCommand(text));
    if (refusal === null) throw new Error(`the parser of ${lab.milestone} takes ${name}`);
    return { name, statusCode: String(refusal.statusCode), message: refusal.message };
  });
  const described = rows.map(
    ({ name, statusCode, message }) => `${name}: ${statusCode}, ${message}`,
  );
  return {
    title: "What the parser refuses",
    description: `${described.join(". ")}.`,
    wide(canvas) {
      drawRows(canvas, rows, 34, (row, y) => {
        canvas.text(4, y, row.name);
        canvas.text(252, y, row.statusCode, { weight: 600, color: "accent" });
        canvas.text(300, y, row.message, { color: "soft" });
      });
    },
    narrow(canvas) {
      drawRows(canvas, rows, 58, (row, y) => {
        canvas.text(4, y, row.name);
        canvas.text(316, y, row.statusCode, { weight: 600, color: "accent", anchor: "end" });
        canvas.text(4, y + 23, row.message, { color: "soft" });
      });
    },
  };
}

/**
 * @template Row
 * @param {Canvas} canvas
 * @param {Row[]} rows
 * @param {number} height of one
 * @param {(row: Row, y: number) => void} draw is told the first line's baseline
 */
function drawRows(canvas, rows, height, draw) {
  for (const [index, row] of rows.entries()) {
    const top = index * height;
    draw(row, top + 24);
    canvas.line(
      [
        [1, top + height],
        [canvas.width - 1, top + height],
      ],
      { width: 0.75 },
    );
  }
  canvas.height = rows.length * height + 2;
}
