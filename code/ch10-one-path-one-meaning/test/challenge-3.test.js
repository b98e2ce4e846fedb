import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ask, listen } from "../../contracts/router/ask.js";
import { createServer, Router } from "../index.js";

const skip = process.env.CHALLENGE !== "3" && "challenge 3";

describe("Challenges", { skip }, () => {
  /** @type {[what: string, options: {}, target: string, number][]} */
  const targets = [
    ["1,024 characters", {}, `/${"a".repeat(1023)}`, 200],
    ["1,025 characters", {}, `/${"a".repeat(1024)}`, 414],
    ["1,024 that were escaped", {}, `/${"%61".repeat(1023)}`, 200],
    ["1,025 that were escaped", {}, `/${"%61".repeat(1024)}`, 414],
    ["1,024 beyond ASCII", {}, `/${"%C3%A9".repeat(1023)}`, 200],
    ["escaped slashes", {}, `/${"%2F".repeat(341)}`, 200],
    ["too many escaped slashes", {}, `/${"%2F".repeat(342)}`, 414],
    ["a long query", {}, `/a?${"b".repeat(2000)}`, 200],
    ["ten characters", { maxPathLength: 10 }, "/123456789", 200],
    ["eleven characters", { maxPathLength: 10 }, "/1234567890", 414],
    [
      "more, if it may",
      { maxPathLength: 5000 },
      `/${"a/".repeat(2000)}`,
      200,
    ],
    ["a broken escape", { maxPathLength: 10 }, "/%zz", 400],
  ];
  for (const [what, options, target, statusCode] of targets) {
    it(`answers ${statusCode} for ${what}`, async (t) => {
      const router = new Router().get("/*", (req, res) =>
        res.end(req.path),
      );
      const port = await listen(t, createServer(router, options));
      const answer = await ask(port, "GET", target);
      assert.equal(answer.statusCode, statusCode);
    });
  }

  it("counts req.path, without the slash that doesn't matter", async (t) => {
    const router = new Router({ ignoreTrailingSlash: true });
    router.get("/*", (req, res) => res.end(req.path));
    const options = { maxPathLength: 10 };
    const port = await listen(t, createServer(router, options));
    const { statusCode, body } = await ask(port, "GET", "/123456789/");
    assert.deepEqual([statusCode, body], [200, "/123456789"]);
    assert.equal((await ask(port, "GET", "/1234567890/")).statusCode, 414);
  });

  it("answers 414 where no route has the path, too", async (t) => {
    const router = new Router().get("/a", (_req, res) => res.end());
    const options = { maxPathLength: 10 };
    const port = await listen(t, createServer(router, options));
    const { statusCode } = await ask(port, "GET", "/1234567890");
    assert.equal(statusCode, 414);
    assert.equal((await ask(port, "GET", "/b")).statusCode, 404);
  });
});
