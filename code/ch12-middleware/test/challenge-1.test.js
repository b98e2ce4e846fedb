import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ask, listen } from "../../contracts/router/ask.js";
import { createServer, Router } from "../index.js";

describe("Challenges", {
  skip: process.env.CHALLENGE !== "1" && "challenge 1",
}, () => {
  const mark = (name) => (_req, res, next) => {
    res.appendHeader("x-ran", name);
    return next();
  };

  async function serve(t) {
    const router = new Router()
      .use("/a", { methods: ["POST", "PUT"] }, mark("writes"))
      .use("/a", { methods: ["GET"] }, mark("reads"))
      .use({ methods: ["HEAD"] }, mark("heads"))
      .use("/a", mark("all"))
      .get("/a", () => "get")
      .post("/a", () => "post")
      .all("/a/any", () => "any")
      .get("/a/:id", () => "id");
    return listen(t, createServer(router));
  }

  /** @type {[method: string, path: string, ran: string][]} */
  const cases = [
    ["GET", "/a", "reads, all"],
    ["HEAD", "/a", "heads, reads, all"],
    ["POST", "/a", "writes, all"],
    ["DELETE", "/a", "all"],
    ["PUT", "/a", "writes, all"],
    ["OPTIONS", "/a", "all"],
    ["PUT", "/a/any", "writes, all"],
    ["GET", "/a/any", "reads, all"],
    ["DELETE", "/a/any", "all"],
    ["GET", "/a/7", "reads, all"],
    ["HEAD", "/a/7", "heads, reads, all"],
    ["POST", "/a/7", "writes, all"],
    ["HEAD", "/b", "heads"],
  ];
  for (const [method, path, ran] of cases) {
    it(`runs ${ran} for ${method} ${path}`, async (t) => {
      const port = await serve(t);
      const { headers } = await ask(port, method, path);
      assert.equal(headers["x-ran"], ran);
      // And once more, when chains may have been put together.
      const again = await ask(port, method, path);
      assert.equal(again.headers["x-ran"], ran);
    });
  }

  it("holds for a mounted router's guards", async (t) => {
    const api = new Router().use("/a", { methods: ["GET"] }, mark("reads"));
    api.all("/a", () => "a");
    const router = new Router().mount("/api", api);
    const port = await listen(t, createServer(router));
    const get = await ask(port, "GET", "/api/a");
    const post = await ask(port, "POST", "/api/a");
    assert.equal(get.headers["x-ran"], "reads");
    assert.equal(post.headers["x-ran"], undefined);
  });

  it("refuses what it doesn't know", () => {
    const refused = (options, code) => {
      const use = () => new Router().use("/a", options, mark("x"));
      assert.throws(use, { code });
    };
    refused({ method: ["GET"] }, "ERR_OPTION_UNKNOWN");
    refused({ methods: "GET" }, "ERR_OPTION_INVALID");
    refused({ methods: ["get"] }, "ERR_METHOD_INVALID");
    refused(new Router(), "ERR_MIDDLEWARE_INVALID");
  });
});
