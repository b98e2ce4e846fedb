import { methodNamesFrom, routesFrom } from "./route.js";

/** Draws a tree with text. */
export function printTree(root) {
  const { guards } = root;
  const everywhere = { label: "(all)", route: null, guards, branches: [] };
  const branches = branchesOf(root, 0);
  if (guards.length > 0) branches.unshift(everywhere);
  return branches.flatMap(draw).join("\n");
}

// The ways on from a node, those that begin with text first. `depth` is
// how many parameters stand above it.
export function branchesOf(node, depth) {
  const branches = node.children
    .filter((child) => child !== undefined)
    .map((child) => branchOf(child.prefix, child, depth));
  const { parameter, wildcard } = node;
  if (parameter !== null) {
    const label = parameterLabel(node, depth);
    branches.push(branchOf(label, parameter, depth + 1));
  }
  if (wildcard !== null) {
    const label = wildcardLabel(wildcard);
    branches.push({ label, route: wildcard, guards: [], branches: [] });
  }
  return branches;
}

function branchOf(label, node, depth) {
  const { route, guards } = node;
  return { label, route, guards, branches: branchesOf(node, depth) };
}

// The names of a node's parameter: `:id`, or `:id|:user`.
export function parameterLabel(node, depth) {
  const routes = namedBelow(node.parameter);
  const names = new Set(routes.map(({ names }) => `:${names[depth]}`));
  return [...names].join("|");
}

// `*`, or `*path`, or `*path|*rest`.
export function wildcardLabel(first) {
  const names = Array.from(routesFrom(first), ({ names }) => names.at(-1));
  const labels = names.map((name) => (name === "*" ? "*" : `*${name}`));
  return [...new Set(labels)].join("|");
}

function namedBelow(node) {
  const below = [...node.children, node.parameter];
  return [
    ...routesFrom(node.route),
    ...routesFrom(node.wildcard),
    ...node.guards,
    ...below.flatMap((child) => (child ? namedBelow(child) : [])),
  ];
}

function draw({ label, route, guards, branches }) {
  const kinds = guards.map(({ kind }) => kind);
  const what = [...kinds, ...methodNamesFrom(route)].join(", ");
  const lines = branches.flatMap((branch, i) => {
    const isLast = i === branches.length - 1;
    const [first, ...others] = draw(branch);
    return [
      `${isLast ? "└─ " : "├─ "}${first}`,
      ...others.map((line) => `${isLast ? "   " : "│  "}${line}`),
    ];
  });
  return [what === "" ? label : `${label}  ${what}`, ...lines];
}
