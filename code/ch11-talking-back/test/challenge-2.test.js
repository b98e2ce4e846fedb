import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ask, listen } from "../../contracts/router/ask.js";
import { createServer, Router } from "../index.js";

const skip = process.env.CHALLENGE !== "2" && "challenge 2";

describe("Challenges", { skip }, () => {
  /** @type {[name: string, plain: string, extended?: string][]} */
  const names = [
    ["report.pdf", "report.pdf"],
    ["my report (1).pdf", "my report (1).pdf"],
    ["naïve.txt", "na_ve.txt", "na%C3%AFve.txt"],
    ["日本.txt", "__.txt", "%E6%97%A5%E6%9C%AC.txt"],
    ["💡", "_", "%F0%9F%92%A1"],
    ['say "hi".txt', "say _hi_.txt", "say%20%22hi%22.txt"],
    ["100%.txt", "100_.txt", "100%25.txt"],
    ["é'()*", "_'()*", "%C3%A9%27%28%29%2a"],
    ["é!#$&+-.^_`|~", "_!#$&+-.^_`|~", "%C3%A9!#$&+-.^_`|~"],
    ["é;,=@", "_;,=@", "%C3%A9%3B%2C%3D%40"],
  ];
  for (const [name, plain, extended] of names) {
    it(`saves as ${name}`, async (t) => {
      const router = new Router().get("/", (_req, res) => {
        const given = /** @type {any} */ (res).attachment(name);
        assert.equal(given, res);
        return "x";
      });
      const port = await listen(t, createServer(router));
      const { headers } = await ask(port, "GET", "/");
      const fields = [`attachment; filename="${plain}"`];
      if (extended) fields.push(`filename*=UTF-8''${extended}`);
      assert.equal(
        headers["content-disposition"]?.toLowerCase(),
        fields.join("; ").toLowerCase(),
      );
    });
  }

  for (const name of [
    "",
    "a/b",
    "a\\b",
    "a\r\nb",
    "\0",
    "a\u0085",
    "a\ud83d",
    7,
  ]) {
    it(`refuses ${JSON.stringify(name)}`, async (t) => {
      /** @type {any[]} */
      const told = [];
      const router = new Router().get("/", (_req, res) => {
        /** @type {any} */ (res).attachment(name);
        return "x";
      });
      const server = createServer(router, {
        onError: (err) => told.push(err),
      });
      const port = await listen(t, server);
      assert.equal((await ask(port, "GET", "/")).statusCode, 500);
      assert.equal(told[0]?.code, "ERR_FILENAME_INVALID");
    });
  }
});
