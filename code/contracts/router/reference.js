/**
 * The slow, obvious router: the rules of the book, read aloud, and nothing
 * done for speed. What the tree finds must be what this finds.
 */

/** What a segment of a pattern is, in the order in which they win. */
const STATIC = 0;
const PARAMETER = 1;
const WILDCARD = 2;

/**
 * @typedef {object} ReferenceRoute
 * @property {string} method
 * @property {string} pattern
 */

/**
 * @param {ReferenceRoute[]} routes
 * @param {string} method
 * @param {string} path canonical
 * @returns {{ route: ReferenceRoute, params: Record<string, string> } | null}
 */
export function referenceFind(routes, method, path) {
  const candidates = routes
    .map((route) => ({ route, match: matchPattern(route.pattern, path) }))
    .filter(
      ({ route, match }) => match !== null && rank(route, method) >= 0,
    )
    .sort((a, b) => {
      const byKinds = compare(
        kindsOf(a.route.pattern),
        kindsOf(b.route.pattern),
      );
      return byKinds || rank(a.route, method) - rank(b.route, method);
    });
  if (candidates.length === 0) return null;
  const [{ route, match }] = candidates;
  return { route, params: /** @type {Record<string, string>} */ (match) };
}

/**
 * How well a route's method fits: the method itself, GET for HEAD, then a
 * route for all methods. Below zero: not at all.
 *
 * @param {ReferenceRoute} route
 * @param {string} method
 */
function rank(route, method) {
  if (route.method === method) return 0;
  if (method === "HEAD" && route.method === "GET") return 1;
  return route.method === "ALL" ? 2 : -1;
}

/**
 * @param {string} pattern
 * @param {string} path
 * @returns {Record<string, string> | null}
 */
function matchPattern(pattern, path) {
  const wanted = pattern.split("/");
  const given = path.split("/");
  /** @type {[string, string][]} */
  const params = [];
  for (const [i, segment] of wanted.entries()) {
    if (segment.startsWith("*")) {
      if (given.length < i + 1) return null;
      params.push([segment.slice(1) || "*", given.slice(i).join("/")]);
      return Object.fromEntries(params);
    }
    if (given[i] === undefined) return null;
    if (segment.startsWith(":")) {
      if (given[i] === "") return null;
      params.push([segment.slice(1), decode(given[i])]);
    } else if (segment !== given[i]) {
      return null;
    }
  }
  return wanted.length === given.length ? Object.fromEntries(params) : null;
}

/** @param {string} segment of a canonical path */
function decode(segment) {
  return segment.replaceAll("%2F", "/").replaceAll("%25", "%");
}

/** @param {string} pattern */
function kindsOf(pattern) {
  return pattern.split("/").map((segment) => {
    if (segment.startsWith(":")) return PARAMETER;
    return segment.startsWith("*") ? WILDCARD : STATIC;
  });
}

/**
 * The first segment in which two patterns are of different kinds decides.
 *
 * @param {number[]} a
 * @param {number[]} b
 */
function compare(a, b) {
  const i = a.findIndex((kind, index) => kind !== b[index]);
  return i === -1 ? 0 : a[i] - (b[i] ?? STATIC);
}
