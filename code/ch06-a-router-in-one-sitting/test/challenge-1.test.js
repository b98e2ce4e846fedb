import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ask, listen } from "../../contracts/router/ask.js";
import { createServer, Router } from "../index.js";

/** @import { TestContext } from "node:test" */

const skip = process.env.CHALLENGE !== "1" && "challenge 1";

const ROUTES = ["/hello", "/help", "/notes", "/notes/old", "/about"];

describe("Challenges", { skip }, () => {
  /** @type {[path: string, nearest: string, what: string][]} */
  const near = [
    ["/helo", "/hello", "a letter too few"],
    ["/hellow", "/hello", "a letter too many"],
    ["/jello", "/hello", "a wrong letter"],
    ["/ello", "/hello", "the first letter missing"],
    ["/hellooo", "/hello", "two letters too many"],
    ["/ehllo", "/hello", "two letters in the wrong order"],
    ["/notes/", "/notes", "a slash too many"],
    ["/Notes", "/notes", "a capital letter"],
    ["/notes/odd", "/notes/old", "a wrong letter, two slashes on"],
    ["/notez?x=/about", "/notes", "a query"],
  ];
  for (const [path, nearest, what] of near) {
    it(`means ${nearest} by ${path}: ${what}`, async (t) => {
      assert.deepEqual(await linesFor(t, path), [
        "Not Found",
        `Did you mean ${nearest}?`,
      ]);
    });
  }

  it("names the nearest, and not the first that is near", async (t) => {
    const lines = await linesFor(t, "/helq");
    assert.equal(lines[1], "Did you mean /help?");
  });

  it("names the first of two that are as near", async (t) => {
    const lines = await linesFor(t, "/cab", ["/cat", "/car", "/can"]);
    assert.equal(lines[1], "Did you mean /cat?");
    const others = await linesFor(t, "/cab", ["/can", "/car", "/cat"]);
    assert.equal(others[1], "Did you mean /can?");
  });

  for (const path of ["/helicopter", "/hallowed", "/ehlloo", "/x", "/"]) {
    it(`has no idea what ${path} may mean`, async (t) => {
      assert.deepEqual(await linesFor(t, path), ["Not Found"]);
    });
  }

  it("says how many bytes that are", async (t) => {
    const lines = await linesFor(t, "/cafe", ["/café"]);
    assert.equal(lines[1], "Did you mean /café?");
  });

  it("suggests nothing unless it is told to", async (t) => {
    for (const options of [{}, { suggest: false }]) {
      const port = await listen(t, createServer(router(ROUTES), options));
      const { statusCode, body } = await ask(port, "GET", "/jello");
      assert.equal(statusCode, 404);
      assert.equal(body, "Not Found\n");
    }
  });

  it("suggests nothing where the path is right", async (t) => {
    const port = await start(t);
    const { statusCode, body } = await ask(port, "POST", "/hello");
    assert.equal(statusCode, 405);
    assert.doesNotMatch(body, /mean/);
  });

  it("still answers what there is", async (t) => {
    const { body } = await ask(await start(t), "GET", "/hello");
    assert.equal(body, "/hello\n");
  });
});

/**
 * @param {TestContext} t
 * @param {string} path
 * @param {string[]} [paths]
 */
async function linesFor(t, path, paths) {
  const { statusCode, body } = await ask(
    await start(t, paths),
    "GET",
    path,
  );
  assert.equal(statusCode, 404);
  return body.trimEnd().split("\n");
}

/**
 * @param {TestContext} t
 * @param {string[]} [paths]
 */
function start(t, paths = ROUTES) {
  const options = /** @type {any} */ ({ suggest: true });
  return listen(t, createServer(router(paths), options));
}

/** @param {string[]} paths */
function router(paths) {
  const made = new Router().post("/somewhere/else", () => {});
  for (const path of paths) {
    made.get(path, (_req, res) => res.end(`${path}\n`));
  }
  return made;
}
