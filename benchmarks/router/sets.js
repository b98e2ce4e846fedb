/**
 * The sets of routes, and what is asked of them.
 */
import { readFileSync } from "node:fs";
import { referenceFind } from "../../code/contracts/router/reference.js";

/**
 * @typedef {[method: string, path: string]} Lookup
 *
 * @typedef {object} RouteSet
 * @property {Lookup[]} routes methods and patterns
 * @property {Lookup[]} hits what some route answers
 * @property {Lookup[]} misses what none does
 */

/**
 * What stands in a path where a pattern has a parameter.
 *
 * @type {Record<string, string>}
 */
const values = {
  address: "ada@example.org",
  base: "v2.10.3",
  branch: "main",
  comment: "883120",
  commit: "9fceb02d0ae598e95dc970b74767f19372d61af8",
  format: "tarball",
  invoice: "2026-0113",
  location: "london",
  organization: "analytical-engines",
  owner: "grace-hopper",
  project: "compiler",
  release: "v2.11.0",
  snippet: "c0ffee",
  task: "1042",
  user: "ada",
};

/** @type {Record<string, () => RouteSet>} */
const builders = { twelve, api, deep, wide, wildcards };

export const setNames = Object.keys(builders);

/**
 * @param {string} name of setNames, or `scale-N` for N routes
 * @returns {RouteSet}
 */
export function buildSet(name) {
  const [, count] = /^scale-(\d+)$/.exec(name) ?? [];
  return count === undefined ? builders[name]() : scale(Number(count));
}

/**
 * The twelve routes that find-my-way's author compares routers with, and the
 * six paths asked for there.
 */
function twelve() {
  return {
    routes: readRoutes("twelve"),
    hits: gets([
      "/user",
      "/user/comments",
      "/user/lookup/username/john",
      "/event/abcd1234/comments",
      "/very/deeply/nested/route/hello/there",
      "/static/index.html",
    ]),
    misses: gets([
      "/users",
      "/user/lookup/phone/john",
      "/event/abcd1234/comment/7",
      "/very/deeply/nested/route/hello/thera",
      "/favicon.ico",
    ]),
  };
}

/** 170 routes in the shape of a public API; each is asked for once. */
function api() {
  return fromRoutes(readRoutes("api"));
}

/** Paths of up to twelve segments, every other one a parameter. */
function deep() {
  const names = ["org", "team", "project", "board", "list", "card"];
  const patterns = names.flatMap((_, i) => {
    const path = names
      .slice(0, i + 1)
      .map((name) => `/${name}s/:${name}`)
      .join("");
    return [path.slice(0, path.lastIndexOf("/:")), path, `${path}/history`];
  });
  return fromRoutes(gets(patterns));
}

/** 500 names beside each other, and a parameter for what is none of them. */
function wide() {
  const words = combine(["red", "green", "blue", "black", "white"], ["fox", "owl", "cat", "bee"]);
  const names = combine(
    words,
    Array.from({ length: 25 }, (_, i) => `${i + 1}`),
  );
  return fromRoutes(gets([...names.map((name) => `/${name}`), "/:other/details"]));
}

/** Wildcards within wildcards, and parameters that have to give way. */
function wildcards() {
  const sites = ["docs", "blog", "shop", "wiki", "media", "static", "legacy", "mirror"];
  const patterns = sites.flatMap((site) => [
    `/${site}/*`,
    `/${site}/:page`,
    `/${site}/:page/comments`,
    `/${site}/archive/*`,
    `/${site}/:page/files/*`,
  ]);
  const { routes, hits, misses } = fromRoutes(gets(patterns));
  const nearest = sites.flatMap((site) => [
    `/${site}/about/comments/7`,
    `/${site}/archives/2026`,
    `/${site}/about/file`,
  ]);
  return { routes, hits: [...hits, ...gets(nearest)], misses };
}

/**
 * Resources of five routes each. However many there are, the same number is
 * asked for, so that all that grows is the router.
 *
 * @param {number} count of routes
 */
function scale(count) {
  const ends = ["", "/:id", "/:id/owner", "/:id/tags/:tag", "/search"];
  const patterns = Array.from({ length: count }, (_, i) => {
    return `/resource${Math.floor(i / ends.length)}${ends[i % ends.length]}`;
  });
  const { routes, hits, misses } = fromRoutes(gets(patterns));
  return { routes, hits: sample(hits, 10), misses: sample(misses, 10) };
}

/**
 * Spread over the whole list, and over the kinds of routes that take turns
 * in it.
 *
 * @param {Lookup[]} lookups
 * @param {number} count
 */
function sample(lookups, count) {
  const step = Math.floor(lookups.length / count);
  return Array.from({ length: count }, (_, i) => {
    const turn = step < 5 ? 0 : i % 5;
    return lookups[i * step + turn];
  });
}

/** @param {Lookup[]} routes */
function fromRoutes(routes) {
  const table = routes.map(([method, pattern]) => ({ method, pattern }));
  const hits = routes.map(([method, pattern]) => lookup(method, toPath(pattern)));
  const nearly = routes.flatMap(([method, pattern]) =>
    [`${toPath(pattern)}z`, `${toPath(pattern)}/zz`].map((path) => lookup(method, path)),
  );
  const isMiss = (/** @type {Lookup} */ [method, path]) => !referenceFind(table, method, path);
  // The obvious router is slow: two hundred misses are enough to draw from.
  const step = Math.ceil(nearly.length / 400);
  const misses = nearly.filter((_, i) => i % step === 0).filter(isMiss);
  return { routes, hits, misses: misses.length > 0 ? misses : gets(["/zz"]) };
}

/** @param {string} pattern */
function toPath(pattern) {
  return pattern
    .replace(/:(\w+)/g, (_, name) => values[name] ?? `${name}7`)
    .replace("*", "guide/start.md");
}

/**
 * @param {string} method
 * @param {string} path
 * @returns {Lookup}
 */
function lookup(method, path) {
  return [method, path];
}

/** @param {string[]} paths */
function gets(paths) {
  return paths.map((path) => lookup("GET", path));
}

/**
 * @param {string[]} before
 * @param {string[]} after
 */
function combine(before, after) {
  return before.flatMap((first) => after.map((second) => `${first}${second}`));
}

/** @param {string} name of a file in sets/ */
function readRoutes(name) {
  const text = readFileSync(new URL(`sets/${name}.txt`, import.meta.url), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => {
      const [method, pattern] = line.split(" ");
      return lookup(method, pattern);
    });
}
