import { callerOf, RouteError, show } from "./errors.js";
import { explain } from "./explain.js";
import { hostName, splitHost } from "./host.js";
import { match, readParams } from "./match.js";
import { Node } from "./node.js";
import { namesOf, parsePattern } from "./pattern.js";
import { printTree } from "./print.js";
import { ALL, Route } from "./route.js";

/** @import { Explanation } from "./explain.js" */
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
  /** The tree of the routes for any host. */
  #root = new Node("");
  /** The trees of the others. @type {Map<string, Node>} by host */
  #hosts = new Map();
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
    const { host, path } = splitHost(pattern);
    const parts = parsePattern(path);
    if (typeof handler !== "function") {
      const name = `${method} ${pattern}`;
      throw new RouteError("ERR_HANDLER_INVALID", name, show(handler));
    }
    const at = callerOf(caller);
    const names = namesOf(parts);
    const hasWildcard = parts.at(-1)?.kind === "wildcard";
    const fields = { method, pattern, names, hasWildcard, handler, at };
    const route = new Route(fields);
    this.#rootOf(host).follow(parts).add(route);
    this.#routes.push(route);
    this.#addMethod(method);
    return this;
  }

  /**
   * Finds or makes the tree of a host.
   *
   * @param {string | null} host null for any
   */
  #rootOf(host) {
    if (host === null) return this.#root;
    const root = this.#hosts.get(host) ?? new Node("");
    this.#hosts.set(host, root);
    return root;
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
   * @param {string} [host] the Host field: its routes go first
   * @returns {Match | null}
   */
  find(method, path, host = "") {
    const own = this.#hosts.get(hostName(host));
    for (const root of [own, this.#root]) {
      const route = root && match(root, path, method, 0, 0);
      if (route) {
        return { handler: route.handler, params: readParams(route, path) };
      }
    }
    return null;
  }

  /**
   * The methods that a path answers, for the Allow field (RFC 9110,
   * section 10.2.1).
   *
   * @param {string} path
   * @param {string} [host]
   * @returns {string[]} sorted; none if no route has the path
   */
  allowedMethods(path, host) {
    const allowed = this.methods().filter(
      (method) => this.find(method, path, host) !== null,
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

  /**
   * Tells why a request goes where it goes.
   *
   * @param {string} method
   * @param {string} target as it stands in the request: `/users/7?page=2`
   * @returns {Explanation} as data; as text by `String(explanation)`
   */
  explain(method, target) {
    return explain(this, method, target);
  }

  /** @returns {string} the tree, as text */
  print() {
    return printTree(this.#root);
  }

  /** The tree, for whoever draws it. */
  get root() {
    return this.#root;
  }
}
