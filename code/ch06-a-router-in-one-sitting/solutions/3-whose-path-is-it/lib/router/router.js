import { callerOf, show, UsageError } from "../errors.js";
import { judgeMiss, verdictWithoutMatch } from "./judge.js";
import { ALL, checkMethod, methodsOf } from "./methods.js";
import { Route, routeFor, routesFrom } from "./route.js";

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
  /** The first route of each path. @type {Map<string, Route>} */
  #table = new Map();
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
    checkPattern(pattern);
    const route = new Route({
      method,
      pattern,
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
    const first = this.#table.get(pattern);
    if (first === undefined) this.#table.set(pattern, route);
    else first.append(route);
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
    const route = routeFor(this.#table.get(path) ?? null, method);
    return route && { route, params: {} };
  }

  /** The methods that a path answers. @param {string} path */
  allowedMethods(path) {
    return methodsOf([...routesFrom(this.#table.get(path) ?? null)]);
  }

  /** The methods that are answered on some path. */
  methods() {
    return methodsOf(this.#routes);
  }

  routes() {
    return this.#routes.map((route) => route.describe());
  }

  /**
   * Says who answers each path, and where to look for it.
   *
   * @returns {string} a line for each path, sorted
   */
  describe() {
    const lines = [...this.#table.keys()].sort().map((path) => {
      const methods = this.allowedMethods(path).join(", ");
      return `${path} ${methods} ${this.#table.get(path)?.addedAt}`;
    });
    return lines.join("\n");
  }
}

function checkPattern(pattern) {
  if (typeof pattern !== "string" || !pattern.startsWith("/")) {
    refusePattern(pattern, "it must be a string that starts with /");
  }
  if (/[?#]/.test(pattern)) {
    refusePattern(pattern, "no path has a ? or # in it");
  }
}

function refusePattern(pattern, why) {
  throw new UsageError("ERR_PATTERN_INVALID", show(pattern), why);
}
