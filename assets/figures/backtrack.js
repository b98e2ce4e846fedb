import { search } from "../../code/ch09-parameters-and-wildcards/lib/router/explain.js";
import { Node } from "../../code/ch09-parameters-and-wildcards/lib/router/node.js";
import {
  namesOf,
  parsePattern,
} from "../../code/ch09-parameters-and-wildcards/lib/router/pattern.js";
import { branchesOf } from "../../code/ch09-parameters-and-wildcards/lib/router/print.js";
import { Route } from "../../code/ch09-parameters-and-wildcards/lib/router/route.js";
import { drawTree, layOut, shapeOf } from "./trees/draw.js";

/** @import { Step } from "../../code/ch09-parameters-and-wildcards/lib/router/explain.js" */
/** @import { Canvas, Point } from "./lib.js" */
/** @import { Place } from "./trees/draw.js" */

// A router's tree is its own, so this one is grown from the router's parts.
const root = new Node("");
for (const pattern of ["/users/:id", "/users/me", "/users/mia"]) {
  const parts = parsePattern(pattern);
  const names = namesOf(parts);
  const fields = { method: "GET", pattern, names, hasWildcard: false };
  root.ensure(parts).add(new Route({ ...fields, handler: () => {}, addedAt: "" }));
}
const [tree] = branchesOf(root, 0).map((branch) => shapeOf(branch));
const { steps } = search(root, "/users/max", "GET");

/**
 * A step as a line of the figure.
 *
 * @param {Step} step
 * @returns {string}
 */
function words({ kind, label, reason }) {
  const text = reason.replaceAll(/"([^"]*)"/g, "“$1”");
  if (kind === "back") return `${text}: back up`;
  if (kind === "end") return `${text} ends here`;
  return `${label} ${text}`;
}

/**
 * @param {Place} place
 * @param {string} label
 * @returns {Place}
 */
function findNode(place, label) {
  const found = nodesOf(place).find(({ shape }) => shape.label === label);
  if (!found) throw new Error(`no node ${label}`);
  return found;
}

/**
 * @param {Place} place
 * @returns {Place[]}
 */
function nodesOf(place) {
  return [place, ...place.children.flatMap(nodesOf)];
}

/**
 * @param {Canvas} canvas
 * @param {number} gap
 */
function draw(canvas, gap) {
  const measures = { size: 18, height: 38, step: 96, gap };
  const left = (canvas.width - layOut(tree, 0, 0, measures).right) / 2;
  const top = layOut(tree, left, 44, measures);
  canvas.text(top.x, 18, "GET /users/max", { mono: true, anchor: "middle" });
  const wrong = findNode(top, "m");
  const right = findNode(top, ":id");
  const taken = new Set([wrong, right]);
  drawTree(canvas, top, {
    ...measures,
    edge: (_, child) => (taken.has(child) ? { color: "accent", width: 2.5 } : { dashed: true }),
  });

  // Back up, on the outside.
  const middle = wrong.y + wrong.height / 2;
  const points = /** @type {Point[]} */ ([
    [wrong.x - wrong.width / 2 - 2, middle],
    [wrong.x - wrong.width / 2 - 50, middle - 10],
    [top.x - top.width / 2 - 66, top.y + top.height / 2 + 10],
    [top.x - top.width / 2 - 3, top.y + top.height / 2],
  ]);
  canvas.line(points, { color: "blue", dashed: true, curved: true, arrow: true });

  const between = (/** @type {Place} */ child) =>
    /** @type {const} */ ([(top.x + child.x) / 2, (top.y + top.height + child.y) / 2]);
  canvas.badge(top.x + top.width / 2 + 20, top.y + top.height / 2, 1);
  canvas.badge(...between(wrong), 2);
  const [backX, backY] = between(wrong);
  canvas.badge(backX - 58, backY - 12, 3);
  canvas.badge(...between(right), 4);
  canvas.badge(right.x + right.width / 2 + 20, right.y + right.height / 2, 5);
  canvas.height = canvas.steps(top.bottom + 46, steps.map(words)) + 4;
}

export default {
  title: "The search for /users/max goes down, back up, and down again",
  description:
    "The tree with /users/:id, /users/me and /users/mia: a node /users/ with the children m and " +
    `:id, and below m the nodes e and ia. The steps: ${steps.map(words).join("; ")}.`,

  /** @param {Canvas} canvas */
  wide(canvas) {
    draw(canvas, 60);
  },

  /** @param {Canvas} canvas */
  narrow(canvas) {
    draw(canvas, 34);
  },
};
