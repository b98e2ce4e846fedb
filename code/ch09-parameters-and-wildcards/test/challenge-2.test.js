import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ask, listen } from "../../contracts/router/ask.js";
import { createServer, Router } from "../index.js";

const skip = process.env.CHALLENGE !== "2" && "challenge 2";

describe("Challenges", { skip }, () => {
  const router = /** @type {any} */ (new Router());
  for (const pattern of [
    "/users/me",
    "/users/:id",
    "//api.example.org/users/:id",
    "//API.Example.com/users/*",
    "//api.example.org/only",
  ]) {
    router.get(pattern, () => {});
  }
  router.post("/users/:id", () => {});

  /** @type {[path: string, host: string | undefined, found: string | null,
   *   params?: {}][]} */
  const asked = [
    ["/users/me", undefined, "/users/me", {}],
    ["/users/me", "example.org", "/users/me", {}],
    ["/users/7", "example.org", "/users/:id", { id: "7" }],
    [
      "/users/me",
      "api.example.org",
      "//api.example.org/users/:id",
      { id: "me" },
    ],
    [
      "/users/7",
      "API.EXAMPLE.ORG:8080",
      "//api.example.org/users/:id",
      { id: "7" },
    ],
    [
      "/users/7/x",
      "api.example.com",
      "//API.Example.com/users/*",
      { "*": "7/x" },
    ],
    ["/only", "api.example.org", "//api.example.org/only", {}],
    ["/only", "api.example.com", null],
    ["/only", undefined, null],
    ["/users/7/x", "api.example.org", null],
    ["/users/7", "api.example.org.evil", "/users/:id", { id: "7" }],
    ["/users/7", "xapi.example.org", "/users/:id", { id: "7" }],
    ["/users/7", "constructor", "/users/:id", { id: "7" }],
    ["/users/7", "__proto__", "/users/:id", { id: "7" }],
  ];
  for (const [path, host, found, params] of asked) {
    it(`finds ${found ?? "nothing"} for ${path} on ${host}`, () => {
      const match = router.find("GET", path, host);
      assert.equal(match?.route.pattern ?? null, found);
      if (match) assert.deepEqual({ ...match.params }, params);
    });
  }

  it("goes on to any host where a host has not the method", () => {
    const { params } = router.find("POST", "/users/7", "api.example.org");
    assert.deepEqual({ ...params }, { id: "7" });
  });

  it("conflicts within a host only", () => {
    assert.throws(() => router.get("//api.example.org/only", () => {}), {
      code: "ERR_ROUTE_CONFLICT",
    });
    assert.throws(() => router.get("//Api.Example.org/only", () => {}), {
      code: "ERR_ROUTE_CONFLICT",
    });
  });

  it("goes by the request's Host field", async (t) => {
    const own = new Router()
      .get("//api.example.org/x", (_req, res) => res.end("api"))
      .get("/x", (_req, res) => res.end("any"))
      .delete("//api.example.org/y", () => {});
    const port = await listen(t, createServer(own));
    for (const [host, expected] of [
      ["api.example.org", "api"],
      ["API.example.org:1234", "api"],
      ["www.example.org", "any"],
      [`localhost:${port}`, "any"],
    ]) {
      const { body } = await ask(port, "GET", "/x", { headers: { host } });
      assert.equal(body, expected, host);
    }
    const headers = { host: "api.example.org" };
    const wrong = await ask(port, "GET", "/y", { headers });
    assert.equal(wrong.statusCode, 405);
    assert.equal(wrong.headers.allow, "DELETE, OPTIONS");
    assert.equal((await ask(port, "GET", "/y")).statusCode, 404);
  });
});
