import { routesFrom } from "./route.js";

// The patterns in a tree that begin with a text, sorted, each once.
export function patternsWith(root, text) {
  const patterns = new Set();
  for (const { pattern } of routesToward(root, text)) {
    // A parameter's name is not in the tree, but in the route.
    if (pattern.startsWith(text)) patterns.add(pattern);
  }
  return [...patterns].sort();
}

// The routes that a text may be the beginning of. `rest` is what is left of
// the text below the node.
function* routesToward(node, rest) {
  if (rest === "") {
    yield* routesBelow(node);
    return;
  }
  if (node.parameter !== null && rest.startsWith(":")) {
    yield* routesBelow(node.parameter);
  }
  const child = node.children[rest.charCodeAt(0)];
  if (child === undefined) return;
  const { prefix } = child;
  if (rest.startsWith(prefix)) {
    yield* routesToward(child, rest.slice(prefix.length));
  } else if (prefix.startsWith(rest)) {
    yield* routesBelow(child);
  }
}

// The routes of a node, and of all below it.
function* routesBelow({ route, children, parameter }) {
  yield* routesFrom(route);
  for (const child of [...children, parameter]) {
    if (child) yield* routesBelow(child);
  }
}
