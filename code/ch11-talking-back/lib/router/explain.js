import { segmentEnd } from "./match.js";
import { parameterLabel, wildcardLabel } from "./print.js";
import { methodNamesFrom, routeFor } from "./route.js";

/** @import { Verdict } from "./judge.js" */
/** @import { Route } from "./route.js" */

/**
 * @typedef {object} Step
 * @property {"static" | "parameter" | "wildcard" | "end" | "back"} kind
 * @property {number} level how deep in the tree
 * @property {string} label the text, `:name` or `*name` that is tried
 * @property {boolean} isMatch
 * @property {string} reason for people
 */

/** Why a request goes where it goes. */
export class Explanation {
  /**
   * @param {Verdict} verdict
   * @param {{ route: Route | null, steps: Step[] }} found
   */
  constructor(method, target, verdict, found) {
    this.method = method;
    this.target = target;
    this.statusCode = verdict.statusCode;
    this.path = verdict.path;
    this.params = verdict.match?.params ?? null;
    this.allow = verdict.allow;
    this.reason = verdict.reason;
    this.route = found.route?.describe() ?? null;
    this.steps = found.steps;
  }

  /** @returns {string} */
  toString() {
    const { method, target, path, steps } = this;
    const lines = [`${method} ${target}`];
    if (path !== "" && path !== target) lines.push(`the path is ${path}`);
    let width = 0;
    for (const step of steps) width = Math.max(width, indent(step).length);
    for (const step of steps) {
      lines.push(`  ${indent(step).padEnd(width)}  ${step.reason}`);
    }
    return [...lines, this.#conclusion()].join("\n");
  }

  #conclusion() {
    const { route, params, statusCode, reason, allow } = this;
    if (route !== null) {
      const { method, pattern, addedAt } = route;
      const values = JSON.stringify(params);
      return `=> ${method} ${pattern} (${addedAt}) ${values}`;
    }
    const methods = allow.length > 0 ? `; Allow: ${allow.join(", ")}` : "";
    return `=> ${statusCode}: ${reason}${methods}`;
  }
}

function indent({ level, label }) {
  return "  ".repeat(level) + label;
}

// Does what match does, slowly, and writes down each step.
export function search(root, path, method) {
  const walk = new Search(path, method);
  const route = walk.visit(root, { index: 0, depth: 0, level: 0 });
  return { route, steps: walk.steps };
}

class Search {
  /** @type {Step[]} */
  steps = [];

  constructor(path, method) {
    this.path = path;
    this.method = method;
  }

  /** @returns {Route | null} */
  visit(node, place) {
    const stepsBefore = this.steps.length;
    const isAtEnd = place.index === this.path.length;
    const route =
      (isAtEnd ? this.#end(node, place) : this.#static(node, place)) ??
      this.#parameter(node, place) ??
      this.#wildcard(node, place);
    if (this.steps.length === stepsBefore) this.#deadEnd(place);
    return route;
  }

  #end({ route: first }, place) {
    const route = routeFor(first, this.method);
    let reason = "no route ends here";
    if (first) reason = `only for ${methodNamesFrom(first).join(", ")}`;
    if (route !== null) reason = `${route}`;
    this.#note("end", place, "(end)", route !== null, reason);
    return route;
  }

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

  #parameter(node, place) {
    if (node.parameter === null) return null;
    const { index, depth } = place;
    const label = parameterLabel(node, depth);
    const value = this.path.slice(index, segmentEnd(this.path, index));
    const isMatch = value !== "";
    const reason = isMatch ? `is "${value}"` : "can't be empty";
    this.#note("parameter", place, label, isMatch, reason);
    if (!isMatch) return null;
    return this.#goOn(node.parameter, place, value.length, depth + 1);
  }

  #wildcard({ wildcard }, place) {
    if (wildcard === null) return null;
    const route = routeFor(wildcard, this.method);
    const rest = this.path.slice(place.index);
    const reason =
      route !== null ? `is "${rest}": ${route}` : "not for this method";
    const label = wildcardLabel(wildcard);
    this.#note("wildcard", place, label, route !== null, reason);
    return route;
  }

  #goOn(node, { index, level }, length, depth) {
    const place = { index: index + length, depth, level: level + 1 };
    return this.visit(node, place);
  }

  #deadEnd(place) {
    const rest = this.path.slice(place.index);
    const reason = `nothing here begins like "${rest}"`;
    this.#note("back", place, "(back)", false, reason);
  }

  #note(kind, { level }, label, isMatch, reason) {
    this.steps.push({ kind, level, label, isMatch, reason });
  }
}
