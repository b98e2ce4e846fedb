/**
 * The slow, obvious model: a list of everything that was added, compared
 * segment by segment with the path of a request. What the tree finds must
 * be what this finds.
 */
import { referenceFind } from "../router/reference.js";

/**
 * @typedef {object} Guarding middleware at a path
 * @property {string} path
 * @property {string} id
 * @property {number} mounts how many routers lie around its own
 * @property {number} line which call added it, of all
 *
 * @typedef {object} Routing
 * @property {string} method
 * @property {string} pattern
 * @property {string} id
 */

/**
 * What a router is told to take for the same.
 *
 * @typedef {object} Sameness
 * @property {boolean} [ignoreCase]
 * @property {boolean} [ignoreTrailingSlash]
 */

/** A router as a list. */
export class ModelRouter {
  /** @type {Guarding[]} */
  guards = [];
  /** @type {Routing[]} */
  routes = [];
  /** @type {{ path: string, router: ModelRouter }[]} */
  mounted = [];

  /** @param {Sameness} [sameness] */
  constructor(sameness = {}) {
    this.sameness = sameness;
  }

  /**
   * All that it has, and all that is mounted in it, with whole paths.
   *
   * @returns {{ guards: Guarding[], routes: Routing[] }}
   */
  flatten() {
    const guards = [...this.guards];
    const routes = [...this.routes];
    for (const { path, router } of this.mounted) {
      const inner = router.flatten();
      for (const guard of inner.guards) {
        const whole = join(path, guard.path);
        guards.push({ ...guard, path: whole, mounts: guard.mounts + 1 });
      }
      for (const route of inner.routes) {
        routes.push({ ...route, pattern: join(path, route.pattern) });
      }
    }
    return { guards, routes };
  }

  /**
   * Whether two routes would be for the same method and the same paths.
   */
  hasConflict() {
    const shapes = this.flatten().routes.map(({ method, pattern }) => {
      const shape = keyOf(pattern, this.sameness);
      return `${method} ${shape.replaceAll(/([:*])[^/]*/g, "$1")}`;
    });
    return new Set(shapes).size < shapes.length;
  }

  /**
   * @param {string} method
   * @param {string} path canonical
   */
  judge(method, path) {
    const { guards, routes } = this.flatten();
    const key = keyOf(path, this.sameness);
    const covering = guards
      .filter((guard) => covers(keyOf(guard.path, this.sameness), key))
      .sort((a, b) => {
        const byDepth = wanted(a.path).length - wanted(b.path).length;
        return byDepth || a.mounts - b.mounts || a.line - b.line;
      });
    const keyed = routes.map((route) => {
      const pattern = keyOf(route.pattern, this.sameness);
      return { ...route, pattern, written: route.pattern };
    });
    const found = referenceFind(keyed, method, key);
    const route = /** @type {(typeof keyed)[number] | undefined} */ (
      found?.route
    );
    const given = withoutSlash(path, this.sameness);
    const params = route ? paramsOf(route.written, given) : {};
    for (const guard of covering) {
      for (const [i, segment] of wanted(guard.path).entries()) {
        if (!segment.startsWith(":")) continue;
        params[segment.slice(1)] = decode(segments(path)[i]);
      }
    }
    return { ids: covering.map(({ id }) => id), route: route?.id, params };
  }
}

/**
 * @param {string} path of a mount
 * @param {string} pattern
 */
function join(path, pattern) {
  if (pattern === "/") return path;
  return path.replace(/\/$/, "") + pattern;
}

/** @param {string} path */
function segments(path) {
  return path.split("/").slice(1);
}

/** @param {string} guardPath for which a slash at the end says nothing */
function wanted(guardPath) {
  return segments(guardPath.replace(/\/$/, ""));
}

/**
 * Whether middleware at one path covers another.
 *
 * @param {string} guardPath
 * @param {string} path canonical
 */
export function covers(guardPath, path) {
  const given = segments(path);
  return wanted(guardPath).every((segment, i) => {
    if (given[i] === undefined) return false;
    return segment.startsWith(":") ? given[i] !== "" : segment === given[i];
  });
}

/**
 * The same text for all paths, or patterns, that are taken for the same. The
 * names of parameters stay.
 *
 * @param {string} path
 * @param {Sameness} sameness
 */
function keyOf(path, { ignoreCase, ignoreTrailingSlash }) {
  const key = ignoreCase
    ? path.replaceAll(/(?<=\/)[^/:*][^/]*/g, lowerCase)
    : path;
  const hasEnd = key.endsWith("/") || /\/\*[^/]*$/.test(key);
  return ignoreTrailingSlash && !hasEnd ? `${key}/` : key;
}

/** @param {string} text of which A to Z alone have a lower case */
function lowerCase(text) {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/**
 * @param {string} path
 * @param {Sameness} sameness
 */
function withoutSlash(path, { ignoreTrailingSlash }) {
  return ignoreTrailingSlash ? path.replace(/(?<=.)\/$/, "") : path;
}

/**
 * A route's parameters, with the letters that the path has.
 *
 * @param {string} pattern that fits
 * @param {string} path canonical
 */
function paramsOf(pattern, path) {
  /** @type {Record<string, string>} */
  const params = {};
  const given = segments(path);
  for (const [i, segment] of segments(pattern).entries()) {
    const name = segment.slice(1) || "*";
    if (segment.startsWith(":")) params[name] = decode(given[i]);
    if (segment.startsWith("*")) params[name] = given.slice(i).join("/");
  }
  return params;
}

/** @param {string} segment */
function decode(segment) {
  return segment.replaceAll("%2F", "/").replaceAll("%25", "%");
}
