import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ask, listen } from "../../contracts/router/ask.js";
import { createServer, Router } from "../index.js";

/** @import { TestContext } from "node:test" */

const skip = process.env.CHALLENGE !== "2" && "challenge 2";

const ROUTES = ["/a", "/b/", "/c", "/c/", "/u/:id", "/f/*", "/café/:x"];

describe("Challenges", { skip }, () => {
  for (const [target, location] of [
    ["/a/", "/a"],
    ["/b", "/b/"],
    ["/u/7/", "/u/7"],
    ["/f", "/f/"],
    ["/a/?x=1&y=%2F", "/a?x=1&y=%2F"],
    ["/b?x=/b/", "/b/?x=/b/"],
    ["/%61/", "/a"],
    ["/caf%C3%A9/a%20b/", "/caf%C3%A9/a%20b"],
    ["/u/a%2Fb/", "/u/a%2Fb"],
    ["/u/a%3Fb/?c", "/u/a%3Fb?c"],
    ["/u/a%23b/", "/u/a%23b"],
    ["/u/100%25/", "/u/100%25"],
  ]) {
    it(`sends ${target} to ${location}`, async (t) => {
      const port = await start(t);
      for (const method of ["GET", "HEAD"]) {
        const answer = await ask(port, method, target);
        assert.equal(answer.statusCode, 308, method);
        assert.equal(answer.headers.location, location, method);
      }
      assert.equal((await ask(port, "GET", location)).statusCode, 200);
    });
  }

  it("sends nobody to another host", async (t) => {
    const port = await start(t, ["/:a", "/:a/:b"]);
    for (const target of [
      "/%2Fevil.example/",
      "/%5Cevil.example/",
      "/%5C%5Cevil.example/",
      "/%2F%2Fevil.example/x/",
    ]) {
      const { statusCode, headers } = await ask(port, "GET", target);
      assert.equal(statusCode, 308, target);
      const base = "http://home.example/";
      const url = new URL(headers.location ?? "", base);
      assert.equal(url.host, "home.example", headers.location);
      const home = await ask(port, "GET", headers.location ?? "");
      assert.equal(home.statusCode, 200, headers.location);
    }
  });

  it("answers what has a route", async (t) => {
    const port = await start(t);
    for (const path of ["/a", "/b/", "/c", "/c/", "/u/7", "/f/", "/f/x/"]) {
      const { statusCode, body } = await ask(port, "GET", path);
      assert.deepEqual([statusCode, body], [200, path]);
    }
  });

  it("has 404 for what has none in either form", async (t) => {
    const port = await start(t);
    for (const path of ["/", "/x", "/x/", "/u", "/u/", "/a/b/"]) {
      assert.equal((await ask(port, "GET", path)).statusCode, 404, path);
    }
  });

  it("has 404 for other methods", async (t) => {
    const port = await start(t);
    assert.equal((await ask(port, "POST", "/a/")).statusCode, 404);
  });

  it("leaves the others as they were without the option", async (t) => {
    const port = await start(t, ROUTES, { redirectTrailingSlash: false });
    assert.equal((await ask(port, "GET", "/a/")).statusCode, 404);
    const lenient = new Router({ ignoreTrailingSlash: true });
    lenient.get("/a", (_req, res) => res.end("a"));
    const other = await listen(t, createServer(lenient));
    assert.equal((await ask(other, "GET", "/a/")).statusCode, 200);
  });
});

/**
 * @param {TestContext} t
 * @param {string[]} [patterns]
 * @param {any} [options] the router's
 */
function start(
  t,
  patterns = ROUTES,
  options = { redirectTrailingSlash: true },
) {
  const router = new Router(options);
  for (const pattern of patterns) {
    router.get(pattern, (req, res) => res.end(req.path));
  }
  router.post("/somewhere/else", (_req, res) => res.end());
  return listen(t, createServer(router));
}
