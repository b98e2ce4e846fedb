// What one large regular expression costs as a router, by how many routes
// it has: the design note of chapter 7. The median of five rounds:
// node benchmarks/experiments/expressions.js
import { RegExpRouter } from "hono/router/reg-exp-router";

// By a name, so that the types of a milestone's files aren't asked for.
const milestone = "../../code/ch07-the-need-for-a-trie/index.js";
const { Router } = await import(milestone);

/** @extends RegExpRouter<string> */
class OpenRouter extends RegExpRouter {
  /** @returns {RegExp} the expression for GET */
  expression() {
    const matcher = this.buildAllMatchers().GET;
    if (matcher == null) throw new Error("no expression for GET");
    return matcher[0];
  }
}

/** @typedef {(path: string) => unknown} Look gives null for no route */

/** @type {Record<string, (patterns: string[]) => Look>} */
const contenders = {
  "velocy 0.7.0"(patterns) {
    const router = new Router();
    for (const pattern of patterns) router.get(pattern, () => {});
    return (path) => router.find("GET", path);
  },
  "a list"(patterns) {
    const texts = patterns.map((pattern) => `${pattern.replace(":id", "([^/]+)")}$()`);
    return lookBy(new RegExp(`^(?:${texts.join("|")})`));
  },
  "a list, without groups"(patterns) {
    const texts = patterns.map((pattern) => `${pattern.replace(":id", "[^/]+")}$`);
    return lookBy(new RegExp(`^(?:${texts.join("|")})`));
  },
  "Hono's RegExpRouter"(patterns) {
    const router = makeHono(patterns);
    return (path) => router.match("GET", path)[0][0] ?? null;
  },
  "Hono's expression, without groups"(patterns) {
    const { source } = makeHono(patterns).expression();
    const text = source.replaceAll("([^/]+)", "[^/]+");
    return lookBy(new RegExp(text.replaceAll("()", "")));
  },
};

for (const [name, prepare] of Object.entries(contenders)) {
  bench(prepare, 10);
  for (const count of name.includes("without") ? [1_000] : [10, 100, 1_000]) {
    const rounds = Array.from({ length: 5 }, () => bench(prepare, count));
    const nanoseconds = rounds.sort((a, b) => a - b)[2];
    console.log(`${name}, ${count} routes: ${nanoseconds.toFixed(1)} ns`);
  }
}

/**
 * @param {RegExp} expression
 * @returns {Look}
 */
function lookBy(expression) {
  return (path) => expression.exec(path);
}

/** @param {string[]} patterns */
function makeHono(patterns) {
  const router = new OpenRouter();
  for (const pattern of patterns) router.add("GET", pattern, pattern);
  return router;
}

/**
 * @param {(patterns: string[]) => Look} prepare
 * @param {number} count
 */
function bench(prepare, count) {
  const names = Array.from({ length: count }, (_, i) => `/api/things${i}`);
  const look = prepare(names.map((name) => `${name}/:id`));
  const paths = names.map((name) => `${name}/42`);
  for (const path of paths) look(path);
  let found = 0;
  const start = performance.now();
  while (performance.now() - start < 100) {
    for (const path of paths) {
      if (look(path) !== null) found += 1;
    }
  }
  return ((performance.now() - start) * 1e6) / found;
}
