/**
 * Where a client is sent: RFC 9110, sections 10.2.2 and 15.4; how a browser
 * reads it: the URL Standard.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { field, serve } from "./server.js";

/** @import { Velocy } from "./server.js" */

/** @type {[location: string, sent: string][]} */
const SENT = [
  ["/", "/"],
  ["", ""],
  ["?page=2", "?page=2"],
  ["#top", "#top"],
  ["../x", "../x"],
  ["/a%20b%2Fc", "/a%20b%2Fc"],
  ["/a b", "/a%20b"],
  ["/100%", "/100%25"],
  ["/%zz", "/%25zz"],
  ["/é", "/%C3%A9"],
  ["/☃?q=☃#☃", "/%E2%98%83?q=%E2%98%83#%E2%98%83"],
  ["/💡", "/%F0%9F%92%A1"],
  ['/"<x>"', "/%22%3Cx%3E%22"],
  ["/{x}|^`", "/%7Bx%7D%7C%5E%60"],
  ["/a//b", "/a//b"],
  ["/x:y", "/x:y"],
  ["/?next=//evil.example", "/?next=//evil.example"],
  ["https://example.org/é", "https://example.org/%C3%A9"],
  ["HTTP://example.org", "HTTP://example.org"],
  ["http://[::1]:3000/", "http://[::1]:3000/"],
  ["https://example.org/@b", "https://example.org/@b"],
  ["https://example.org?@b", "https://example.org?@b"],
  ["/@b", "/@b"],
  ["/\u017f\u212a", "/%C5%BF%E2%84%AA"],
  ["/%C5%bf", "/%C5%bf"],
];

const REFUSED = [
  "//evil.example",
  "///evil.example",
  "\\\\evil.example",
  "/\\evil.example",
  "/a\\b",
  " //evil.example",
  " /x",
  "\t//evil.example",
  "/\t/evil.example",
  "/a\r\nx-forged: 1",
  "/\n/evil.example",
  "/a\0",
  "/\u0085",
  "/\ud800",
  "javascript:alert(1)",
  "JavaScript:alert(1)",
  "java\tscript:alert(1)",
  "data:text/html,x",
  "mailto:a@example.org",
  "http:evil.example",
  "https:/evil.example",
  "https:///evil.example",
  "http://",
  "https://bank.example@evil.example/",
  "HTTP://bank.example:x@evil.example",
  "x:y",
];

/** @param {Velocy} velocy */
export function testRedirects(velocy) {
  for (const [location, sent] of SENT) {
    test(`sends ${JSON.stringify(location)} as ${sent}`, async (t) => {
      const { ask } = await serve(t, velocy, (_req, res) => {
        res.redirect(location);
      });
      const answer = await ask();
      assert.equal(answer.statusCode, 303);
      assert.equal(field(answer, "location"), sent);
      assert.doesNotMatch(answer.body, /evil|example|%/);
    });
  }

  for (const location of [...REFUSED, undefined, null, 7, {}]) {
    test(`refuses ${JSON.stringify(location)}`, async (t) => {
      const { ask, told } = await serve(t, velocy, (_req, res) => {
        res.redirect(location);
      });
      const answer = await ask();
      assert.equal(answer.statusCode, 500);
      assert.equal(field(answer, "location"), undefined);
      assert.equal(told[0]?.code, "ERR_LOCATION_INVALID");
    });
  }

  for (const code of [301, 302, 303, 307, 308]) {
    test(`redirects with ${code}`, async (t) => {
      const { ask } = await serve(t, velocy, (_req, res) =>
        res.redirect("/x", code),
      );
      assert.equal((await ask()).statusCode, code);
    });
  }

  for (const code of [200, 300, 304, 305, 306, 400, "303"]) {
    test(`doesn't redirect with ${JSON.stringify(code)}`, async (t) => {
      const { ask, told } = await serve(t, velocy, (_req, res) =>
        res.redirect("/x", code),
      );
      const answer = await ask();
      assert.equal(answer.statusCode, 500);
      assert.equal(told[0]?.code, "ERR_REDIRECT_INVALID");
    });
  }
}
