/**
 * RFC 9110, section 12.5.1: which of some types a client wants most.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { field, serve } from "./server.js";

/** @import { Velocy } from "./server.js" */

const HTML = "text/html";
const PLAIN = "text/plain";
const JSON_TYPE = "application/json";
const LEVEL = "text/html;level=1";

/** @type {[accept: string | undefined, types: string[], best: string | null][]} */
export const NEGOTIATIONS = [
  [undefined, [JSON_TYPE, HTML], JSON_TYPE],
  ["*/*", [JSON_TYPE, HTML], JSON_TYPE],
  ["", [JSON_TYPE], null],
  ["text/html", [JSON_TYPE, HTML], HTML],
  ["TEXT/HTML", [JSON_TYPE, HTML], HTML],
  ["text/html", [JSON_TYPE, "Text/HTML"], "Text/HTML"],
  ["text/*", [JSON_TYPE, HTML], HTML],
  ["image/png", [JSON_TYPE, HTML], null],
  ["text/html, application/json", [JSON_TYPE, HTML], JSON_TYPE],
  ["text/html;q=0.5, application/json;q=0.4", [JSON_TYPE, HTML], HTML],
  ["text/html;q=0.123, application/json;q=0.122", [JSON_TYPE, HTML], HTML],
  ["text/html;q=1.000, application/json;q=0.999", [JSON_TYPE, HTML], HTML],
  ["text/html ; Q=0.5 , application/json;q=0.4", [JSON_TYPE, HTML], HTML],
  ["text/html;q=0, */*", [HTML, JSON_TYPE], JSON_TYPE],
  ["text/html;q=0.000", [HTML], null],
  ["*/*;q=0", [HTML], null],
  ["text/*;q=.5, text/html;q=0.1", [PLAIN, HTML], HTML],
  ["text/*;q=0.5, text/html;q=0.1", [HTML, PLAIN], PLAIN],
  ["text/html;q=0.1, text/*;q=0.5", [HTML, PLAIN], PLAIN],
  ["*/*;q=0.9, text/*;q=0.1", [PLAIN, JSON_TYPE], JSON_TYPE],
  ["text/html;level=1", [HTML], null],
  ["text/html;level=1", [LEVEL], LEVEL],
  ["text/html", [LEVEL], LEVEL],
  ["text/html;level=1;q=0.3, text/html;q=0.7", [LEVEL, HTML], HTML],
  ["text/html;level=1, text/html;q=0.7", [HTML, LEVEL], LEVEL],
  ["text/html;level=2;q=0.4, text/html;q=0.1", [LEVEL], LEVEL],
  [
    "text/*;level=1;q=0.1, text/html;q=0.7, */*;q=0.5",
    [LEVEL, PLAIN],
    LEVEL,
  ],
  ["text/html;q=2, application/json;q=0.1", [HTML, JSON_TYPE], JSON_TYPE],
  [
    "text/html;q=0.1234, application/json;q=0.1",
    [HTML, JSON_TYPE],
    JSON_TYPE,
  ],
  ["text/html;q=-1, application/json;q=0.1", [HTML, JSON_TYPE], JSON_TYPE],
  ["text/html;q=, application/json;q=0.1", [HTML, JSON_TYPE], JSON_TYPE],
  [
    "text/html;q=0.2;ext=1, application/json;q=0.1",
    [JSON_TYPE, HTML],
    HTML,
  ],
  [",, text/html ,", [JSON_TYPE, HTML], HTML],
  ["*", [HTML], null],
  ["*/html", [HTML], null],
  ["text/html", [], null],
];

/**
 * @param {(accept: string | undefined, types: string[]) => string | null} preferredType
 */
export function testPreferredType(preferredType) {
  for (const [accept, types, best] of NEGOTIATIONS) {
    test(`gives ${best} of ${types.join(" and ")} for ${accept}`, () => {
      assert.equal(preferredType(accept, types), best);
    });
  }

  test("reads a list of many ranges in no time", () => {
    const accept = "text/x;q=0.1,".repeat(1200);
    const begin = performance.now();
    assert.equal(preferredType(accept, [HTML]), null);
    const time = performance.now() - begin;
    assert.ok(time < 200, `${time} ms`);
  });
}

/** @param {Velocy} velocy */
export function testAccepts(velocy) {
  test("req.accepts asks the request's Accept", async (t) => {
    const { ask } = await serve(t, velocy, (req) => ({
      best: req.accepts([JSON_TYPE, HTML]),
    }));
    assert.match((await ask()).body, /application\/json/);
    const html = await ask("GET", "/", { Accept: HTML });
    assert.match(html.body, /text\/html/);
    const none = await ask("GET", "/", { Accept: "image/png" });
    assert.equal(none.body, '{"best":null}');
  });

  test("req.accepts takes one type without a list", async (t) => {
    const { ask } = await serve(t, velocy, (req) => ({
      best: req.accepts(HTML),
    }));
    assert.equal((await ask()).body, '{"best":"text/html"}');
    const none = await ask("GET", "/", { Accept: "image/png" });
    assert.equal(none.body, '{"best":null}');
  });

  test("res.vary names each field once", async (t) => {
    const { ask } = await serve(t, velocy, (req, res) => {
      if (req.url === "/any") res.setHeader("vary", "*");
      res.vary("Accept");
      res.vary("Origin");
      res.vary("accept");
      return "x";
    });
    assert.equal(field(await ask(), "vary"), "Accept, Origin");
    assert.equal(field(await ask("GET", "/any"), "vary"), "*");
  });
}
