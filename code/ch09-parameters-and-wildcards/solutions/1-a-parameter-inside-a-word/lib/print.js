import { chain } from "./route.js";

/** @import { Node } from "./node.js" */
/** @import { Route } from "./route.js" */

/**
 * One way on from a node, as it is drawn.
 *
 * @typedef {object} Branch
 * @property {string} label text, `:name` or `*name`
 * @property {Route | null} route the first that ends here
 * @property {Branch[]} branches
 */

/**
 * Draws a tree with text.
 *
 * @param {Node} root
 */
export function printTree(root) {
  return branchesOf(root, 0).flatMap(draw).join("\n");
}

/**
 * The ways on from a node, in the order in which they are tried.
 *
 * @param {Node} node
 * @param {number} depth the parameters above it
 * @returns {Branch[]}
 */
export function branchesOf(node, depth) {
  const branches = node.children
    .filter((child) => child !== undefined)
    .map((child) => branchOf(child.prefix, child, depth));
  const { suffixes, parameter, wildcard } = node;
  for (const suffix of suffixes) {
    const label = parameterLabel(suffix, depth);
    branches.push(branchOf(label, suffix, depth + 1));
  }
  if (parameter !== null) {
    const label = parameterLabel(parameter, depth);
    branches.push(branchOf(label, parameter, depth + 1));
  }
  if (wildcard !== null) {
    const label = wildcardLabel(wildcard);
    branches.push({ label, route: wildcard, branches: [] });
  }
  return branches;
}

/**
 * @param {string} label
 * @param {Node} node
 * @param {number} depth
 * @returns {Branch}
 */
function branchOf(label, node, depth) {
  return { label, route: node.route, branches: branchesOf(node, depth) };
}

/**
 * The names that routes give to a parameter, and what stands behind it:
 * `:id`, or `:id|:user`, or `:name.json`.
 *
 * @param {Node} parameter
 * @param {number} depth the parameters above it
 */
export function parameterLabel(parameter, depth) {
  const labels = routesBelow(parameter).map(
    ({ names }) => `:${names[depth]}${parameter.prefix}`,
  );
  return [...new Set(labels)].join("|");
}

/** @param {Route} route with a wildcard */
export function wildcardLabel({ names }) {
  const name = names[names.length - 1];
  return name === "*" ? "*" : `*${name}`;
}

/**
 * @param {Node | null} node
 * @returns {Route[]}
 */
function routesBelow(node) {
  if (node === null) return [];
  const below = [...node.children, ...node.suffixes, node.parameter];
  return [
    ...chain(node.route),
    ...chain(node.wildcard),
    ...below.flatMap((child) => routesBelow(child ?? null)),
  ];
}

/**
 * @param {Branch} branch
 * @returns {string[]} lines
 */
function draw({ label, route, branches }) {
  const methods = [...chain(route)].map(({ method }) => method).join(", ");
  const lines = branches.flatMap((branch, i) => {
    const isLast = i === branches.length - 1;
    const [first, ...others] = draw(branch);
    return [
      `${isLast ? "└─ " : "├─ "}${first}`,
      ...others.map((line) => `${isLast ? "   " : "│  "}${line}`),
    ];
  });
  return [methods === "" ? label : `${label}  ${methods}`, ...lines];
}
