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
   * @param {Handler} fields.handler
   * @param {string} fields.at where it was added: `server.js:12:8`
   */
  constructor({ method, pattern, names, handler, at }) {
    this.method = method;
    this.pattern = pattern;
    this.names = names;
    this.handler = handler;
    this.at = at;
  }

  toString() {
    return `${this.method} ${this.pattern}`;
  }

  /**
   * @param {string[]} values in the order of the names
   * @returns {Record<string, string>}
   */
  paramsFrom(values) {
    const entries = this.names.map((name, i) => [name, values[i]]);
    return Object.fromEntries(entries);
  }
}

/**
 * Adds a route to those of the same path.
 *
 * @param {Route[]} routes
 * @param {Route} route
 * @throws {RouteError} ERR_ROUTE_CONFLICT
 */
export function addRoute(routes, route) {
  const other = routes.find(({ method }) => method === route.method);
  if (other !== undefined) {
    const sides = [`${route}`, route.at, `${other}`, other.at];
    throw new RouteError("ERR_ROUTE_CONFLICT", ...sides);
  }
  routes.push(route);
}

/**
 * Picks the route that answers a method: the method's own, else GET's if
 * the method is HEAD, else the one for all methods.
 *
 * @param {Route[]} routes of one path
 * @param {string} method
 * @returns {Route | null}
 */
export function routeFor(routes, method) {
  for (const route of routes) {
    if (route.method === method) return route;
  }
  if (routes.length === 0 || method === ALL) return null;
  return routeFor(routes, method === "HEAD" ? "GET" : ALL);
}
