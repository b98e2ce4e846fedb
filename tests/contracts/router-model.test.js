/**
 * The tree against the slow obvious router, on random routes and paths.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { referenceFind } from "../../code/contracts/router/reference.js";
import { newestVelocy } from "./newest-velocy.js";

const found = await newestVelocy();
const skip = found === null && "no milestone has the complete router yet";
const { Router } = found?.velocy ?? {};

const METHODS = ["GET", "POST", "HEAD", "ALL"];
const ASKED = ["GET", "POST", "HEAD", "PUT"];
const SEGMENTS = ["a", "ab", "abc", "b", ""];
const MORE_SEGMENTS = ["ac", "é", "%2F", "%25", "__proto__", "a.b"];

/** Every path of up to three segments, and some that are longer or odd. */
const PATHS = [
  ...SEGMENTS.map((a) => `/${a}`),
  ...SEGMENTS.flatMap((a) => SEGMENTS.map((b) => `/${a}/${b}`)),
  ...SEGMENTS.flatMap((a) => SEGMENTS.flatMap((b) => SEGMENTS.map((c) => `/${a}/${b}/${c}`))),
  ...MORE_SEGMENTS.flatMap((a) => [`/${a}`, `/a/${a}`, `/${a}/b`, `/ab/${a}/b/a`]),
];

/** Those that are targets too, and mean themselves. */
const TARGETS = PATHS.filter((path) => !/\/\/|[^!-~]/.test(path));

const COMPARISONS = 1_000_000;
const RUNS = Math.ceil(COMPARISONS / (PATHS.length * ASKED.length));

const segment = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom("a", "ab", "abc", "b") },
  { weight: 3, arbitrary: fc.constantFrom(":x", ":y") },
  { weight: 1, arbitrary: fc.constantFrom(":__proto__", ":constructor", "é") },
);
const pattern = fc
  .tuple(fc.array(segment, { maxLength: 3 }), fc.constantFrom("", "", "", "/", "/*", "/*rest"))
  .map(([segments, end]) => segments.map((text) => `/${text}`).join("") + end)
  .filter((text) => text !== "" && !text.includes("//"));
const route = fc.record({ method: fc.constantFrom(...METHODS), pattern });
const routeSet = fc.array(route, { minLength: 1, maxLength: 12 });

/** @typedef {{ method: string, pattern: string }} Wanted */

/**
 * A router with the routes that it takes, and these.
 *
 * @param {Wanted[]} wanted
 */
function build(wanted) {
  const router = new Router();
  const routes = wanted.filter((route) => {
    const handler = Object.assign(() => {}, { route });
    try {
      if (route.method === "ALL") router.all(route.pattern, handler);
      else router.route(route.method, route.pattern, handler);
      return true;
    } catch (err) {
      assert.match(/** @type {any} */ (err).code, /^ERR_(ROUTE_CONFLICT|PARAMETER_REPEATED)$/);
      return false;
    }
  });
  return { router, routes };
}

test("finds what the rules say, a million times", { skip }, () => {
  let comparisons = 0;
  const property = fc.property(routeSet, (wanted) => {
    const { router, routes } = build(wanted);
    for (const path of PATHS) {
      for (const method of ASKED) {
        const expected = referenceFind(routes, method, path);
        const actual = router.match(method, path);
        comparisons += 1;
        if (expected === null && actual === null) continue;
        assert.equal(actual?.route.handler.route, expected?.route, `${method} ${path}`);
        // Own keys, in the pattern's order; deepEqual is too slow here.
        const entries = JSON.stringify(Object.entries(actual.params));
        assert.equal(entries, JSON.stringify(Object.entries(expected?.params ?? {})));
      }
    }
  });
  fc.assert(property, { numRuns: RUNS });
  assert.ok(comparisons >= COMPARISONS);
});

test("refuses a route only if another has its paths", { skip }, () => {
  const shapeOf = (/** @type {Wanted} */ { method, pattern }) =>
    `${method} ${pattern.replace(/\/:\w+/g, "/:").replace(/\/\*\w*/, "/*")}`;
  const property = fc.property(routeSet, (wanted) => {
    const isValid = (/** @type {Wanted} */ { pattern }) =>
      !/:(x|y|__proto__|constructor)\/(.*\/)?:\1(\/|$)/.test(pattern);
    const shapes = new Set(wanted.filter(isValid).map(shapeOf));
    assert.deepEqual(new Set(build(wanted).routes.map(shapeOf)), shapes);
  });
  fc.assert(property, { numRuns: 2000 });
});

