import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Router } from "../index.js";

const skip = process.env.CHALLENGE !== "3" && "challenge 3";

const handler = () => {};

describe("Challenges", { skip }, () => {
  it("has one line for each path, sorted", () => {
    const router = new Router()
      .get("/notes", handler)
      .get("/", handler)
      .get("/hello", handler)
      .post("/notes", handler)
      .get("/about", handler);
    const paths = describedBy(router).map(({ path }) => path);
    assert.deepEqual(paths, ["/", "/about", "/hello", "/notes"]);
  });

  it("names a path's methods as Allow would", () => {
    const router = new Router()
      .post("/hello", handler)
      .get("/hello", handler)
      .delete("/notes", handler)
      .all("/zebra", handler);
    const methods = describedBy(router).map((line) => line.methods);
    assert.deepEqual(methods, [
      "GET, HEAD, OPTIONS, POST",
      "DELETE, OPTIONS",
      router.allowedMethods("/zebra").join(", "),
    ]);
  });

  it("names the place where the first route of a path was added", () => {
    const router = new Router();
    router.post("/b", handler);
    router.get("/a", handler);
    router.all("/a", handler);
    router.get("/b", handler);
    router.route("PROPFIND", "/b", handler);
    const [postB, getA] = router.routes().map(({ addedAt }) => addedAt);
    const places = describedBy(router).map(({ place }) => place);
    assert.deepEqual(places, [getA, postB]);
    for (const place of places)
      assert.match(place, /challenge-3\.test\.js/);
  });

  it("has nothing to say about a router without routes", () => {
    assert.deepEqual(describedBy(new Router()), []);
  });

  it("changes nothing", () => {
    const router = new Router().get("/b", handler).get("/a", handler);
    const before = router.routes();
    describedBy(router);
    assert.deepEqual(router.routes(), before);
    assert.deepEqual(describedBy(router), describedBy(router));
  });
});

/** @param {any} router that can describe itself */
function describedBy(router) {
  const text = router.describe();
  assert.equal(typeof text, "string", "describe() returns a string");
  const lines = text
    .split("\n")
    .filter((/** @type {string} */ line) => line !== "");
  return lines.map((/** @type {string} */ line) => {
    const match = /^(\S+) ([A-Z, -]+) (\S.*:\d+:\d+)$/.exec(line);
    assert.ok(match, `a line is path, methods and place: ${line}`);
    const [, path, methods, place] = match;
    return { path, methods, place };
  });
}
