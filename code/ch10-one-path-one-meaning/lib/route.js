import { RouteError } from "./errors.js";

/** @import { ServerResponse } from "node:http" */
/** @import { Request } from "./request.js" */

/** @typedef {(req: Request, res: ServerResponse) => unknown} Handler */

/** The method of a route that answers every method. */
export const ALL = "ALL";

/** What one call asked for: a method, a pattern and their handler. */
export class Route {
  /**
   * @param {object} fields
   * @param {string} fields.method
   * @param {string} fields.pattern
   * @param {string[]} fields.names the parameters, from left to right
   * @param {boolean} fields.hasWildcard the last of them is the wildcard
   * @param {Handler} fields.handler
   * @param {string} fields.at where it was added: `server.js:12:8`
   */
  constructor({ method, pattern, names, hasWildcard, handler, at }) {
    this.method = method;
    this.pattern = pattern;
    this.names = names;
    this.hasWildcard = hasWildcard;
    this.handler = handler;
    this.at = at;
    /** @type {Route | null} the next route of the same node */
    this.next = null;
  }

  /**
   * Adds a route to the end of the chain that starts here.
   *
   * @param {Route} route
   * @throws {RouteError} ERR_ROUTE_CONFLICT
   */
  append(route) {
    if (route.method === this.method) {
      const sides = [`${route}`, route.at, `${this}`, this.at];
      throw new RouteError("ERR_ROUTE_CONFLICT", ...sides);
    }
    if (this.next === null) this.next = route;
    else this.next.append(route);
  }

  toString() {
    return `${this.method} ${this.pattern}`;
  }
}

/**
 * Picks the route that answers a method: the method's own, else GET's if
 * the method is HEAD, else the one for all methods.
 *
 * @param {Route | null} first the first of a node's routes
 * @param {string} method
 * @returns {Route | null}
 */
export function routeFor(first, method) {
  for (let route = first; route !== null; route = route.next) {
    if (route.method === method) return route;
  }
  if (first === null || method === ALL) return null;
  return routeFor(first, method === "HEAD" ? "GET" : ALL);
}

/**
 * The routes of one node.
 *
 * @param {Route | null} first
 * @returns {Generator<Route>}
 */
export function* chain(first) {
  for (let route = first; route !== null; route = route.next) yield route;
}
