import { UsageError } from "../errors.js";
import { HANG } from "../middleware/chain.js";
import { segmentValue } from "./path.js";
import {
  mountedPattern,
  parsePattern,
  placesOf,
  refusePattern,
  segmentsOf,
} from "./pattern.js";

/** @import { Layer } from "../middleware/chain.js" */
/** @import { Segment } from "./pattern.js" */
/** @import { Handler, Route } from "./route.js" */

let guardCount = 0;

/** What hangs at a path, and holds for it and all that lies below. */
export class Guard {
  constructor({ kind, pattern, fn, addedAt, ...more }) {
    /** @type {"use" | "onError" | "notFound"} */
    this.kind = kind;
    /** @type {string} */
    this.pattern = pattern;
    /** @type {string} `server.js:12:8` */
    this.addedAt = addedAt;
    /** @type {string[]} the parameters, from left to right */
    this.names = more.names;
    /** @type {Segment[]} */
    this.segments = segmentsOf(more.parts);
    this.places = placesOf(this.segments, this.names);
    /** @type {any} some want to know how much of a path lies above them */
    this.fn = fn[HANG]?.(this.segments.length) ?? fn;
    // What connect() makes usually answers, as a handler does.
    this.isInnermost = HANG in fn;
    /** @type {number} how many mounts it has come through */
    this.mounts = more.mounts ?? 0;
    /** @type {number} */
    this.order = more.order ?? guardCount++;
  }

  toString() {
    return `${this.kind} of ${this.pattern}`;
  }

  // What it is in a router that this one's router is mounted in.
  below(path) {
    const pattern = mountedPattern(path, this.pattern);
    return { ...this, pattern, mounts: this.mounts + 1 };
  }
}

// A path that things hang at: a slash at its end says nothing.
export function parseGuardPath(path) {
  const parts = parsePattern(path);
  const { kind, text } = parts[parts.length - 1];
  if (kind === "wildcard") {
    refusePattern(path, "all that lies below is meant without *");
  }
  if (kind === "parameter" || !text.endsWith("/")) return parts;
  return [...parts.slice(0, -1), { kind, text: text.slice(0, -1) }];
}

// From the outside in.
export function compareGuards(a, b) {
  if (a.isInnermost !== b.isInnermost) return a.isInnermost ? 1 : -1;
  const byDepth = a.segments.length - b.segments.length;
  return byDepth || a.mounts - b.mounts || a.order - b.order;
}

export function isFor(kind) {
  return (guard) => guard.kind === kind;
}

// Whether a guard covers all of a pattern's paths, some of them, or none.
export const ALWAYS = 2;
export const SOMETIMES = 1;
export const NEVER = 0;

/** @param {Segment[]} guarded @param {Segment[]} segments */
export function coverage(guarded, segments) {
  let least = ALWAYS;
  for (const [i, guard] of guarded.entries()) {
    if (segments[i]?.kind === "wildcard") return SOMETIMES;
    least = Math.min(least, coverageOfOne(guard, segments[i]));
    if (least === NEVER) return NEVER;
  }
  return least;
}

function coverageOfOne(guard, segment) {
  if (segment === undefined) return NEVER;
  if (segment.text === "") return NEVER;
  if (guard.kind === "parameter") return ALWAYS;
  if (segment.kind === "parameter") return SOMETIMES;
  return guard.text === segment.text ? ALWAYS : NEVER;
}

/**
 * @typedef {object} Chain what runs for a path
 * @property {Guard[]} guards the middleware of the path
 * @property {Layer[]} layers all middleware, from the outside in
 * @property {{ name: string, index: number }[]} places the segments that
 *   guards have names for
 * @property {Handler | null} notFound who answers if no route does
 * @property {boolean} isFixed whether it is the same for all paths of the
 *   route
 */

/** @param {Guard[]} all from the outside in @returns {Chain} */
export function chainOf(all, layers = [], isFixed = false) {
  const guards = all.filter(isFor("use"));
  return {
    guards,
    layers: [...guards, ...layers],
    places: all.flatMap(({ places }) => places),
    notFound: all.findLast(isFor("notFound"))?.fn ?? null,
    isFixed,
  };
}

/** @param {Guard[]} guards @param {Route} route */
export function chainOfRoute(guards, { segments, layers }) {
  const covers = (guard) => coverage(guard.segments, segments);
  const isFixed = guards.every((guard) => covers(guard) !== SOMETIMES);
  const always = guards.filter((guard) => covers(guard) === ALWAYS);
  return chainOf(always, layers, isFixed);
}

export function readPlaces(params, places, path) {
  if (places.length === 0) return;
  const segments = path.slice(1).split("/");
  for (const { name, index } of places) {
    params[name] = segmentValue(segments[index]);
  }
}

// Refuses a name that a guard and a route, or two guards, give to different
// segments of a path.
export function checkPlaces(guard, other) {
  const isRoute = !(other instanceof Guard);
  const end = isRoute ? guard.segments.length : other.segments.length;
  const shared = guard.segments.slice(0, end);
  if (coverage(shared, other.segments) === NEVER) return;
  for (const { name, index, isRest } of guard.places) {
    const same = other.places.find((place) => place.name === name);
    if (same === undefined) continue;
    if (same.index === index && same.isRest === isRest) continue;
    const sides = [`${guard}`, guard.addedAt, `${other}`, other.addedAt];
    throw new UsageError("ERR_PARAMETER_AMBIGUOUS", name, ...sides);
  }
}
