/**
 * What a lab knows: a milestone's own router with the reader's routes in it,
 * its tree, and the way of a request through that. Nothing here touches a page.
 */

import { treeLab } from "../labs.js";
import { readableName } from "../link.js";

/**
 * The milestone's modules, as far as a lab reads them.
 *
 * @typedef {object} Milestone
 * @property {{ Router: new () => any }} router
 * @property {{ branchesOf: (node: any, depth: number) => Branch[],
 *   parameterLabel: (node: any, depth: number) => string }} print
 * @property {{ segmentEnd: (path: string, index: number) => number }} match
 * @property {{ judge: (router: any, method: string, target: string) => any }} judge
 *   asked where the router can't judge by itself
 * @property {{ routeFor: (routes: any, method: string) => any }} route
 *
 * @typedef {{ method: string, pattern: string }} Entry a route as it was added
 * @typedef {{ label: string, branches: Branch[], routes?: any[], route?: any }} Branch
 *
 * @typedef {object} TreeNode
 * @property {string} label
 * @property {string} key what stands above it and its own text: stays the same
 *   when nodes around it are split
 * @property {string[]} methods of the routes that end here
 * @property {TreeNode[]} children
 *
 * @typedef {object} Step
 * @property {string} kind "static", "parameter", "wildcard", "end" or "back"
 * @property {number} level
 * @property {string} label
 * @property {boolean} isMatch
 * @property {string} reason
 *
 * @typedef {object} Answer
 * @property {Step[]} steps
 * @property {number} statusCode
 * @property {Entry | null} route
 * @property {Record<string, string> | null} params
 * @property {string[]} allow
 */

/** Routes in the order in which they were added, and the router of them. */
export class Model {
  /** @type {Entry[]} */
  entries = [];
  #milestone;
  #router;
  /** @type {Map<Function, Entry>} */
  #byHandler = new Map();

  /** @param {Milestone} milestone */
  constructor(milestone) {
    this.#milestone = milestone;
    this.#router = new milestone.router.Router();
  }

  /**
   * @param {Entry} entry
   * @throws {Error} the milestone's RouteError, with lines of the list as the
   *   places where routes were added
   */
  add(entry) {
    const handler = () => {};
    addedAt(this.entries.length + 1, () => {
      if (entry.method === "ALL") this.#router.all(entry.pattern, handler);
      else this.#router.route(entry.method, entry.pattern, handler);
    });
    this.#byHandler.set(handler, entry);
    this.entries.push(entry);
  }

  /**
   * Makes a new router of the others: in chapters 8 and 9 a router can't lose
   * a route.
   *
   * @param {Entry} entry
   */
  remove(entry) {
    const others = this.entries.filter((each) => each !== entry);
    this.entries = [];
    this.#byHandler.clear();
    this.#router = new this.#milestone.router.Router();
    for (const other of others) this.add(other);
  }

  get #root() {
    return this.#router[readableName(treeLab.reads.router.root)];
  }

  /** @returns {TreeNode[]} */
  tree() {
    return this.#milestone.print.branchesOf(this.#root, 0).map((each) => treeNode(each, ""));
  }

  /**
   * @param {string} method
   * @param {string} target
   * @returns {Answer}
   */
  ask(method, target) {
    // From chapter 9 on a router can say it itself.
    if (this.#router.explain !== undefined) return this.#router.explain(method, target);
    const { statusCode, path, match, allow } = this.#judge(method, target);
    return {
      steps: path.startsWith("/") ? this.#walk(method, path) : [],
      statusCode,
      route: match && (this.#byHandler.get(match.handler ?? match.route.handler) ?? null),
      params: match?.params ?? null,
      allow,
    };
  }

  /**
   * @param {string} method
   * @param {string} target
   */
  #judge(method, target) {
    if (this.#router.judge !== undefined) return this.#router.judge(method, target);
    return this.#milestone.judge.judge(this.#router, method, target);
  }

  /**
   * What `match` of chapter 8 does, with a word for each step.
   *
   * @param {string} method
   * @param {string} path
   * @returns {Step[]}
   */
  #walk(method, path) {
    const { match, print, route } = this.#milestone;
    /** @type {Step[]} */
    const steps = [];
    let node = this.#root;
    let index = 0;
    let depth = 0;
    let level = 0;
    const note = (/** @type {Omit<Step, "level">} */ step) => steps.push({ ...step, level });
    while (index < path.length) {
      const rest = path.slice(index);
      const child = node.children[rest.charCodeAt(0)];
      if (child !== undefined) {
        const label = child.prefix;
        const isMatch = rest.startsWith(label);
        const reason = isMatch ? "matches" : `is not how "${rest}" begins`;
        note({ kind: "static", label, isMatch, reason });
        if (isMatch) {
          node = child;
          index += label.length;
          level += 1;
          continue;
        }
      }
      const value = path.slice(index, match.segmentEnd(path, index));
      if (node.parameter !== null) {
        const isMatch = value !== "";
        const reason = isMatch ? `is "${value}"` : "can't be empty";
        note({ kind: "parameter", label: print.parameterLabel(node, depth), isMatch, reason });
      }
      if (node.parameter === null || value === "") {
        const reason = `nothing here begins like "${rest}"`;
        if (child === undefined && node.parameter === null) {
          note({ kind: "back", label: "(stop)", isMatch: false, reason });
        }
        return steps;
      }
      node = node.parameter;
      index += value.length;
      depth += 1;
      level += 1;
    }
    const found = route.routeFor(node.routes ?? node.route, method);
    const methods = methodsOf(node);
    const others = methods.length > 0 ? `only for ${methods.join(", ")}` : "no route ends here";
    const reason = found ? `${found}` : others;
    note({ kind: "end", label: "(end)", isMatch: found !== null, reason });
    return steps;
  }
}

