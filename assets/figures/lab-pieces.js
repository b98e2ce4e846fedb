/**
 * What stands in the place of chapter 3's lab when no script runs: the parser
 * itself, with all but the last piece of the lab's first example.
 */

import path from "node:path";
import { fileURLToPath } from "node:url";
import { collectLabFiles } from "../../tools/lib/lab-files.js";
import { bytesOf, count, glyphOf, quote } from "../labs/bytes.js";
import { pieces as lab } from "../labs/labs.js";
import { dataUrl, linkModules } from "../labs/link.js";
import { boxes, height, ways, width } from "../labs/pieces/diagram.js";
import { Feeding } from "../labs/pieces/model.js";

/** @import { Canvas, Figure, Point } from "./lib.js" */

const root = path.resolve(fileURLToPath(import.meta.url), "../../..");
const mono = /** @type {const} */ ({ mono: true, size: 15 });

/** @returns {Promise<Figure>} */
export default async function drawPieces() {
  const bundle = collectLabFiles(root, lab);
  const modules = await linkModules(bundle, dataUrl);
  const [{ text, cuts }] = lab.examples;
  const feeding = new Feeding({
    module: modules["request-parser"],
    states: bundle.states,
    reads: lab.reads["request-parser"],
    bytes: bytesOf(text),
    cuts,
  });
  while (feeding.nextEnd < feeding.bytes.length) feeding.feed();
  const { state, line, body, missing } = feeding.look();
  const pieceCount = feeding.pieceCount;
  return {
    title: "A parser between two pieces of a request",
    description:
      `The request ${text} is cut into ${pieceCount} pieces, and the parser has got all but the ` +
      `last. It is in the state ${boxes[state].words}, has ${count(body.length, "byte")} of the ` +
      `body, and lacks ${count(missing, "byte")}. No request has come out.`,
    wide(canvas) {
      const bottom = drawBytes(canvas, feeding, 26);
      drawDiagram(canvas, 20, bottom + 24, feeding);
      drawFacts(canvas, 380, bottom + 70, [
        ["#state", state],
        ["#line", quote(line)],
        ["the body so far", quote(body.toString("latin1"))],
        ["what is missing", count(missing, "byte")],
      ]);
      canvas.height = bottom + 24 + height + 6;
    },
    narrow(canvas) {
      const bottom = drawBytes(canvas, feeding, 22);
      drawDiagram(canvas, (canvas.width - width) / 2, bottom + 20, feeding);
      const end = drawFacts(canvas, 4, bottom + height + 54, [
        ["#state", state],
        ["#line", quote(line)],
        ["body", quote(body.toString("latin1"))],
        ["missing", count(missing, "byte")],
      ]);
      canvas.height = end;
    },
  };
}

/**
 * @param {Canvas} canvas
 * @param {Feeding} feeding
 * @param {number} cell its width
 * @returns {number} where the last row ends
 */
function drawBytes(canvas, { bytes, cuts, fed, readIn }, cell) {
  const high = 30;
  let x = 1;
  let y = 4;
  for (const [index, byte] of bytes.entries()) {
    if (cuts.has(index)) {
      canvas.line(
        [
          [x + 4, y - 2],
          [x + 4, y + high + 2],
        ],
        { color: "accent", width: 3 },
      );
      x += 8;
    }
    if (x + cell > canvas.width) {
      x = 1;
      y += high + 6;
    }
    const isLine = index < fed && boxes[readIn[index]].reads === "line";
    const tone = index >= fed ? "line" : isLine ? "blue" : "green";
    canvas.labelledBox(x, y, cell - 2, high, glyphOf(byte), {
      fill: index >= fed ? "paper" : isLine ? "blue-fill" : "green-fill",
      stroke: tone,
      radius: 3,
      width: 1,
      dashed: index >= fed,
      text: { ...mono, color: tone === "line" ? "ink" : tone },
    });
    x += cell;
    if (byte === 10) {
      x = 1;
      y += high + 6;
    }
  }
  return y + high;
}

/**
 * @param {Canvas} canvas
 * @param {number} left
 * @param {number} top
 * @param {Feeding} feeding
 */
function drawDiagram(canvas, left, top, feeding) {
  const { state } = feeding.look();
  for (const { points } of ways) {
    const moved = points.map(([x, y]) => /** @type {Point} */ ([x + left, y + top]));
    canvas.line(moved, { arrow: true });
  }
  for (const [name, box] of Object.entries(boxes)) {
    const tone = box.reads === "line" ? "blue" : "green";
    const isHere = name === state;
    canvas.labelledBox(box.x + left, box.y + top, box.width, box.height, box.words, {
      fill: isHere ? `${tone}-fill` : "paper",
      stroke: isHere ? tone : "line",
      width: isHere ? 3 : 1.5,
      radius: box.height / 2,
      text: { size: 18, weight: isHere ? 600 : undefined, color: isHere ? tone : "ink" },
    });
  }
}

/**
 * @param {Canvas} canvas
 * @param {number} x
 * @param {number} y
 * @param {[name: string, value: string][]} facts
 * @returns {number} where they end
 */
function drawFacts(canvas, x, y, facts) {
  const isNarrow = canvas.width < 400;
  const step = isNarrow ? 30 : 36;
  for (const [index, [name, value]] of facts.entries()) {
    const isCode = name.startsWith("#");
    canvas.text(x, y + index * step, name, isCode ? { ...mono, color: "soft" } : { color: "soft" });
    canvas.text(x + (isNarrow ? 90 : 150), y + index * step, value, { ...mono, size: 16 });
  }
  return y + (facts.length - 1) * step + 10;
}