test("explains what it does", { skip }, () => {
  const property = fc.property(routeSet, fc.constantFrom(...TARGETS), (wanted, path) => {
    const { router } = build(wanted);
    for (const method of ASKED) {
      const match = router.find(method, path);
      const explanation = router.explain(method, path);
      assert.equal(explanation.route?.pattern, match?.route.handler.route.pattern);
      assert.equal(explanation.route?.method, match?.route.handler.route.method);
      assert.deepEqual(explanation.params, match?.params ?? null);
    }
  });
  fc.assert(property, { numRuns: 3000 });
});

test("allows the methods that it answers", { skip }, () => {
  const property = fc.property(routeSet, fc.constantFrom(...TARGETS), (wanted, path) => {
    const { router } = build(wanted);
    const answered = router
      .methods()
      .filter((/** @type {string} */ method) => router.match(method, path));
    if (answered.length > 0 && !answered.includes("OPTIONS")) answered.push("OPTIONS");
    assert.deepEqual(router.allowedMethods(path), answered.sort());
  });
  fc.assert(property, { numRuns: 3000 });
});

test("visits each node of the tree at most once, for one method and for all", {
  skip,
}, async () => {
  const parts = await partsOf(found?.folder ?? "");
  const property = fc.property(routeSet, (wanted) => {
    const { router, routes } = build(wanted);
    const root = buildTree(routes, parts);
    const visits = countVisits(root);
    for (const path of PATHS) {
      for (const method of ASKED) {
        visits.reset();
        const route = parts.match(root, path, method, 0, 0);
        assert.ok(visits.mostOfOneNode() <= 1, `${method} ${path}`);
        assert.ok(visits.inAll() >= 1, "the root at least is visited");
        assert.equal(route?.pattern, router.match(method, path)?.route.pattern);
        if (!TARGETS.includes(path)) continue;
        const { steps } = router.explain(method, path);
        const attempts = steps.filter(
          (/** @type {{ kind: string }} */ { kind }) => kind === "static" || kind === "parameter",
        );
        assert.ok(attempts.length < visits.nodes, `${method} ${path}`);
      }
      visits.reset();
      parts.matchAll(root, path);
      assert.ok(visits.mostOfOneNode() <= 1, `all methods of ${path}`);
      assert.ok(visits.inAll() >= 1, "the root at least is visited");
    }
  });
  fc.assert(property, { numRuns: 100 });
});

/**
 * What the router is made of, since nobody sees its tree.
 *
 * @param {string} folder the milestone
 * @returns {Promise<any>}
 */
async function partsOf(folder) {
  const modules = await Promise.all(
    ["node", "pattern", "route", "match", "methods"].map((name) => {
      return import(pathToFileURL(join(folder, `lib/router/${name}.js`)).href);
    }),
  );
  return Object.assign({}, ...modules);
}

/**
 * The tree that the router has for these routes.
 *
 * @param {Wanted[]} routes which don't contradict each other
 * @param {any} parts
 */
function buildTree(routes, { ALL, Node, Route, parsePattern, namesOf }) {
  const root = new Node("");
  for (const { method: name, pattern } of routes) {
    const method = name === "ALL" ? ALL : name;
    const parts = parsePattern(pattern);
    const hasWildcard = parts.at(-1).kind === "wildcard";
    const names = namesOf(parts);
    const route = { method, pattern, names, hasWildcard, handler() {}, addedAt: "" };
    root.ensure(parts).add(new Route(route));
  }
  return root;
}

/**
 * Counts how often each node of a tree is visited: a search reads a node's
 * wildcard once.
 *
 * @param {any} root
 */
function countVisits(root) {
  /** @type {Map<object, number>} */
  const counts = new Map();
  const watch = (/** @type {any} */ node) => {
    counts.set(node, 0);
    for (const child of node.children) if (child) watch(child);
    if (node.parameter) watch(node.parameter);
    const { wildcard } = node;
    const get = () => {
      counts.set(node, (counts.get(node) ?? 0) + 1);
      return wildcard;
    };
    Object.defineProperty(node, "wildcard", { get });
  };
  watch(root);
  return {
    nodes: counts.size,
    reset: () => {
      for (const node of counts.keys()) counts.set(node, 0);
    },
    inAll: () => [...counts.values()].reduce((sum, count) => sum + count),
    mostOfOneNode: () => Math.max(...counts.values()),
  };
}
