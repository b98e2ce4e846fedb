import { Guard, parseGuardPath } from "../../code/ch12-middleware/lib/router/guards.js";
import { matchGuards } from "../../code/ch12-middleware/lib/router/match.js";
import { Node } from "../../code/ch12-middleware/lib/router/node.js";
import { namesOf, parsePattern } from "../../code/ch12-middleware/lib/router/pattern.js";
import { branchesOf } from "../../code/ch12-middleware/lib/router/print.js";
import { Route } from "../../code/ch12-middleware/lib/router/route.js";
import { drawTree, layOut, legend } from "./trees/draw.js";

/** @import { Canvas } from "./lib.js" */
/** @import { Place, Shape } from "./trees/draw.js" */

/** @typedef {{ label: string, route: object | null, guards: Guard[], branches: Branch[] }} Branch */

const root = new Node("");
for (const pattern of ["/admin/export", "/users/:id"]) {
  const parts = parsePattern(pattern);
  const fields = { method: "GET", pattern, names: namesOf(parts), hasWildcard: false };
  root.ensure(parts).add(new Route({ ...fields, handler: () => {}, addedAt: "" }));
}
for (const pattern of ["/", "/admin", "/users/me/"]) {
  const parts = parseGuardPath(pattern);
  const fields = { kind: "use", pattern, names: namesOf(parts), parts };
  root.ensure(parts).guards.push(new Guard({ ...fields, fn: () => {}, addedAt: "" }));
}

/** The guards that a path comes by. */
const found = new Set(matchGuards(root, "/users/me").map(({ pattern }) => pattern));

/** What hangs at which node. @type {Map<Shape, Guard[]>} */
const hanging = new Map();
const shape = shapeWithGuards({
  label: "",
  route: null,
  guards: root.guards,
  branches: /** @type {Branch[]} */ (branchesOf(root, 0)),
});

/**
 * @param {Branch} branch
 * @returns {Shape}
 */
function shapeWithGuards({ label, route, guards, branches }) {
  const children = branches.map(shapeWithGuards);
  const made = { label, isEnd: route !== null, children };
  hanging.set(made, guards);
  return made;
}

/**
 * @param {Canvas} canvas
 * @param {Place} place
 */
function drawGuards(canvas, { shape: each, x, y, width, height, children }) {
  for (const child of children) drawGuards(canvas, child);
  for (const { pattern } of hanging.get(each) ?? []) {
    drawGuard(canvas, x + width / 2 + 14, y + height / 2, found.has(pattern));
  }
}

/**
 * A tag on a string, beside its node.
 *
 * @param {Canvas} canvas
 * @param {number} x
 * @param {number} y
 * @param {boolean} isFound
 */
function drawGuard(canvas, x, y, isFound) {
  canvas.line(
    [
      [x - 14, y],
      [x, y],
    ],
    { color: "blue" },
  );
  canvas.box(x, y - 9, 18, 18, {
    fill: isFound ? "blue" : "blue-fill",
    stroke: "blue",
    radius: 9,
  });
}

/**
 * @param {Canvas} canvas
 * @param {{ gap: number, size: number }} measures
 */
function draw(canvas, { gap, size }) {
  const measures = { gap, size, step: 74 };
  const { right } = layOut(shape, 0, 0, measures);
  const place = layOut(shape, (canvas.width - right - 20) / 2, 6, measures);
  drawTree(canvas, place, { size });
  drawGuards(canvas, place);
  const below = place.bottom + 36;
  const left = canvas.width > 400 ? canvas.width / 2 - 150 : 8;
  legend(canvas, left, below, "a route ends here");
  drawGuard(canvas, left + 8, below + 32, false);
  canvas.text(left + 36, below + 32 + canvas.textSize * 0.34, "a guard hangs here", {
    color: "soft",
  });
  drawGuard(canvas, left + 8, below + 64, true);
  canvas.text(left + 36, below + 64 + canvas.textSize * 0.34, "one that /users/me comes by", {
    color: "soft",
  });
  canvas.height = below + 82;
}

export default {
  title: "A tree with guards at its nodes",
  description:
    "Guards hang at three nodes: at the root, at admin, and at users/me, where no route ends. " +
    "Routes end at admin's child /export and at the parameter :id beside me. The path /users/me " +
    "comes by the guard of the root and the guard of me, though the parameter's route answers.",

  /** @param {Canvas} canvas */
  wide(canvas) {
    draw(canvas, { gap: 60, size: 18 });
  },

  /** @param {Canvas} canvas */
  narrow(canvas) {
    draw(canvas, { gap: 44, size: 17 });
  },
};
