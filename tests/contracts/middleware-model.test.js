/**
 * Which middleware runs for a path, against the slow obvious list, on random
 * routers, mounts, routes and requests. Some thousands of requests are asked;
 * `REQUESTS=1000000` asks so many.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ModelRouter } from "../../code/contracts/middleware/model.js";
import { newestVelocy } from "./newest-velocy.js";

const found = await newestVelocy();
const { Router } = found?.velocy ?? {};
const skip = typeof Router?.prototype.use !== "function" && "no milestone has middleware yet";

const REQUESTS = Number(process.env.REQUESTS ?? 50_000);
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000);

const METHODS = ["GET", "POST", "HEAD", "ALL"];
const ASKED = ["GET", "POST", "HEAD", "PUT", "OPTIONS"];
const SEGMENTS = ["a", "ab", "abc", "b", "é", "%2F", "a.b", "__proto__", "A", "aB", "É"];

test(`runs the middleware that the list says, seed ${SEED}`, { skip }, () => {
  const random = randomFrom(SEED);
  let requests = 0;
  let covered = 0;
  while (requests < REQUESTS) {
    const { model, router, fns } = randomRouter(random);
    for (let i = 0; i < 40; i += 1) {
      const path = randomPath(random);
      const method = random.of(ASKED);
      const expected = model.judge(method, path);
      const { match, params, chain } = router.judge(method, targetOf(path, random));
      const ids = chain.layers.map((/** @type {{ fn: Function }} */ { fn }) => fns.get(fn));
      const actual = { ids, route: fns.get(match?.route.handler), params: sorted(params) };
      const wanted = { ...expected, params: sorted(expected.params) };
      // The message draws the tree, and deepEqual is slow.
      if (JSON.stringify(actual) !== JSON.stringify(wanted)) {
        assert.deepEqual(actual, wanted, `${method} ${path} on\n${router}`);
      }
      requests += 1;
      covered += Math.min(ids.length, 1);
    }
  }
  assert.ok(covered > requests / 10, `only ${covered} of ${requests} had middleware`);
});

/** @param {Record<string, string>} params */
function sorted(params) {
  return Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** @typedef {ReturnType<typeof randomFrom>} Random */

/**
 * Three routers, with routes, middleware and mounts in any order, which may
 * ignore case, or a slash at the end, or both. A route or a mount that would
 * conflict is left out.
 *
 * @param {Random} random
 */
function randomRouter(random) {
  const options = {
    ignoreCase: random.below(3) === 0,
    ignoreTrailingSlash: random.below(3) === 0,
  };
  const pairs = Array.from({ length: 3 }, () => {
    return { model: new ModelRouter(options), router: new Router(options) };
  });
  /** @type {Map<Function, string>} */
  const fns = new Map();
  const name = counter();
  const calls = random.below(14) + 2;
  for (let line = 0; line < calls; line += 1) {
    const index = random.below(pairs.length);
    const { model, router } = pairs[index];
    // What has been asked before must not be remembered wrongly.
    for (const pair of pairs) pair.router.judge("GET", randomPath(random));
    const fn = () => {};
    const id = `${line}`;
    fns.set(fn, id);
    const kind = random.below(8);
    if (kind < 3) {
      const path = randomPattern(random, name, ["", "", "/"]);
      model.guards.push({ path, id, mounts: 0, line });
      router.use(path, fn);
    } else if (kind < 7) {
      const pattern = randomPattern(random, name, ["", "", "/", "/*"]).replace("*", `*${name()}`);
      const method = random.of(METHODS);
      const route = { method, pattern, id };
      model.routes.push(route);
      if (pairs.some((pair) => pair.model.hasConflict())) model.routes.pop();
      else if (method === "ALL") router.all(pattern, fn);
      else router.route(method, pattern, fn);
    } else if (index < pairs.length - 1) {
      const inner = pairs[index + 1 + random.below(pairs.length - index - 1)];
      const path = randomPattern(random, name, ["", "/"]);
      // Mounted twice, its names could mean two segments of a path.
      if (pairs.some((pair) => pair.model.mounted.some((one) => one.router === inner.model)))
        continue;
      model.mounted.push({ path, router: inner.model });
      if (pairs.some((pair) => pair.model.hasConflict())) model.mounted.pop();
      else router.mount(path, inner.router);
    }
  }
  return { ...pairs[0], fns };
}

/**
 * @param {Random} random
 * @param {() => string} name
 * @param {string[]} ends
 */
function randomPattern(random, name, ends) {
  const segments = Array.from({ length: random.below(3) }, () => {
    return random.below(3) === 0 ? `/:${name()}` : `/${random.of(SEGMENTS)}`;
  });
  return segments.join("") + random.of(ends) || "/";
}

/** @param {Random} random */
function randomPath(random) {
  const segments = Array.from({ length: random.below(4) }, () => `/${random.of(SEGMENTS)}`);
  return segments.join("") + random.of(["", "", "/"]) || "/";
}

/**
 * A target that means the path, in one of its spellings.
 *
 * @param {string} path
 * @param {Random} random
 */
function targetOf(path, random) {
  const target = path.replaceAll(/%2F|[^/]/gu, (character) => {
    if (character === "%2F") return random.of(["%2F", "%2f"]);
    if (/[^!-~]/.test(character)) return encodeURIComponent(character);
    if (random.below(6) > 0) return character;
    return `%${character.charCodeAt(0).toString(16)}`;
  });
  return target + random.of(["", "", "?x=/a/b"]);
}

/** Names that are never the same. */
function counter() {
  let count = 0;
  return () => `n${count++}`;
}

/**
 * The same numbers for the same seed (mulberry32).
 *
 * @param {number} seed
 */
function randomFrom(seed) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (/** @type {number} */ end) => Math.floor(next() * end);
  return {
    below,
    /** @template T @param {T[]} list */
    of: (list) => list[below(list.length)],
  };
}
