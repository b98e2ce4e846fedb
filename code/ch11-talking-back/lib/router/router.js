import { callerOf, show, UsageError } from "../errors.js";
import { Explanation, search } from "./explain.js";
import { judgeMiss, readTarget, verdictWithoutMatch } from "./judge.js";
import { match, matchAll, readParams } from "./match.js";
import { ALL, checkMethod, methodsOf } from "./methods.js";
import { Node } from "./node.js";
import { Normalizer } from "./normalizer.js";
import { checkTarget } from "./path.js";
import { namesOf, parsePattern } from "./pattern.js";
import { printTree } from "./print.js";
import { Route } from "./route.js";

/** @import { Verdict } from "./judge.js" */
/** @import { Handler } from "./route.js" */
/** @import { Request } from "../request/request.js" */
/** @import { Response } from "../response/response.js" */

/**
 * @typedef {(err: unknown, req: Request, res: Response) => unknown}
 *   ErrorHandler
 */

/** @typedef {[pattern: string, handler: Handler]} RouteArguments */

/**
 * @typedef {object} Match
 * @property {Route} route
 * @property {Record<string, string>} params decoded
 */

/**
 * @typedef {object} RouterOptions
 * @property {boolean} [ignoreCase] `/A` is `/a`
 * @property {boolean} [ignoreTrailingSlash] `/a/` is `/a`
 */

/** Routes, and the way to find one. */
export class Router {
  #root = new Node("");
  /** In the order in which they were added. @type {Route[]} */
  #routes = [];
  #normalizer;
  /** @type {Handler | null} */
  #notFound = null;
  /** @type {ErrorHandler | null} */
  #onError = null;

  /**
   * @param {RouterOptions} [options]
   * @throws {UsageError} ERR_OPTIONS_INVALID, ERR_OPTION_UNKNOWN,
   *   ERR_OPTION_INVALID
   */
  constructor(options = {}) {
    this.#normalizer = new Normalizer(options);
  }

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

  /**
   * Sets who answers for paths without a route. The status is 404 already.
   *
   * @param {Handler} handler
   * @throws {UsageError} ERR_HANDLER_INVALID, ERR_HANDLER_REPEATED
   */
  notFound(handler) {
    checkHook("notFound", this.#notFound, handler);
    this.#notFound = handler;
    return this;
  }

  /**
   * Sets who answers for what a handler threw, as long as nothing is sent.
   * The status is the error's already, or 500. Whoever returns nothing and
   * doesn't answer leaves it to velocy.
   *
   * @param {ErrorHandler} handler
   * @throws {UsageError} ERR_HANDLER_INVALID, ERR_HANDLER_REPEATED
   */
  onError(handler) {
    checkHook("onError", this.#onError, handler);
    this.#onError = handler;
    return this;
  }

  get notFoundHandler() {
    return this.#notFound;
  }

  get errorHandler() {
    return this.#onError;
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
    this.#root.ensure(this.#normalizer.patternKey(parts)).add(route);
    this.#routes.push(route);
    return this;
  }

  /**
   * Decides who answers a request, or with which status nobody does.
   *
   * @param {string} method
   * @param {string} target as it stands in the request
   * @param {string} [host] the Host field
   * @returns {Verdict}
   */
  judge(method, target, host) {
    const { path, reason } = readTarget(method, target, host);
    if (path === "") return verdictWithoutMatch(400, "", reason);
    if (path === "*") {
      const why = "asked for the whole server";
      return verdictWithoutMatch(204, "*", why, this.methods());
    }
    const normalized = this.#normalizer.normalize(path);
    const match = this.#match(method, path, normalized);
    if (match === null) {
      return judgeMiss(method, normalized, this.#methodsOn(normalized));
    }
    return { statusCode: 200, path: normalized, match, allow: [], reason };
  }

  /**
   * @param {string} method
   * @param {string} target as it stands in the request
   * @returns {?Match}
   * @throws {UsageError} ERR_METHOD_INVALID, ERR_TARGET_INVALID
   */
  find(method, target) {
    checkTarget(target);
    const { match } = this.judge(method, target);
    // A route's own method was checked when the route was added.
    if (match?.route.method !== method) checkMethod(method);
    return match;
  }

  /**
   * Finds the route for a path that has been read already.
   *
   * @param {string} method
   * @param {string} path canonical
   * @returns {?Match}
   */
  match(method, path) {
    return this.#match(method, path, this.#normalizer.normalize(path));
  }

  #match(method, path, normalized) {
    const key = this.#normalizer.searchKey(normalized);
    const route = match(this.#root, key, method, 0, 0);
    if (route === null) return null;
    const text = this.#normalizer.withoutSlash(path);
    return { route, params: readParams(route, text) };
  }

  /**
   * The methods that a path answers.
   *
   * @param {string} target
   * @throws {UsageError} ERR_TARGET_INVALID
   */
  allowedMethods(target) {
    checkTarget(target);
    const { path } = readTarget("GET", target);
    if (path === "") return [];
    return this.#methodsOn(this.#normalizer.normalize(path));
  }

  #methodsOn(normalized) {
    const key = this.#normalizer.searchKey(normalized);
    return methodsOf(matchAll(this.#root, key));
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
   * @param {string} [host] the Host field
   * @throws {UsageError} ERR_METHOD_INVALID, ERR_TARGET_INVALID
   */
  explain(method, target, host) {
    checkMethod(method);
    checkTarget(target);
    const verdict = this.judge(method, target, host);
    const key = this.#normalizer.searchKey(verdict.path);
    const found = verdict.path.startsWith("/")
      ? search(this.#root, key, method)
      : { route: null, steps: [] };
    return new Explanation(method, target, verdict, found);
  }

  /** The tree, as text. */
  toString() {
    return printTree(this.#root);
  }

  [Symbol.for("nodejs.util.inspect.custom")]() {
    return `Router\n${this}`;
  }
}

function checkHook(name, known, handler) {
  if (typeof handler !== "function") {
    throw new UsageError("ERR_HANDLER_INVALID", name, show(handler));
  }
  if (known !== null) throw new UsageError("ERR_HANDLER_REPEATED", name);
}
