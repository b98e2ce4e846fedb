import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Router } from "../index.js";

const skip = process.env.CHALLENGE !== "3" && "challenge 3";

const handler = () => {};

describe("Challenges", { skip }, () => {
  it("matches digits, and nothing else", () => {
    const router = new Router().get("/users/:id(int)", handler);
    for (const id of ["7", "0", "007", "12345678901234567890"]) {
      assert.deepEqual(paramsOf(router, `/users/${id}`), { id });
    }
    const others = ["", "-7", "7a", "a7", "7.0", "7 ", "1e3", "７", "7/8"];
    for (const id of others) {
      assert.equal(router.find("GET", `/users/${id}`), null, id);
    }
  });

  it("puts a word first, then a condition, then any parameter", () => {
    const patterns = ["/:name", "/:id(int)", "/42", "/me"];
    for (const order of [patterns, patterns.toReversed()]) {
      const router = new Router();
      for (const pattern of order) router.get(pattern, handler);
      assert.deepEqual(paramsOf(router, "/42"), {});
      assert.deepEqual(paramsOf(router, "/me"), {});
      assert.deepEqual(paramsOf(router, "/43"), { id: "43" });
      assert.deepEqual(paramsOf(router, "/you"), { name: "you" });
    }
  });

  it("can be followed by more", () => {
    const router = new Router()
      .get("/users/:id(int)/posts/:post(int)", handler)
      .get("/users/:name/posts/:slug", handler);
    const path = "/users/7/posts/12";
    assert.deepEqual(paramsOf(router, path), { id: "7", post: "12" });
    const other = "/users/ada/posts/12";
    assert.deepEqual(paramsOf(router, other), { name: "ada", slug: "12" });
  });

  it("lets each route have its own name", () => {
    const router = new Router()
      .get("/:id(int)", handler)
      .get("/:number(int)/x", handler);
    assert.deepEqual(paramsOf(router, "/7"), { id: "7" });
    assert.deepEqual(paramsOf(router, "/7/x"), { number: "7" });
  });

  it("conflicts with the same condition, and with no other", () => {
    const router = new Router().get("/users/:id(int)", handler);
    router.get("/users/:id", handler);
    router.post("/users/:id(int)", handler);
    assert.throws(() => router.get("/users/:number(int)", handler), {
      code: "ERR_ROUTE_CONFLICT",
    });
    assert.equal(router.routes().length, 3);
  });

  for (const pattern of [
    "/:id(float)",
    "/:id(constructor)",
    "/:id()",
    "/:(int)",
    "/:id(int",
    "/:id(int)x",
    "/:id(int)(int)",
    "/:id(\\d+)",
    "/:id(INT)",
  ]) {
    it(`refuses ${pattern}`, () => {
      assert.throws(() => new Router().get(pattern, handler), {
        code: "ERR_PARAMETER_INVALID",
      });
    });
  }

  it("refuses one name twice, with a condition or without", () => {
    assert.throws(() => new Router().get("/:id(int)/:id", handler), {
      code: "ERR_PARAMETER_REPEATED",
    });
  });
});

/**
 * @param {Router} router
 * @param {string} path
 */
function paramsOf(router, path) {
  const match = router.find("GET", path);
  return match && { ...match.params };
}
