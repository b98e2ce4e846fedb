/**
 * The contract for routers: one table of cases, for every router in the
 * book from chapter 6 on.
 *
 *     testRouter({
 *       name: "velocy",
 *       can: ["head", "all", "allowedMethods", "errors", "conflicts"],
 *       create: (options) => new Router(options),
 *     });
 */
import assert from "node:assert/strict";
import { METHODS } from "node:http";
import { describe, test } from "node:test";
import { GROUPS } from "./cases.js";

/** @import { Group } from "./cases.js" */

/** What a router may not be able to do yet, and says so. */
export const CAPABILITIES = {
  head: "GET's routes answer HEAD",
  all: "a route for all methods",
  allowedMethods: "the methods of a path",
  errors: "bad arguments throw, with a code",
  questions: "questions that no request asks throw, with a code",
  conflicts: "routes that can never match throw, with a code",
  onlyPaths: "what does not begin with a slash finds nothing",
  parameters: ":name",
  wildcards: "*",
  namedWildcards: "*name",
  backtracking: "going back up when a branch dies",
  ownNames: "each route has its own parameter names",
  anyName: "any name for a parameter, __proto__ too",
  text: "paths beyond ASCII",
  emptySegments: "paths with two slashes in a row",
  escapes: "%2F and %25 in canonical paths, escapes in patterns",
  ignoreCase: "the option ignoreCase",
  ignoreTrailingSlash: "the option ignoreTrailingSlash",
};

/**
 * velocy's routers give the route, others give its handler.
 *
 * @typedef {object} Found
 * @property {{ handler: unknown }} [route]
 * @property {unknown} [handler]
 * @property {Record<string, string>} params
 */

/**
 * @typedef {object} RouterUnderTest
 * @property {(method: any, pattern: any, handler: any) => unknown} route
 * @property {(pattern: any, handler: any) => unknown} [all]
 * @property {(method: string, path: string) => Found | null} find
 * @property {(path: string) => string[]} [allowedMethods]
 * @property {(method: string, path: string) => { route: unknown }} [explain]
 */

/**
 * @typedef {object} Adapter
 * @property {string} name
 * @property {(keyof typeof CAPABILITIES)[]} can
 * @property {(options?: any) => RouterUnderTest} create
 */

/**
 * One thing that is asked of a router with certain routes.
 *
 * @typedef {object} Case
 * @property {string} name
 * @property {Group} group
 * @property {unknown} expected
 * @property {(adapter: Adapter) => unknown} ask gives what the router does
 */

/** @returns {Case[]} every case of the table */
export function allCases() {
  return GROUPS.flatMap((group) => [
    ...(group.finds ?? []).map((row) => findCase(group, row)),
    ...(group.allows ?? []).map((row) => allowCase(group, row)),
    ...(group.asks ?? []).map((row) => askCase(group, row)),
    ...(group.refuses ?? []).map((row) => refuseCase(group, row)),
    ...(group.accepts ?? []).map((row) => acceptCase(group, row)),
  ]);
}

/**
 * The cases that a router is capable of.
 *
 * @param {Adapter} adapter
 */
export function casesFor({ can }) {
  /** @type {string[]} */
  const capabilities = can;
  return allCases().filter(({ group }) => isFor(group, capabilities));
}

/**
 * @param {Group} group
 * @param {string[]} capabilities
 */
function isFor({ needs, lacks = [] }, capabilities) {
  return (
    needs.every((need) => capabilities.includes(need)) &&
    !lacks.some((lack) => capabilities.includes(lack))
  );
}

/**
 * Runs the contract, one test a case.
 *
 * @param {Adapter} adapter
 */
export function testRouter(adapter) {
  const groups = byGroup(casesFor(adapter));
  for (const [group, cases] of groups) {
    describe(group.name, () => {
      for (const { name, ask, expected } of cases) {
        const routes = `with ${list(group.routes)}`;
        test(name, () => assert.deepEqual(ask(adapter), expected, routes));
      }
    });
  }
}

/** @param {string[]} routes */
function list(routes) {
  return routes.length === 0 ? "no routes" : routes.join(", ");
}

/** @param {Case[]} cases */
function byGroup(cases) {
  /** @type {Map<Group, Case[]>} */
  const groups = new Map();
  for (const one of cases) {
    groups.set(one.group, [...(groups.get(one.group) ?? []), one]);
  }
  return groups;
}

/**
 * @param {Group} group
 * @param {NonNullable<Group["finds"]>[number]} row
 * @returns {Case}
 */
