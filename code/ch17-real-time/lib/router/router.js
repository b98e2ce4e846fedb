import { callerOf, show, UsageError } from "../errors.js";
import { checkMiddleware, readRouteArguments } from "./arguments.js";
import { Explanation, search } from "./explain.js";
import {
  chainOf,
  chainOfRoute,
  checkPlaces,
  compareGuards,
  Guard,
  isFor,
  parseGuardPath,
  readPlaces,
} from "./guards.js";
import {
  judgeMiss,
  readTarget,
  verdictWith,
  verdictWithoutMatch,
} from "./judge.js";
import { match, matchAll, matchGuards, readParams } from "./match.js";
import { ALL, checkMethod, methodsOf } from "./methods.js";
import { Node } from "./node.js";
import { Normalizer } from "./normalizer.js";
import { checkTarget } from "./path.js";
import { namesOf, parsePattern, segmentsOf } from "./pattern.js";
import { printTree } from "./print.js";
import { Route } from "./route.js";

/** @import { Middleware } from "../middleware/chain.js" */
/** @import { Request } from "../request/request.js" */
/** @import { Response } from "../response/response.js" */
/** @import { RouteArguments } from "./arguments.js" */
/** @import { Verdict } from "./judge.js" */
/** @import { Handler } from "./route.js" */

/**
 * @typedef {(err: unknown, req: Request, res: Response) => unknown}
 *   ErrorHandler
 */

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
  /** From the outside in. @type {Guard[]} */
  #guards = [];
  /** Where this one is mounted. @type {{ router: Router, path: string }[]} */
  #mounts = [];
  #normalizer;

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
    return this.#hook("notFound", handler, this.notFound);
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
    return this.#hook("onError", handler, this.onError);
  }

  #hook(kind, fn, caller) {
    if (typeof fn !== "function") {
      throw new UsageError("ERR_HANDLER_INVALID", kind, show(fn));
    }
    const own = this.#guards.filter(({ mounts }) => mounts === 0);
    if (own.some(isFor(kind))) {
      throw new UsageError("ERR_HANDLER_REPEATED", kind);
    }
    this.#hang({ kind, pattern: "/", fn, addedAt: callerOf(caller) });
    return this;
  }

  /**
   * Adds middleware for a path and all that lies below it, whatever route
   * answers there, and also where none does.
   *
   * @param {[path: string, ...fns: Middleware[]] | Middleware[]} args
   * @throws {UsageError} ERR_MIDDLEWARE_INVALID, ERR_PATTERN_INVALID,
   *   ERR_PARAMETER_AMBIGUOUS
   */
  use(...args) {
    const [path, ...fns] =
      typeof args[0] === "string" ? args : ["/", ...args];
    const name = `use(${show(path)})`;
    if (fns.length === 0) {
      throw new UsageError("ERR_MIDDLEWARE_INVALID", name, "there is none");
    }
    checkMiddleware(name, fns);
    const addedAt = callerOf(this.use);
    for (const fn of fns) {
      this.#hang({ kind: "use", pattern: path, fn, addedAt });
    }
    return this;
  }

  /**
   * Puts all that a router has, and will have, below a path.
   *
   * @param {string} path
   * @param {Router} router
   * @throws {UsageError} ERR_MOUNT_INVALID, and all that the routes and
   *   the middleware would throw if they were added here
   */
  mount(path, router) {
    // Throws if nothing can hang there.
    parseGuardPath(path);
    const why = this.#whyNotMount(router);
    if (why !== "") {
      throw new UsageError("ERR_MOUNT_INVALID", show(path), why);
    }
    router.#mounts.push({ router: this, path });
    for (const guard of router.#guards) this.#hang(guard.below(path));
    for (const route of router.#routes) this.#addRoute(route.below(path));
    return this;
  }

  #whyNotMount(router) {
    if (!(router instanceof Router)) return `${show(router)} is no Router`;
    if (this.#isBelow(router)) return "it would be below itself";
    if (this.#normalizer.isLike(router.#normalizer)) return "";
    return "both must ignore, or not ignore, case and slash at the end";
  }

  #isBelow(router) {
    if (router === this) return true;
    return this.#mounts.some(({ router: above }) => above.#isBelow(router));
  }

  #hang(definition) {
    const parts = parseGuardPath(definition.pattern);
    const names = namesOf(parts);
    const key = this.#normalizer.normalizeParts(parts);
    const guard = new Guard({ ...definition, names, parts: key });
    for (const other of [...this.#guards, ...this.#routes]) {
      checkPlaces(guard, other);
    }
    this.#root.ensure(key).guards.push(guard);
    this.#guards.push(guard);
    this.#guards.sort(compareGuards);
    for (const route of this.#routes) route.chain = null;
    for (const { router, path } of this.#mounts) {
      router.#hang(guard.below(path));
    }
  }

  /** @returns {this} */
  #add(method, [pattern, ...rest], caller) {
    const addedAt = callerOf(caller);
    const name = `${method === ALL ? "ALL" : method} ${pattern}`;
    const given = readRouteArguments(name, rest, addedAt);
    this.#addRoute({ method, pattern, addedAt, ...given });
    return this;
  }

  #addRoute(definition) {
    const parts = parsePattern(definition.pattern);
    const names = namesOf(parts);
    const key = this.#normalizer.normalizeParts(parts);
    const route = new Route({
      ...definition,
      names,
      hasWildcard: parts.some(({ kind }) => kind === "wildcard"),
      segments: segmentsOf(key),
    });
    for (const guard of this.#guards) checkPlaces(guard, route);
    this.#root.ensure(this.#normalizer.patternKey(parts)).add(route);
    this.#routes.push(route);
    for (const { router, path } of this.#mounts) {
      router.#addRoute(route.below(path));
    }
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
    const chain = this.#chainFor(match?.route, normalized);
    const verdict =
      match === null
        ? judgeMiss(method, normalized, this.#methodsOn(normalized))
        : verdictWith(match, normalized);
    readPlaces(verdict.params, chain.places, path);
    verdict.chain = chain;
    return verdict;
  }

  // What runs for a path is looked up in the tree, unless all of its
  // route's paths have the same.
  #chainFor(route, normalized) {
    if (route !== undefined) {
      route.chain ??= chainOfRoute(this.#guards, route);
      if (route.chain.isFixed) return route.chain;
    }
    const guards = this.#guardsOn(normalized);
    return chainOf(guards, route?.layers);
  }

  #guardsOn(normalized) {
    const key = this.#normalizer.searchKey(normalized);
    return matchGuards(this.#root, key).sort(compareGuards);
  }

  /**
   * Who answers for what fails on a path, the nearest first.
   *
   * @param {string} path as the router reads it: `req.path`
   * @returns {ErrorHandler[]}
   */
  errorHandlers(path) {
    const guards = this.#guardsOn(path).filter(isFor("onError"));
    return guards.map(({ fn }) => fn).reverse();
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
