import { callerOf, RouteError, show } from "./errors.js";
import { match } from "./match.js";
import { Node } from "./node.js";
import { namesOf, parsePattern } from "./pattern.js";
import { printTree } from "./print.js";
import { ALL, addRoute, Route, routeFor } from "./route.js";

/** @import { Handler } from "./route.js" */

/**
 * @typedef {object} Match
 * @property {Handler} handler
 * @property {Record<string, string>} params
 */

// What methods are made of (RFC 9110, sections 5.6.2 and 9.1).
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

// The methods that a route for all of them adds to methods().
const USUAL_METHODS = ["DELETE", "GET", "PATCH", "POST", "PUT"];

/** Routes, and the way to find one. */
export class Router {
  #root = new Node("");
  /** In the order in which they were added. @type {Route[]} */
  #routes = [];
  #methods = new Set(["OPTIONS"]);

  /** @param {string} pattern @param {Handler} handler */
  get(pattern, handler) {
    return this.#add("GET", pattern, handler, this.get);
  }

  /** @param {string} pattern @param {Handler} handler */
  head(pattern, handler) {
    return this.#add("HEAD", pattern, handler, this.head);
  }

  /** @param {string} pattern @param {Handler} handler */
  post(pattern, handler) {
    return this.#add("POST", pattern, handler, this.post);
  }

  /** @param {string} pattern @param {Handler} handler */
  put(pattern, handler) {
    return this.#add("PUT", pattern, handler, this.put);
  }

  /** @param {string} pattern @param {Handler} handler */
  patch(pattern, handler) {
    return this.#add("PATCH", pattern, handler, this.patch);
  }

  /** @param {string} pattern @param {Handler} handler */
  delete(pattern, handler) {
    return this.#add("DELETE", pattern, handler, this.delete);
  }

  /** @param {string} pattern @param {Handler} handler */
  options(pattern, handler) {
    return this.#add("OPTIONS", pattern, handler, this.options);
  }

  /**
   * Adds a route for the methods that have none of their own.
   *
   * @param {string} pattern
   * @param {Handler} handler
   */
  all(pattern, handler) {
    return this.#add(ALL, pattern, handler, this.all);
  }

  /**
   * Adds a route for any method, also one that has no name here.
   *
   * @param {string} method
   * @param {string} pattern
   * @param {Handler} handler
   */
  route(method, pattern, handler) {
    return this.#add(method, pattern, handler, this.route);
  }

  /**
   * @param {string} method
   * @param {string} pattern
   * @param {Handler} handler
   * @param {Function} caller the public method
   * @returns {this}
   * @throws {RouteError}
   */
  #add(method, pattern, handler, caller) {
    if (typeof method !== "string" || !TOKEN.test(method)) {
      throw new RouteError("ERR_METHOD_INVALID", show(method));
    }
    const parts = parsePattern(pattern);
    if (typeof handler !== "function") {
      const name = `${method} ${pattern}`;
      throw new RouteError("ERR_HANDLER_INVALID", name, show(handler));
    }
    const at = callerOf(caller);
    const names = namesOf(parts);
    const route = new Route({ method, pattern, names, handler, at });
    addRoute(this.#root.follow(parts).routes, route);
    this.#routes.push(route);
    this.#addMethod(method);
    return this;
  }

  /** @param {string} method */
  #addMethod(method) {
    if (method === ALL) {
      for (const usual of USUAL_METHODS) this.#addMethod(usual);
      return;
    }
    this.#methods.add(method);
    if (method === "GET") this.#methods.add("HEAD");
  }

  /**
   * Finds the handler for a request.
   *
   * @param {string} method
   * @param {string} path
   * @returns {Match | null}
   */
  find(method, path) {
    const found = match(this.#root, path);
    if (found === null) return null;
    const route = routeFor(found.node.routes, method);
    if (route === null) return null;
    const params = route.paramsFrom(found.values);
    return { handler: route.handler, params };
  }

  /**
   * The methods that a path answers, for the Allow field (RFC 9110,
   * section 10.2.1).
   *
   * @param {string} path
   * @returns {string[]} sorted; none if no route has the path
   */
  allowedMethods(path) {
    const allowed = this.methods().filter(
      (method) => this.find(method, path) !== null,
    );
    if (allowed.length === 0 || allowed.includes("OPTIONS")) return allowed;
    return [...allowed, "OPTIONS"].sort();
  }

  /**
   * The methods that this router answers on some path.
   *
   * @returns {string[]} sorted
   */
  methods() {
    return [...this.#methods].sort();
  }

  /** @returns {{ method: string, pattern: string, at: string }[]} */
  routes() {
    return this.#routes.map(({ method, pattern, at }) => {
      return { method, pattern, at };
    });
  }

  /** @returns {string} the tree, as text */
  print() {
    return printTree(this.#root);
  }

  /**
   * Takes a route away.
   *
   * @param {string} method
   * @param {string} pattern as it was added
   * @returns {boolean} whether there was one
   */
  remove(method, pattern) {
    const route = this.#routes.find(
      (one) => one.method === method && one.pattern === pattern,
    );
    if (route === undefined) return false;
    const { routes } = this.#root.follow(parsePattern(pattern));
    routes.splice(routes.indexOf(route), 1);
    this.#root.prune();
    this.#routes.splice(this.#routes.indexOf(route), 1);
    this.#methods = new Set(["OPTIONS"]);
    for (const { method } of this.#routes) this.#addMethod(method);
    return true;
  }

  /** The tree, for whoever draws it. */
  get root() {
    return this.#root;
  }
}
