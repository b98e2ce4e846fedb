import { callerOf, show, UsageError } from "../errors.js";
import { buildPath } from "./build-path.js";
import { Explanation, search } from "./explain.js";
import { judgeMiss, verdictWithoutMatch } from "./judge.js";
import { match, matchAll, readParams } from "./match.js";
import { ALL, checkMethod, methodsOf } from "./methods.js";
import { Node } from "./node.js";
import { namesOf, parsePattern } from "./pattern.js";
import { printTree } from "./print.js";
import { Route } from "./route.js";

/** @import { Verdict } from "./judge.js" */
/** @import { Handler } from "./route.js" */

/** @typedef {[pattern: string, handler: Handler]} RouteArguments */

/**
 * @typedef {object} Match
 * @property {Route} route
 * @property {Record<string, string>} params
 */

/** Routes, and the way to find one. */
export class Router {
  #root = new Node("");
  /** In the order in which they were added. @type {Route[]} */
  #routes = [];

  /** @param {RouteArguments} args */
  get(...args) {
    return this.#add("GET", args, this.get);
  }

  /** @param {RouteArguments} args */
  head(...args) {
    return this.#add("HEAD", args, this.head);
  }

  /** @param {RouteArguments} args */
  post(...args) {
    return this.#add("POST", args, this.post);
  }

  /** @param {RouteArguments} args */
  put(...args) {
    return this.#add("PUT", args, this.put);
  }

  /** @param {RouteArguments} args */
  patch(...args) {
    return this.#add("PATCH", args, this.patch);
  }

  /** @param {RouteArguments} args */
  delete(...args) {
    return this.#add("DELETE", args, this.delete);
  }

  /** @param {RouteArguments} args */
  options(...args) {
    return this.#add("OPTIONS", args, this.options);
  }

  /**
   * Adds a route for the methods that have none of their own.
   *
   * @param {RouteArguments} args
   */
  all(...args) {
    return this.#add(ALL, args, this.all);
  }

  /**
   * Adds a route for any method that node:http hands on.
   *
   * @param {string} method
   * @param {RouteArguments} args
   */
  route(method, ...args) {
    checkMethod(method);
    return this.#add(method, args, this.route);
  }

  /** @returns {this} */
  #add(method, [pattern, handler, ...extra], caller) {
    const parts = parsePattern(pattern);
    const names = namesOf(parts);
    const hasWildcard = parts.some(({ kind }) => kind === "wildcard");
    const route = new Route({
      method,
      pattern,
      names,
      hasWildcard,
      handler,
      addedAt: callerOf(caller),
    });
    if (typeof handler !== "function") {
      const details = [`${route}`, show(handler)];
      throw new UsageError("ERR_HANDLER_INVALID", ...details);
    }
    if (extra.length > 0) {
      const lost = extra.map(show).join(", ");
      throw new UsageError("ERR_ARGUMENTS_EXTRA", `${route}`, lost);
    }
    this.#root.ensure(parts).add(route);
    this.#routes.push(route);
    return this;
  }

  /**
   * Decides who answers a request, or with which status nobody does.
   *
   * @param {string} method
   * @param {string} target as it stands in the request
   * @returns {Verdict}
   */
  judge(method, target) {
    if (method === "OPTIONS" && target === "*") {
      const why = "asked for the whole server";
      return verdictWithoutMatch(204, "*", why, this.methods());
    }
    if (!target.startsWith("/")) {
      return verdictWithoutMatch(400, "", "the target is not a path");
    }
    const mark = target.indexOf("?");
    const path = mark === -1 ? target : target.slice(0, mark);
    const match = this.find(method, path);
    if (match === null) {
      return judgeMiss(method, path, this.allowedMethods(path));
    }
    return { statusCode: 200, path, match, allow: [], reason: "" };
  }

  /** @param {string} method @param {string} path @returns {?Match} */
  find(method, path) {
    const route = match(this.#root, path, method, 0, 0);
    return route && { route, params: readParams(route, path) };
  }

  /** The methods that a path answers. @param {string} path */
  allowedMethods(path) {
    return methodsOf(matchAll(this.#root, path));
  }

  /** The methods that are answered on some path. */
  methods() {
    return methodsOf(this.#routes);
  }

  routes() {
    return this.#routes.map((route) => route.describe());
  }

  /**
   * Tells why a request goes where it goes: `String(explanation)` is text.
   *
   * @param {string} method
   * @param {string} target as it stands in the request: `/users/7?page=2`
   * @throws {UsageError} ERR_METHOD_INVALID, ERR_TARGET_INVALID
   */
  explain(method, target) {
    checkMethod(method);
    if (typeof target !== "string") {
      throw new UsageError("ERR_TARGET_INVALID", show(target));
    }
    const verdict = this.judge(method, target);
    const found = verdict.path.startsWith("/")
      ? search(this.#root, verdict.path, method)
      : { route: null, steps: [] };
    return new Explanation(method, target, verdict, found);
  }

  /**
   * The path that leads to a route, with each value escaped.
   *
   * @param {string} pattern as it was added
   * @param {Record<string, unknown>} params
   * @throws {UsageError} ERR_PATTERN_UNKNOWN, ERR_VALUE_INVALID
   */
  path(pattern, params) {
    if (!this.#routes.some((route) => route.pattern === pattern)) {
      throw new UsageError("ERR_PATTERN_UNKNOWN", show(pattern));
    }
    return buildPath(parsePattern(pattern), params);
  }

  /** The tree, as text. */
  toString() {
    return printTree(this.#root);
  }

  [Symbol.for("nodejs.util.inspect.custom")]() {
    return `Router\n${this}`;
  }
}