function findCase(group, [method, path, route, params = {}]) {
  const name = `${method} ${path} ${route === null ? "is not found" : `finds ${route}`}`;
  const full = route?.startsWith("/") ? `${method} ${route}` : route;
  const expected =
    full === null ? null : { route: full, params: entries(params) };
  return {
    name,
    group,
    expected,
    ask: (adapter) => {
      const router = build(adapter, group);
      const match = router.find(method, path);
      checkExplanation(router, method, path, match);
      if (match === null) return null;
      const { handler } = match.route ?? match;
      return {
        route: /** @type {any} */ (handler).route,
        params: entries(match.params),
      };
    },
  };
}

/**
 * The route that a router explains is the one that it finds: two searches,
 * since chapter 9.
 *
 * @param {RouterUnderTest} router
 * @param {string} method
 * @param {string} path
 * @param {Found | null} match
 */
function checkExplanation(router, method, path, match) {
  // It takes no method that no request can have.
  if (router.explain === undefined || !METHODS.includes(method)) return;
  const { route } = router.explain(method, path);
  const found = /** @type {any} */ (match)?.route.describe() ?? null;
  assert.deepEqual(route, found, `explain names another route of ${path}`);
}

/**
 * @param {Group} group
 * @param {NonNullable<Group["allows"]>[number]} row
 * @returns {Case}
 */
function allowCase(group, [path, methods]) {
  const list = methods.length > 0 ? methods.join(", ") : "nothing";
  return {
    name: `${path} allows ${list}`,
    group,
    expected: methods,
    ask: (adapter) => build(adapter, group).allowedMethods?.(path),
  };
}

/**
 * @param {Group} group
 * @param {NonNullable<Group["asks"]>[number]} row
 * @returns {Case}
 */
function askCase(group, [code, question, ...args]) {
  return {
    name: `${question}(${args.map(show).join(", ")}) is refused: ${code}`,
    group,
    expected: code,
    ask: (adapter) => {
      /** @type {any} */
      const router = build(adapter, group);
      return codeOf(() => router[question](...args)) ?? "answered";
    },
  };
}

/**
 * @param {Group} group
 * @param {NonNullable<Group["refuses"]>[number]} row
 * @returns {Case}
 */
function refuseCase(group, [code, method, pattern, handler = () => {}]) {
  return {
    name: `${show(method)} ${show(pattern)} is refused: ${code}`,
    group,
    expected: code,
    ask: (adapter) =>
      addTo(build(adapter, group), method, pattern, handler),
  };
}

/**
 * @param {Group} group
 * @param {NonNullable<Group["accepts"]>[number]} row
 * @returns {Case}
 */
function acceptCase(group, [method, pattern]) {
  return {
    name: `${method} ${pattern} can be added`,
    group,
    expected: "added",
    ask: (adapter) =>
      addTo(build(adapter, group), method, pattern, () => {}),
  };
}

/**
 * @param {RouterUnderTest} router
 * @param {unknown} method
 * @param {unknown} pattern
 * @param {unknown} handler
 */
function addTo(router, method, pattern, handler) {
  return codeOf(() => router.route(method, pattern, handler)) ?? "added";
}

/**
 * @param {() => unknown} fn
 * @returns {string | undefined} what it throws: the code, or the text
 */
function codeOf(fn) {
  try {
    fn();
    return undefined;
  } catch (err) {
    return /** @type {any} */ (err).code ?? `${err}`;
  }
}

/**
 * @param {Adapter} adapter
 * @param {Group} group
 */
export function build({ create }, { routes, options }) {
  const router = create(options);
  for (const route of routes) {
    const [method, pattern] = split(route);
    const handler = Object.assign(() => {}, { route });
    if (method === "ALL" && router.all) router.all(pattern, handler);
    else router.route(method, pattern, handler);
  }
  return router;
}

/**
 * A router whose questions take request targets, asked about canonical
 * paths: each path is written as the target that a client would send.
 *
 * @param {RouterUnderTest} router
 * @returns {RouterUnderTest}
 */
export function askedByTarget(router) {
  return {
    route: (...args) => router.route(...args),
    all: (pattern, handler) => router.all?.(pattern, handler),
    find: (method, path) => router.find(method, targetOf(path)),
    allowedMethods: (path) => router.allowedMethods?.(targetOf(path)) ?? [],
    explain: (method, path) =>
      router.explain?.(method, targetOf(path)) ?? { route: null },
  };
}

/** @param {any} path canonical, or no path at all */
function targetOf(path) {
  if (typeof path !== "string") return path;
  return path.replace(/[^!-~]|[?#\\]/gu, encodeURIComponent);
}

/** @param {string} route */
function split(route) {
  const space = route.indexOf(" ");
  return [route.slice(0, space), route.slice(space + 1)];
}

/** @param {unknown} value */
function show(value) {
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}

/**
 * Own keys only, in whatever order the router has them.
 *
 * @param {Record<string, string>} params
 */
function entries(params) {
  return Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1));
}
