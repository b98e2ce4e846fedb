import { segmentValue } from "./path.js";
import { MOST_PARAMETERS } from "./pattern.js";
import { routeFor, routesFrom } from "./route.js";

/** @import { Node } from "./node.js" */
/** @import { Route } from "./route.js" */

const SLASH = "/".charCodeAt(0);

// Where the parameters of the match under way start and end. One set of
// places is enough: until readParams has read them, the router calls no
// handler and waits for nothing.
const paramStarts = new Int32Array(MOST_PARAMETERS);
const paramEnds = new Int32Array(MOST_PARAMETERS);

/**
 * Finds the route for a path: text before a parameter before a wildcard,
 * at every node. Where another way is left to try, the function calls
 * itself, so as to come back. The last way is taken in the loop.
 *
 * @param {Node} node
 * @param {string} path
 * @param {string} method
 * @param {number} index how much of the path is matched
 * @param {number} depth how many parameters are matched
 * @returns {Route | null}
 */
export function match(node, path, method, index, depth) {
  for (;;) {
    const { parameter, wildcard } = node;
    if (index === path.length) {
      const route = routeFor(node.route, method);
      if (route !== null) return route;
    } else {
      const child = node.children[path.charCodeAt(index)];
      if (child !== undefined && hasPrefixAt(path, index, child)) {
        const end = index + child.codes.length;
        if (parameter === null && wildcard === null) {
          node = child;
          index = end;
          continue;
        }
        const route = match(child, path, method, end, depth);
        if (route !== null) return route;
      }
      if (parameter !== null && path.charCodeAt(index) !== SLASH) {
        const end = segmentEnd(path, index);
        paramStarts[depth] = index;
        paramEnds[depth] = end;
        if (wildcard === null) {
          node = parameter;
          index = end;
          depth += 1;
          continue;
        }
        const route = match(parameter, path, method, end, depth + 1);
        if (route !== null) return route;
      }
    }
    if (wildcard === null) return null;
    paramStarts[depth] = index;
    paramEnds[depth] = path.length;
    return routeFor(wildcard, method);
  }
}

// Every route that fits a path, whatever its method.
export function matchAll(node, path, index = 0, found = []) {
  if (index === path.length) {
    found.push(...routesFrom(node.route));
  } else {
    const child = node.children[path.charCodeAt(index)];
    if (child !== undefined && hasPrefixAt(path, index, child)) {
      matchAll(child, path, index + child.codes.length, found);
    }
    if (node.parameter !== null && path.charCodeAt(index) !== SLASH) {
      matchAll(node.parameter, path, segmentEnd(path, index), found);
    }
  }
  const { wildcard } = node;
  if (wildcard !== null) found.push(...routesFrom(wildcard));
  return found;
}

// Everything that hangs where one of the path's segments ends.
export function matchGuards(node, path, index = 0, found = []) {
  const isEnd = index === path.length;
  if (isEnd || path[index] === "/") found.push(...node.guards);
  if (isEnd) return found;
  const child = node.children[path.charCodeAt(index)];
  if (child !== undefined && hasPrefixAt(path, index, child)) {
    matchGuards(child, path, index + child.codes.length, found);
  }
  const end = segmentEnd(path, index);
  if (node.parameter !== null && end > index) {
    matchGuards(node.parameter, path, end, found);
  }
  return found;
}

// The first character is known to be right: the child was found by it.
function hasPrefixAt(path, index, { codes }) {
  if (index + codes.length > path.length) return false;
  for (let i = 1; i < codes.length; i += 1) {
    if (path.charCodeAt(index + i) !== codes[i]) return false;
  }
  return true;
}

export function segmentEnd(path, index) {
  const slash = path.indexOf("/", index);
  return slash === -1 ? path.length : slash;
}

// What parameters inherit: no name, not even __proto__. With 10,000 routes
// bench.js takes several times as long if they are { __proto__: null }.
const paramsPrototype = Object.create(null, {
  [Symbol.toPrimitive]: { value: () => "[object Object]" },
  [Symbol.for("nodejs.util.inspect.custom")]: {
    value() {
      return { ...this };
    },
  },
});

export function noParams() {
  return Object.create(paramsPrototype);
}

// The parameters of the match that was just made.
export function readParams({ names, hasWildcard }, path) {
  const params = Object.create(paramsPrototype);
  const hasEscapes = path.includes("%");
  for (let i = 0; i < names.length; i += 1) {
    const text = path.slice(paramStarts[i], paramEnds[i]);
    // The rest of a path is itself a path, and stays canonical.
    const isRest = hasWildcard && i === names.length - 1;
    params[names[i]] = hasEscapes && !isRest ? segmentValue(text) : text;
  }
  return params;
}
