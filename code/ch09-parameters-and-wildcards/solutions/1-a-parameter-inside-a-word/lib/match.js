import { MOST_PARAMETERS } from "./pattern.js";
import { routeFor } from "./route.js";

/** @import { Node } from "./node.js" */
/** @import { Route } from "./route.js" */

// Where the parameters of the match under way start and end. A match runs
// from beginning to end without calling anybody's code, so that there is
// never more than one under way.
const starts = new Int32Array(MOST_PARAMETERS);
const ends = new Int32Array(MOST_PARAMETERS);

/**
 * Finds the route for a path: static text before a parameter with text
 * behind it before one without before a wildcard, at every node. A branch that comes to nothing is left again.
 *
 * A node is reached by one way only, so that it is visited once at most,
 * however often the search has to turn back.
 *
 * Where another way is left to try, the function calls itself, so as to
 * come back. The last way is taken in the loop, which is faster.
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
        const isLast = parameter === null && wildcard === null;
        if (isLast && node.suffixes.length === 0) {
          node = child;
          index = end;
          continue;
        }
        const route = match(child, path, method, end, depth);
        if (route !== null) return route;
      }
      const end = segmentEnd(path, index);
      for (const suffix of node.suffixes) {
        if (!endsWith(path, index, end, suffix.prefix)) continue;
        starts[depth] = index;
        ends[depth] = end - suffix.prefix.length;
        const route = match(suffix, path, method, end, depth + 1);
        if (route !== null) return route;
      }
      if (parameter !== null && end > index) {
        starts[depth] = index;
        ends[depth] = end;
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
    starts[depth] = index;
    ends[depth] = path.length;
    return routeFor(wildcard, method);
  }
}

/**
 * @param {string} path
 * @param {number} index where the first character is known to be right
 * @param {Node} node
 */
function hasPrefixAt(path, index, { codes }) {
  if (index + codes.length > path.length) return false;
  for (let i = 1; i < codes.length; i += 1) {
    if (path.charCodeAt(index + i) !== codes[i]) return false;
  }
  return true;
}

/**
 * Whether a segment ends with a text, and has more than that.
 *
 * @param {string} path
 * @param {number} index where the segment begins
 * @param {number} end where it ends
 * @param {string} text
 */
export function endsWith(path, index, end, text) {
  return end - text.length > index && path.slice(index, end).endsWith(text);
}

/**
 * @param {string} path
 * @param {number} index
 */
export function segmentEnd(path, index) {
  const slash = path.indexOf("/", index);
  return slash === -1 ? path.length : slash;
}

/**
 * An object that inherits nothing, not even __proto__, and that the engine
 * makes as quickly as any other: unlike { __proto__: null } it has a
 * constructor, by which its shape is known.
 *
 * @type {new () => Record<string, string>}
 */
const Params = /** @type {any} */ (function Params() {});
Params.prototype = Object.create(null);

/**
 * The parameters of the match that was just made. Called before the next
 * match is.
 *
 * @param {Route} route
 * @param {string} path
 * @returns {Record<string, string>}
 */
export function readParams({ names }, path) {
  const params = new Params();
  for (let i = 0; i < names.length; i += 1) {
    params[names[i]] = path.slice(starts[i], ends[i]);
  }
  return params;
}
