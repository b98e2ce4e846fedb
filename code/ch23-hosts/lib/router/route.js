import { UsageError } from "../errors.js";
import { DEFAULT_BODY_BYTES } from "../request/body.js";
import { ALL } from "./methods.js";
import { mountedPattern, placesOf } from "./pattern.js";

/** @import { Layer } from "../middleware/chain.js" */
/** @import { Request } from "../request/request.js" */
/** @import { Response } from "../response/response.js" */
/** @import { Chain } from "./guards.js" */

/**
 * @template {Record<string, string>} [Params=any]
 * @typedef {(req: Request<Params>, res: Response) => unknown} Handler
 */

/**
 * The names of a pattern's parameters: `"id"` for `/users/:id`.
 *
 * @template {string} Pattern
 * @typedef {Pattern extends `${infer First}/${infer Rest}`
 *   ? NamesIn<First> | NamesIn<Rest>
 *   : Pattern extends `:${infer Name}` | `*${infer Name}`
 *   ? Name extends "" ? "*" : Name
 *   : never} NamesIn
 */

/**
 * The parameters of a pattern. One that is put together by the program may
 * have any.
 *
 * @template {string} Pattern
 * @typedef {string extends Pattern ? Record<string, string>
 *   : { [Name in NamesIn<Pattern>]: string }} ParamsOf
 */

/** What one call asked for: a method, a pattern and their handler. */
export class Route {
  /** @type {Route | null} the next route of the same path */
  next = null;
  /** @type {Chain | null} set when it is first needed */
  chain = null;

  constructor({ method, pattern, handler, addedAt, ...more }) {
    const { names, hasWildcard, segments = [], layers = [] } = more;
    /** @type {string | typeof ALL} */
    this.method = method;
    /** @type {string} */
    this.pattern = pattern;
    /** @type {string[]} the parameters, from left to right */
    this.names = names;
    /** @type {boolean} whether the last of them is the wildcard */
    this.hasWildcard = hasWildcard;
    /** @type {Handler} */
    this.handler = handler;
    /** @type {string} `server.js:12:8` */
    this.addedAt = addedAt;
    /** @type {Layer[]} the middleware that was given with the handler */
    this.layers = layers;
    /** @type {number} how many bytes of body there may be */
    this.bodyBytes = more.bodyBytes ?? DEFAULT_BODY_BYTES;
    /** @type {boolean} whether a body may come packed */
    this.decompress = more.decompress ?? false;
    this.segments = segments;
    this.places = placesOf(segments, names);
  }

  // What it is in a router that this one's router is mounted in.
  below(path) {
    return { ...this, pattern: mountedPattern(path, this.pattern) };
  }

  /** @returns {string} */
  get methodName() {
    return this.method === ALL ? "ALL" : this.method;
  }

  describe() {
    const { methodName, pattern, addedAt } = this;
    return { method: methodName, pattern, addedAt };
  }

  toString() {
    return `${this.methodName} ${this.pattern}`;
  }

  // Adds a route to the end of the chain that starts here.
  append(route) {
    if (route.method === this.method) {
      const sides = [`${route}`, route.addedAt, `${this}`, this.addedAt];
      throw new UsageError("ERR_ROUTE_CONFLICT", ...sides);
    }
    if (this.next === null) this.next = route;
    else this.next.append(route);
  }
}

/**
 * Picks the route that answers a method: the method's own, else GET's if
 * the method is HEAD, else the one for all methods.
 *
 * @returns {Route | null}
 */
export function routeFor(first, method) {
  for (let route = first; route !== null; route = route.next) {
    if (route.method === method) return route;
  }
  if (first === null || method === ALL) return null;
  return routeFor(first, method === "HEAD" ? "GET" : ALL);
}

export function* routesFrom(first) {
  for (let route = first; route !== null; route = route.next) yield route;
}

export function methodNamesFrom(first) {
  return Array.from(routesFrom(first), ({ methodName }) => methodName);
}
