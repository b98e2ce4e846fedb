/**
 * Other people's routers, asked the book's questions.
 */
import findMyWay from "find-my-way";
import { RegExpRouter } from "hono/router/reg-exp-router";
import { TrieRouter } from "hono/router/trie-router";
import { Memoirist } from "memoirist";
import { addRoute, createRouter, findRoute } from "rou3";

/** @import { Adapter, RouterUnderTest } from "./index.js" */

/** @type {Omit<Adapter, "can">[]} */
const ROUTERS = [
  {
    name: "find-my-way",
    create: () => {
      /** @type {any} its types know Node's methods only */
      const router = findMyWay();
      return {
        route: (method, pattern, handler) =>
          method === "ALL"
            ? router.all(pattern, handler)
            : router.on(method, pattern, handler),
        find: (method, path) => router.find(method, path),
      };
    },
  },
  {
    name: "memoirist",
    create: () => {
      const router = new Memoirist();
      return {
        route: (method, pattern, handler) =>
          router.add(method, pattern, handler),
        find: (method, path) => {
          const found = router.find(method, path);
          return found && { handler: found.store, params: found.params };
        },
      };
    },
  },
  {
    name: "rou3",
    create: () => {
      const router = createRouter();
      return {
        route: (method, pattern, handler) =>
          addRoute(
            router,
            method === "ALL" ? "" : method,
            pattern.replace(/\*$/, "**:rest"),
            handler,
          ),
        find: (method, path) => {
          const found = findRoute(router, method, path);
          if (found === undefined) return null;
          const { rest, ...params } = found.params ?? {};
          if (rest !== undefined) params["*"] = rest;
          return { handler: found.data, params };
        },
      };
    },
  },
  { name: "Hono RegExpRouter", create: () => hono(new RegExpRouter()) },
  { name: "Hono TrieRouter", create: () => hono(new TrieRouter()) },
];

/**
 * @param {any} router whose types hide which kind of result it gives
 * @returns {RouterUnderTest}
 */
function hono(router) {
  return {
    route: (method, pattern, handler) =>
      router.add(method, pattern, handler),
    find: (method, path) => {
      const [handlers, values] = router.match(method, path);
      if (handlers.length === 0) return null;
      const [handler, params] = handlers[0];
      const entries = Object.entries(params).map(([name, value]) => [
        name,
        values ? values[value] : value,
      ]);
      return { handler, params: Object.fromEntries(entries) };
    },
  };
}

/** @type {Adapter[]} */
export const OTHERS = ROUTERS.map((router) => ({ ...router, can: [] }));
