/**
 * The route sets, and what is asked of them.
 *
 * A set is `{ routes: [[method, pattern]], hits: [[method, path]],
 * misses: [[method, path]] }`.
 */
import { readFileSync } from "node:fs";

/**
 * @typedef {[method: string, path: string]} Lookup
 * @typedef {{ routes: Lookup[], hits: Lookup[], misses: Lookup[] }} RouteSet
 */

/** What stands for each parameter's name when a pattern becomes a path. */
const VALUES = {
  user: "ada", owner: "grace-hopper", project: "compiler", task: "1042",
  comment: "883120", label: "bug", milestone: "7", merge: "311",
  review: "9", release: "v2.11.0", webhook: "58", branch: "main",
  tag: "v2.10.3", commit: "9fceb02d0ae598e95dc970b74767f19372d61af8",
  base: "v2.10.3", head: "main", format: "tarball", ref: "main",
  organization: "analytical-engines", team: "core", thread: "77",
  key: "12", address: "ada@example.org", session: "4f2a", target: "alan",
  snippet: "c0ffee", invoice: "2026-0113", license: "mit", id: "abcd1234",
};

/** @param {string} name */
function readRoutes(name) {
  const text = readFileSync(new URL(`sets/${name}.txt`, import.meta.url), "utf8");
  return text.trim().split("\n").map((line) => /** @type {Lookup} */ (line.split(" ")));
}

/** @param {string} pattern */
function toPath(pattern) {
  return pattern
    .replace(/:(\w+)/g, (_, name) => VALUES[/** @type {keyof VALUES} */ (name)] ?? `${name}1`)
    .replace("*", "docs/guide/start.md");
}

/** @returns {RouteSet} */
function twelve() {
  return {
    routes: readRoutes("twelve"),
    // The six that find-my-way's and other routers' benchmarks ask for.
    hits: [
      ["GET", "/user"],
      ["GET", "/user/comments"],
      ["GET", "/user/lookup/username/john"],
      ["GET", "/event/abcd1234/comments"],
      ["GET", "/very/deeply/nested/route/hello/there"],
      ["GET", "/static/index.html"],
    ],
    misses: [
      ["GET", "/users"],
      ["GET", "/user/lookup/phone/john"],
      ["GET", "/event/abcd1234/comment/7"],
      ["GET", "/very/deeply/nested/route/hello/thera"],
      ["GET", "/favicon.ico"],
    ],
  };
}

/** @returns {RouteSet} */
function api() {
  const routes = readRoutes("api");
  return {
    routes,
    hits: routes.map(([method, pattern]) => [method, toPath(pattern)]),
    misses: routes.map(([method, pattern]) => [method, `${toPath(pattern)}~`])
      .filter(([, path]) => !path.includes("/contents/")) 
      .map(([method, path]) => /** @type {Lookup} */ ([method, `/v0${path}/x/y`])),
  };
}

export const SETS = { twelve, api };
