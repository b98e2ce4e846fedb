import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ask, listen } from "../../contracts/router/ask.js";
import { createServer, Router } from "../index.js";

const skip = process.env.CHALLENGE !== "1" && "challenge 1";

describe("Challenges", { skip }, () => {
  /** @type {[accept: string | undefined, languages: string[], best: string | null][]} */
  const cases = [
    [undefined, ["en", "de"], "en"],
    ["de", ["en", "de"], "de"],
    ["DE", ["en", "de"], "de"],
    ["de", ["en", "de-AT"], "de-AT"],
    ["de-at", ["en", "de-AT"], "de-AT"],
    ["de-AT", ["de"], null],
    ["d", ["de"], null],
    ["de", ["den"], null],
    ["*", ["en", "de"], "en"],
    ["fr, *;q=0.1", ["en", "de"], "en"],
    ["en;q=0, *", ["en", "de"], "de"],
    ["en;q=0.2, de;q=0.8", ["en", "de"], "de"],
    ["de;q=0.9, de-CH;q=0.1, en;q=0.5", ["de-CH", "en"], "en"],
    ["de-CH;q=0.1, de;q=0.9, en;q=0.5", ["de-CH", "en"], "en"],
    ["*;q=0.9, de;q=0.1", ["de", "en"], "en"],
    ["zh-Hant", ["zh-Hant-TW"], "zh-Hant-TW"],
    ["fr", ["en", "de"], null],
  ];
  for (const [accept, languages, best] of cases) {
    it(`gives ${best} of ${languages.join(" and ")} for ${accept}`, async (t) => {
      const router = new Router().get("/", (req) => ({
        best: /** @type {any} */ (req).acceptsLanguage(languages),
      }));
      const port = await listen(t, createServer(router));
      const headers =
        accept === undefined ? {} : { "accept-language": accept };
      const { body } = await ask(port, "GET", "/", { headers });
      assert.deepEqual(JSON.parse(body), { best });
    });
  }
});
