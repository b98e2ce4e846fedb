import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { problemsIn } from "./book.js";

/** A file to change, and the line of the place in the chapter that does. */
const FILE = `~~~js file=lib/router.js
import { Route } from "./route.js";

/**
 * @typedef {object} Options
 * @property {boolean} strict
 */

/** What is said. */
const MESSAGES = {
  CONFLICT: "two routes",
};

/** Routes, and the way to find one. */
export class Router {
  #routes = [];

  constructor(options) {
    this.options = options;
  }

  add(route) {
    this.#check(route);
    this.#routes.push(route);
  }

  #check(route) {
    return route instanceof Route;
  }
}

function createServer() {
  return MESSAGES;
}
~~~
`;

/** @param {string[]} hunk */
const diff = (...hunk) => `${FILE}\n~~~diff file=lib/router.js\n${hunk.join("\n")}\n~~~\n`;

/** Hunks, and what may and may not stand before them. */
const HUNKS = {
  import: {
    hunk: ['+import { x } from "./x.js";', ' import { Route } from "./route.js";'],
    right: [
      "the imports",
      "the import",
      "at the top",
      "the first import",
      "above the first import",
    ],
    wrong: ["the imparts", "the important", "in the class", "at the end of the file", "at the tip"],
  },
  member: {
    hunk: [
      "     this.#routes.push(route);",
      "   }",
      "+",
      "+  find() {",
      "+    return this.#routes;",
      "+  }",
    ],
    right: ["below add", "above #check", "in the class", "in Router", "below add()", "in it"],
    wrong: ["below #check", "above add", "above check", "in #noSuchMethod", "in createServer"],
  },
  body: {
    hunk: ["   add(route) {", "+    this.count += 1;", "     this.#check(route);"],
    right: [
      "in add",
      "add",
      "further down in add",
      "around add",
      "Router and add",
      "from Router to add",
      "in the method add",
    ],
    wrong: [
      "in ad",
      "add and #shack",
      "from ad to Router",
      "in #add",
      "in #check",
      "in the constructor",
      "at the end of the class",
    ],
  },
  state: {
    hunk: ["-  #routes = [];", "+  #routes = new Set();", "+  #count = 0;"],
    right: ["the private properties", "#routes", "in the class", "above the constructor"],
    wrong: ["the private propels", "#route", "the constructors", "in the constructor"],
  },
  comment: {
    hunk: ["-/** What is said. */", "+/** What is said, by code. */"],
    right: ["the comment", "the comment of MESSAGES", "above MESSAGES", "MESSAGES"],
    wrong: ["the comment of Router", "in the comet", "MESSAGE", "below MESSAGES", "Messages"],
  },
  type: {
    hunk: ["  * @property {boolean} strict", "+ * @property {number} most"],
    right: ["the type", "in the comment", "the type Options", "at the end of Options"],
    wrong: ["the type Option", "in Router", "in the tape"],
  },
  key: {
    hunk: ['   CONFLICT: "two routes",', '+  MISSING: "no route",'],
    right: ["in MESSAGES", "below CONFLICT", "at the end of MESSAGES", "where MESSAGES is made"],
    wrong: ["below MISSING", "in MASSAGES", "above CONFLICT", "where MESSAGES is maid"],
  },
  end: {
    hunk: ["   return MESSAGES;", " }", "+", "+createServer();"],
    right: ["at the end of the file", "at the end", "below createServer", "at its end"],
    wrong: ["at the ends", "at the end of createServe", "at the top", "At the end of the file"],
  },
};

describe("the place of a hunk", () => {
  for (const [name, { hunk, right, wrong }] of Object.entries(HUNKS)) {
    for (const place of right) {
      it(`of ${name} may be "${place}"`, async (t) => {
        const problems = await problemsIn(t, diff(`@@ ${place} @@`, ...hunk));
        assert.deepEqual(problems, []);
      });
    }
    for (const place of wrong) {
      it(`of ${name} can't be "${place}"`, async (t) => {
        const [problem = ""] = await problemsIn(t, diff(`@@ ${place} @@`, ...hunk));
        assert.match(problem, /^chapters\/ch01-one\.md:39: /);
        assert.ok(problem.includes(`\`@@ ${place} @@\`: `), problem);
      });
    }
  }

  it("says what the name is, or that there is none", async (t) => {
    const { hunk } = HUNKS.body;
    const [none] = await problemsIn(t, diff("@@ in #noSuchMethod @@", ...hunk));
    assert.match(none, /there is no #noSuchMethod in lib\/router\.js/);
    const [other] = await problemsIn(t, diff("@@ in #check @@", ...hunk));
    assert.match(other, /this isn't it, for #check is line \d+ to \d+ of lib\/router\.js/);
    const [word] = await problemsIn(t, diff("@@ in the metaphor @@", ...hunk));
    assert.match(word, /"metaphor" is no word for a place, and doesn't stand in lib\/router\.js/);
  });

  it("stands between signs, or isn't said", async (t) => {
    const { hunk } = HUNKS.body;
    assert.deepEqual(await problemsIn(t, diff("@@", ...hunk)), []);
    for (const line of [
      "@@ in add",
      "@@ in add @",
      "@@in add @@",
      "@@ in add@@",
      "@@@ in add @@",
    ]) {
      const [problem] = await problemsIn(t, diff(line, ...hunk));
      assert.match(problem, /:39: a place stands between `@@ ` and ` @@`\n {4}got /);
    }
  });

  it("may be in words in a file that isn't JavaScript", async (t) => {
    const file = '~~~json file=package.json\n{\n  "scripts": {}\n}\n~~~\n';
    const change = (/** @type {string} */ place) =>
      `${file}\n~~~diff file=package.json\n@@ ${place} @@\n {\n+  "type": "module",\n~~~\n`;
    assert.deepEqual(await problemsIn(t, change("at the top of the file")), []);
    assert.deepEqual(await problemsIn(t, change("above the scripts")), []);
    const [problem] = await problemsIn(t, change("above the script"));
    assert.match(problem, /"script" is no word for a place/);
  });
});
