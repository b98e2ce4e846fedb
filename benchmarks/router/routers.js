/**
 * The routers, each behind the same face: `add(routes)` gives a function
 * that finds `{ handler, params }`, the parameters ready to read in an
 * object of their own, or `null`. velocy's gives the route, which has the
 * handler.
 */
import { existsSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { milestonesFolder, root } from "../lib/paths.js";

/**
 * @typedef {[method: string, pattern: string, handler: () => void][]} Routes
 * @typedef {(method: string, path: string) =>
 *   { handler?: unknown, route?: { handler: unknown },
 *     params: Record<string, string> } | null} Find
 *
 * @typedef {object} Contender
 * @property {string} id
 * @property {string} title
 * @property {string} version
 * @property {true} [isAside] a second way to ask a velocy, in no ratio
 * @property {(routes: Routes) => Find | Promise<Find>} add
 */

const require = createRequire(import.meta.url);

/** @type {Contender[]} */
const others = [
  {
    id: "memoirist",
    title: "memoirist",
    version: versionOf("memoirist"),
    add: async (routes) => {
      const { Memoirist } = await import("memoirist");
      const router = new Memoirist();
      for (const [method, pattern, handler] of routes) router.add(method, pattern, handler);
      return (method, path) => {
        const found = router.find(method, path);
        if (found === null) return null;
        return { handler: found.store, params: found.params };
      };
    },
  },
  {
    id: "find-my-way",
    title: "find-my-way",
    version: versionOf("find-my-way"),
    add: async (routes) => {
      const { default: findMyWay } = await import("find-my-way");
      /** @type {any} its types know Node's methods only */
      const router = findMyWay();
      for (const [method, pattern, handler] of routes) router.on(method, pattern, handler);
      return (method, path) => router.find(method, path);
    },
  },
  {
    id: "rou3",
    title: "rou3",
    version: versionOf("rou3"),
    add: async (routes) => {
      const { addRoute, createRouter, findRoute } = await import("rou3");
      const router = createRouter();
      for (const [method, pattern, handler] of routes) {
        addRoute(router, method, pattern.replace(/\*$/, "**:rest"), handler);
      }
      return (method, path) => {
        const found = findRoute(router, method, path);
        if (found === undefined) return null;
        return { handler: found.data, params: found.params ?? {} };
      };
    },
  },
  {
    id: "hono-regexp",
    title: "Hono RegExpRouter",
    version: versionOf("hono"),
    add: async (routes) => {
      const { RegExpRouter } = await import("hono/router/reg-exp-router");
      /** @type {any} its types hide which kind of result this is */
      const router = new RegExpRouter();
      for (const [method, pattern, handler] of routes) router.add(method, pattern, handler);
      return (method, path) => {
        const [handlers, values] = router.match(method, path);
        if (handlers.length === 0) return null;
        const [handler, indexes] = handlers[0];
        /** @type {Record<string, string>} */
        const params = {};
        if (values) for (const name in indexes) params[name] = values[indexes[name]];
        return { handler, params };
      };
    },
  },
  {
    id: "hono-trie",
    title: "Hono TrieRouter",
    version: versionOf("hono"),
    add: async (routes) => {
      const { TrieRouter } = await import("hono/router/trie-router");
      const router = new TrieRouter();
      for (const [method, pattern, handler] of routes) router.add(method, pattern, handler);
      return (method, path) => {
        const [handlers] = router.match(method, path);
        if (handlers.length === 0) return null;
        return { handler: handlers[0][0], params: handlers[0][1] };
      };
    },
  },
];

/**
 * The routers of chapters 6 to 10, where the router is built, that of the
 * newest milestone, and that of the folder that VELOCY names. Chapter 10's
 * and the last of them are asked with targets, too.
 *
 * @returns {Contender[]}
 */
function milestones() {
  const names = readdirSync(milestonesFolder)
    .filter((name) => name >= "ch06" && /^ch\d\d-/.test(name))
    .filter((name) => existsSync(path.join(milestonesFolder, name, "lib/router")))
    .sort();
  const shown = names.filter((name) => name < "ch11" || name === names[names.length - 1]);
  const folders = shown.map((name) => path.join(milestonesFolder, name));
  if (process.env.VELOCY) folders.push(path.resolve(process.env.VELOCY));
  const done = folders.filter((folder) => path.basename(folder).startsWith("ch10-"));
  const byTarget = new Set([...done, ...folders.slice(-1)]);
  return [...folders.map(askedByPath), ...[...byTarget].map(askedByTarget)];
}

/**
 * By a path that was read before, where there is a method for that: the
 * others' routers don't look for a host or a dot segment either.
 *
 * @param {string} folder
 * @returns {Contender}
 */
function askedByPath(folder) {
  const { version } = require(path.join(folder, "package.json"));
  return {
    id: `velocy-${version}`,
    title: `velocy ${version}`,
    version,
    add: async (routes) => {
      const router = await routerWith(folder, routes);
      if (router.match === undefined) return (method, path) => router.find(method, path);
      return (method, path) => router.match(method, path);
    },
  };
}

/**
 * By a target, which is read first.
 *
 * @param {string} folder
 * @returns {Contender}
 */
function askedByTarget(folder) {
  const { version } = require(path.join(folder, "package.json"));
  return {
    id: `velocy-${version}-from-a-target`,
    title: `velocy ${version}, from a target`,
    version,
    isAside: true,
    add: async (routes) => {
      const router = await routerWith(folder, routes);
      return (method, target) => router.find(method, target);
    },
  };
}

/**
 * @param {string} folder a milestone
 * @param {Routes} routes
 */
async function routerWith(folder, routes) {
  const { Router } = await import(pathToFileURL(path.join(folder, "index.js")).href);
  const router = new Router();
  for (const [method, pattern, handler] of routes) router.route(method, pattern, handler);
  return router;
}

/** @param {string} name of a package */
function versionOf(name) {
  return require(path.join(root, "node_modules", name, "package.json")).version;
}

export const contenders = [...milestones(), ...others];