/**
 * Has a router believe that its caller stands in a line of the lab's list. It
 * takes the place from a stack trace, and in that would stand this file.
 *
 * @param {number} line
 * @param {() => void} add
 */
function addedAt(line, add) {
  const { captureStackTrace } = Error;
  Error.captureStackTrace = (/** @type {{ stack?: string }} */ trace) => {
    trace.stack = `Error\n    at line://${line}:${line}:1`;
  };
  try {
    add();
  } catch (err) {
    const error = /** @type {Error} */ (err);
    error.message = error.message.replaceAll(/line:\/+(\d+):\d+:\d+/g, "line $1");
    throw error;
  } finally {
    Error.captureStackTrace = captureStackTrace;
  }
}

/**
 * @param {Branch} branch
 * @param {string} above
 * @returns {TreeNode}
 */
function treeNode({ label, branches, routes, route }, above) {
  // A parameter's names change with the routes below it, its place doesn't.
  const text = isParameter(label, above) ? ":" : label;
  const key = above + text;
  const methods = methodsOf({ routes, route });
  return { label, key, methods, children: branches.map((each) => treeNode(each, key)) };
}

/**
 * @param {string} label
 * @param {string} above
 */
function isParameter(label, above) {
  return label.startsWith(":") && above.endsWith("/");
}

/**
 * The methods of the routes that end at one node.
 *
 * @param {{ routes?: any[], route?: any }} node
 * @returns {string[]}
 */
function methodsOf({ routes, route }) {
  return (routes ?? chainOf(route)).map(({ methodName, method }) => methodName ?? method);
}

/**
 * The routes of one node, which may be linked to one another.
 *
 * @param {any} first
 * @returns {any[]}
 */
function chainOf(first) {
  return first ? [first, ...chainOf(first.next)] : [];
}

/**
 * @param {TreeNode[]} nodes
 * @returns {Map<string, string>} all nodes' labels by their keys
 */
export function labelsByKey(nodes) {
  return new Map(
    nodes.flatMap(({ key, label, children }) => [[key, label], ...labelsByKey(children)]),
  );
}

/**
 * Says what became of a tree.
 *
 * @param {Map<string, string>} before
 * @param {Map<string, string>} after
 * @returns {string}
 */
export function describeChange(before, after) {
  const [split] = changedLabels(before, after, (was, is) => is.length < was.length);
  if (split) {
    const upper = split.was.slice(0, split.was.length - split.is.length);
    return `The node “${split.was}” is split into “${upper}” and, below it, “${split.is}”.`;
  }
  const [pressed] = changedLabels(before, after, (was, is) => is.length > was.length);
  if (pressed) return `Two nodes are one again: “${pressed.is}”.`;
  const fresh = [...after].filter(([key]) => !before.has(key)).map(([, label]) => label);
  const gone = [...before].filter(([key]) => !after.has(key)).map(([, label]) => label);
  if (fresh.length > 0) return `New: ${list(fresh)}.`;
  if (gone.length > 0) return `Gone: ${list(gone)}.`;
  return "The tree has the same nodes as before.";
}

/**
 * @param {Map<string, string>} before
 * @param {Map<string, string>} after
 * @param {(was: string, is: string) => boolean} isMeant
 */
function changedLabels(before, after, isMeant) {
  return [...before]
    .map(([key, was]) => ({ key, was, is: after.get(key) ?? was }))
    .filter(({ key, was, is }) => !key.endsWith(":") && isMeant(was, is));
}

/** @param {string[]} labels */
function list(labels) {
  const all = labels.map((label) => `the node “${label}”`);
  return all.length < 2 ? all.join("") : `${all.slice(0, -1).join(", ")} and ${all.at(-1)}`;
}

/**
 * Where a request is after some of its steps.
 *
 * @param {TreeNode[]} tree
 * @param {Step[]} steps those that were taken
 * @returns {Map<string, "here" | "left" | "refused">} by the nodes' keys
 */
export function placesAfter(tree, steps) {
  /** @type {Map<string, "here" | "left" | "refused">} */
  const places = new Map();
  /** @type {TreeNode[]} the nodes that lead to where it is */
  let way = [];
  for (const { kind, level, label, isMatch } of steps) {
    for (const node of way.slice(level)) places.set(node.key, "left");
    way = way.slice(0, level);
    const nodes = way.length === 0 ? tree : way[way.length - 1].children;
    const node = nodes.find((each) => isMeant(each.label, kind, label));
    if (!node) continue;
    places.set(node.key, isMatch ? "here" : "refused");
    if (isMatch) way.push(node);
  }
  return places;
}

/**
 * @param {string} own a node's label
 * @param {string} kind of the step
 * @param {string} label of the step
 */
function isMeant(own, kind, label) {
  // Each route may have a name of its own for these.
  if (kind === "parameter") return own.startsWith(":");
  if (kind === "wildcard") return own.startsWith("*");
  return kind === "static" && own === label;
}
