/** The tree of chapter 7, and a walk down it. */

import { Node } from "../../../code/ch07-the-need-for-a-trie/lib/router/node.js";
import { parsePattern } from "../../../code/ch07-the-need-for-a-trie/lib/router/pattern.js";
import { drawTree, layOut } from "./draw.js";

/** @import { Canvas } from "../lib.js" */
/** @import { Place, Shape } from "./draw.js" */

const patterns = ["/users/:id", "/users/:id/posts/:post", "/users/me"];

const root = new Node();
/** The tree has no names, so the patterns' are kept here. @type {Map<Node, string>} */
const names = new Map();
/** @type {Map<Shape, Node>} */
const nodes = new Map();
for (const pattern of patterns) {
  const parts = parsePattern(pattern);
  root.ensure(parts).route = /** @type {any} */ (pattern);
  parts.forEach(({ kind, text }, i) => {
    if (kind === "parameter") names.set(root.ensure(parts.slice(0, i + 1)), `:${text}`);
  });
}

/**
 * @param {Node} node
 * @param {string} label
 * @returns {Shape}
 */
function shapeOf(node, label) {
  const children = [...node.children].map(([text, child]) => shapeOf(child, text));
  if (node.parameter !== null) {
    children.push(shapeOf(node.parameter, names.get(node.parameter) ?? ""));
  }
  const shape = { label, isEnd: node.route !== null, children };
  nodes.set(shape, node);
  return shape;
}

const tree = shapeOf(root, "");

/**
 * @param {Node} node
 * @param {Node | undefined} child for the segment's own text
 */
function reason({ parameter }, child) {
  const name = parameter && names.get(parameter);
  if (child === undefined) return `no such word, so ${name}`;
  return name === null ? "a word" : `a word, before ${name}`;
}

/**
 * The nodes on a path's way, and what happens at each segment.
 *
 * @param {string} path
 */
function walk(path) {
  /** @type {Set<Node>} */
  const taken = new Set();
  /** @type {string[]} */
  const steps = [];
  let node = root;
  let last = "";
  for (const segment of path.slice(1).split("/")) {
    const child = node.children.get(segment);
    const next = child ?? node.parameter;
    if (next === null) {
      steps.push(`no ${segment} below ${last}: null`);
      break;
    }
    steps.push(`${segment}: ${reason(node, child)}`);
    taken.add(next);
    node = next;
    last = segment;
  }
  return { taken, steps };
}

/**
 * A figure of a path's walk down the tree.
 *
 * @param {string} path
 * @param {{ title: string, description: string }} words
 */
export function walkFigure(path, words) {
  const { taken, steps } = walk(path);
  const draw = (/** @type {Canvas} */ canvas) => {
    const measures = { size: 18, height: 38, step: 78, gap: 70 };
    const left = (canvas.width - layOut(tree, 0, 0, measures).right) / 2;
    const top = layOut(tree, left, 40, measures);
    canvas.text(canvas.width / 2, 18, `GET ${path}`, { mono: true, anchor: "middle" });
    const isTaken = (/** @type {Place} */ { shape }) => {
      const node = nodes.get(shape);
      return node !== undefined && taken.has(node);
    };
    drawTree(canvas, top, {
      ...measures,
      edge: (_, child) => (isTaken(child) ? { color: "accent", width: 2.5 } : { dashed: true }),
    });
    let place = /** @type {Place} */ (top);
    let number = 1;
    for (;;) {
      const next = place.children.find(isTaken);
      if (next === undefined) break;
      place = next;
      canvas.badge(place.x - place.width / 2 - 20, place.y + place.height / 2, number);
      number += 1;
    }
    if (number <= steps.length) canvas.badge(place.x, place.y + place.height + 20, number);
    canvas.height = canvas.steps(top.bottom + 40, steps) + 4;
  };
  return { ...words, wide: draw, narrow: draw };
}
