import { judge } from "./judge.js";
import { endsWith, segmentEnd } from "./match.js";
import { parameterLabel, wildcardLabel } from "./print.js";
import { chain, routeFor } from "./route.js";

/** @import { Verdict } from "./judge.js" */
/** @import { Node } from "./node.js" */
/** @import { Route } from "./route.js" */
/** @import { Router } from "./router.js" */

/**
 * @typedef {object} Step
 * @property {"static" | "parameter" | "wildcard" | "end" | "back"} kind
 * @property {number} level how deep in the tree
 * @property {number} index where in the path
 * @property {string} label the text, `:name` or `*name` that is tried
 * @property {boolean} isMatch
 * @property {string} reason for people
 *
 * @typedef {object} Place
 * @property {number} index how much of the path is matched
 * @property {number} depth how many parameters are matched
 * @property {number} level how deep in the tree
 */

/** Why a request goes where it goes. */
export class Explanation {
  /**
   * @param {object} fields
   * @param {string} fields.method
   * @param {string} fields.target
   * @param {Verdict} fields.verdict
   * @param {Route | null} fields.route
   * @param {Step[]} fields.steps
   */
  constructor({ method, target, verdict, route, steps }) {
    this.method = method;
    this.target = target;
    this.statusCode = verdict.statusCode;
    this.path = verdict.path;
    this.params = verdict.match?.params ?? null;
    this.allow = verdict.allow;
    this.reason = verdict.reason;
    this.route = route && {
      method: route.method,
      pattern: route.pattern,
      at: route.at,
    };
    this.steps = steps;
  }

  /** @returns {string} */
  toString() {
    const { method, target, path, steps } = this;
    const lines = [`${method} ${target}`];
    if (path !== "" && path !== target) lines.push(`the path is ${path}`);
    const width = Math.max(...steps.map((step) => labelOf(step).length));
    for (const step of steps) {
      lines.push(`  ${labelOf(step).padEnd(width)}  ${step.reason}`);
    }
    return [...lines, this.#conclusion()].join("\n");
  }

  #conclusion() {
    const { route, params, statusCode, reason, allow } = this;
    if (route !== null) {
      const values = JSON.stringify(params);
      return `=> ${route.method} ${route.pattern} (${route.at}) ${values}`;
    }
    const methods = allow.length > 0 ? `; Allow: ${allow.join(", ")}` : "";
    return `=> ${statusCode}: ${reason}${methods}`;
  }
}

/** @param {Step} step */
function labelOf({ level, label }) {
  return "  ".repeat(level) + label;
}

/**
 * @param {Router} router
 * @param {string} method
 * @param {string} target
 * @returns {Explanation}
 */
export function explain(router, method, target) {
  const verdict = judge(router, method, target);
  /** @type {Step[]} */
  const steps = [];
  let route = null;
  if (verdict.path.startsWith("/")) {
    const search = new Search(verdict.path, method, steps);
    route = search.visit(router.root, { index: 0, depth: 0, level: 0 });
  }
  return new Explanation({ method, target, verdict, route, steps });
}

/** Does what match does, slowly, and writes down each step. */
class Search {
  /**
   * @param {string} path
   * @param {string} method
   * @param {Step[]} steps
   */
  constructor(path, method, steps) {
    this.path = path;
    this.method = method;
    this.steps = steps;
  }

  /**
   * @param {Node} node
   * @param {Place} place
   * @returns {Route | null}
   */
  visit(node, place) {
    const stepsBefore = this.steps.length;
    const isAtEnd = place.index === this.path.length;
    const route = isAtEnd
      ? this.#end(node, place)
      : (this.#static(node, place) ??
        this.#suffixes(node, place) ??
        this.#parameter(node, place));
    if (route !== null) return route;
    const rest = this.#wildcard(node, place);
    if (this.steps.length === stepsBefore) this.#deadEnd(place);
    return rest;
  }

  /** @param {Node} node @param {Place} place */
  #end({ route: first }, place) {
    const route = routeFor(first, this.method);
    const others = [...chain(first)].map(({ method }) => method);
    let reason = "no route ends here";
    if (others.length > 0) reason = `only for ${others.join(", ")}`;
    if (route !== null) reason = `${route}`;
    this.#note("end", place, "(end)", route !== null, reason);
    return route;
  }

  /** @param {Node} node @param {Place} place */
  #static({ children }, place) {
    const rest = this.path.slice(place.index);
    const child = children[rest.charCodeAt(0)];
    if (child === undefined) return null;
    const { prefix } = child;
    const isMatch = rest.startsWith(prefix);
    const reason = isMatch ? "matches" : `is not how "${rest}" begins`;
    this.#note("static", place, prefix, isMatch, reason);
    if (!isMatch) return null;
    return this.#goOn(child, place, prefix.length, place.depth);
  }

  /** @param {Node} node @param {Place} place */
  #suffixes({ suffixes }, place) {
    const { index, depth } = place;
    const end = segmentEnd(this.path, index);
    const segment = this.path.slice(index, end);
    for (const node of suffixes) {
      const { prefix } = node;
      const isMatch = endsWith(this.path, index, end, prefix);
      const value = segment.slice(0, -prefix.length);
      const reason = isMatch ? `is "${value}"` : `not in "${segment}"`;
      const label = parameterLabel(node, depth);
      this.#note("parameter", place, label, isMatch, reason);
      if (!isMatch) continue;
      const route = this.#goOn(node, place, segment.length, depth + 1);
      if (route !== null) return route;
    }
    return null;
  }

  /** @param {Node} node @param {Place} place */
  #parameter(node, place) {
    if (node.parameter === null) return null;
    const { index, depth } = place;
    const label = parameterLabel(node.parameter, depth);
    const value = this.path.slice(index, segmentEnd(this.path, index));
    const isMatch = value !== "";
    const reason = isMatch ? `is "${value}"` : "can't be empty";
    this.#note("parameter", place, label, isMatch, reason);
    if (!isMatch) return null;
    return this.#goOn(node.parameter, place, value.length, depth + 1);
  }

  /** @param {Node} node @param {Place} place */
  #wildcard({ wildcard }, place) {
    if (wildcard === null) return null;
    const route = routeFor(wildcard, this.method);
    const rest = this.path.slice(place.index);
    const reason =
      route !== null ? `is "${rest}": ${route}` : "not for this method";
    const label = wildcardLabel(route ?? wildcard);
    this.#note("wildcard", place, label, route !== null, reason);
    return route;
  }

  /**
   * @param {Node} node
   * @param {Place} place
   * @param {number} length of what was matched
   * @param {number} depth
   */
  #goOn(node, { index, level }, length, depth) {
    const place = { index: index + length, depth, level: level + 1 };
    return this.visit(node, place);
  }

  /** @param {Place} place */
  #deadEnd(place) {
    const rest = this.path.slice(place.index);
    const reason = `nothing here begins like "${rest}"`;
    this.#note("back", place, "(back)", false, reason);
  }

  /**
   * @param {Step["kind"]} kind
   * @param {Place} place
   * @param {string} label
   * @param {boolean} isMatch
   * @param {string} reason
   */
  #note(kind, { level, index }, label, isMatch, reason) {
    this.steps.push({ kind, level, index, label, isMatch, reason });
  }
}
