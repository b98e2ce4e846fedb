import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { Router } from "../index.js";

const skip = process.env.CHALLENGE !== "3" && "challenge 3";

describe("Challenges", { skip }, () => {
  /** @type {(router: Router, make: any, options?: object) => Promise<void>} */
  let checkSame;
  before(async () => {
    const file = "../lib/testing/same.js";
    checkSame = (await import(file)).checkSame;
  });

  const make = (choices) => ({
    method: choices.pick(["GET", "DELETE"]),
    target: choices.pick(["/users/ada", "/admin/users", "/x?a=b", "/"]),
  });

  it("finds nothing on a router that reads a path once", async () => {
    const asked = new Set();
    const router = new Router();
    router.use((req, _res, next) => {
      asked.add(req.url);
      return next();
    });
    router.get("/users/:id", (req) => req.params.id);
    router.get("/admin/users", (req) => req.path);
    router.get("/x", (req) => req.queryParams.get("a"));
    await checkSame(router, make, { runs: 200 });
    assert.ok(asked.size > 20, `${[...asked]}`);
  });

  it("leaves the query as it is", async () => {
    const router = new Router().get(
      "/*",
      (req) => req.url.split("?")[1] ?? "",
    );
    const target = "/abc?def=/ghi";
    await checkSame(router, () => ({ target }), { runs: 50 });
  });

  it("finds a handler that reads the target, and can repeat it", async () => {
    const router = new Router();
    router.get("/users/:id", (req) => req.url.slice("/users/".length));
    const attempt = () =>
      checkSame(router, make, { runs: 200, seed: 9 }).then(
        () => assert.fail("it found nothing"),
        (err) => err.message,
      );
    const message = await attempt();
    assert.match(message, /fails with .*%/);
    assert.equal(await attempt(), message);
  });

  it("finds a guard that compares the target", async () => {
    const router = new Router();
    router.use((req, res, next) => {
      if (!req.url.startsWith("/admin")) return next();
      return res.status(401).text("no\n");
    });
    router.get("/admin/users", () => "users");
    await assert.rejects(checkSame(router, make, { runs: 200 }));
  });
});
