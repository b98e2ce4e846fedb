import { callerOf, RouteError, show } from "./errors.js";
import { explain } from "./explain.js";
import { match, readParams } from "./match.js";
import { Node } from "./node.js";
import { namesOf, parsePattern } from "./pattern.js";
import { printTree } from "./print.js";
import { ALL, Route } from "./route.js";

/** @import { Explanation } from "./explain.js" */
/** @import { Part } from "./pattern.js" */
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

/** @type {Part} what a pattern ends in if the slash doesn't matter */
const END_SLASH = { kind: "static", text: "/" };

/** Routes, and the way to find one. */
export class Router {
  #root = new Node("");
  /** In the order in which they were added. @type {Route[]} */
  #routes = [];
  #methods = new Set(["OPTIONS"]);
  #isCaseSensitive;
  #isSlashSensitive;

  /**
   * @param {object} [options]
   * @param {boolean} [options.caseSensitive] `/A` is not `/a` (default)
   * @param {boolean} [options.trailingSlash] `/a/` is not `/a` (default)
   */
  constructor({ caseSensitive = true, trailingSlash = true } = {}) {
    checkBoolean("caseSensitive", caseSensitive);
    checkBoolean("trailingSlash", trailingSlash);
    this.#isCaseSensitive = caseSensitive;
    this.#isSlashSensitive = trailingSlash;
  }

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
    const hasWildcard = parts.at(-1)?.kind === "wildcard";
    const fields = { method, pattern, names, hasWildcard, handler, at };
    const route = new Route(fields);
    this.#root.follow(this.#foldParts(parts)).add(route);
    this.#routes.push(route);
    this.#addMethod(method);
    return this;
  }

  /** @param {Part[]} parts */
  #foldParts(parts) {
    const folded = this.#isCaseSensitive
      ? parts
      : parts.map(({ kind, text }) => ({ kind, text: foldCase(text) }));
    if (this.#isSlashSensitive) return folded;
    const { kind, text } = folded[folded.length - 1];
    if (kind === "wildcard" || text.endsWith("/")) return folded;
    return [...folded, END_SLASH];
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
   * @param {string} path canonical (see path.js)
   * @returns {Match | null}
   */
  find(method, path) {
    const route = match(this.#root, this.searchText(path), method, 0, 0);
    if (route === null) return null;
    return { handler: route.handler, params: readParams(route, path) };
  }

  /**
   * What is looked for in the tree. It begins like the path, so that a
   * place in the one is a place in the other.
   *
   * @param {string} path canonical
   */
  searchText(path) {
    const text = this.#isCaseSensitive ? path : foldCase(path);
    return this.#isSlashSensitive || text.endsWith("/") ? text : `${text}/`;
  }

  /**
   * The one path that stands for all that this router takes for the same.
   *
   * @param {string} path canonical
   */
  fold(path) {
    const text = this.#isCaseSensitive ? path : foldCase(path);
    const isCut = !this.#isSlashSensitive && text.length > 1;
    return isCut && text.endsWith("/") ? text.slice(0, -1) : text;
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

/**
 * @param {string} name
 * @param {unknown} value
 */
function checkBoolean(name, value) {
  if (typeof value === "boolean") return;
  const details = [name, "a boolean", show(value)];
  throw new RouteError("ERR_OPTION_INVALID", ...details);
}

/**
 * ASCII only, so that a text keeps its length.
 *
 * @param {string} text
 */
function foldCase(text) {
  // %2F is one character, and stays as it is.
  return text.replace(/%2F|[A-Z]+/g, (found) => {
    return found === "%2F" ? found : found.toLowerCase();
  });
}
