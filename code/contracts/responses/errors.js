/**
 * What a client gets that gets no answer from a handler, or an error.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { field, serve, serveRouter } from "./server.js";

/** @import { Velocy } from "./server.js" */

const TEXT = "text/plain; charset=utf-8";
const PROBLEM = "application/problem+json";

/** RFC 9110, section 12.5.1. @type {[accept: string | null, type: string][]} */
const READERS = [
  [null, TEXT],
  ["*/*", TEXT],
  ["text/html, */*;q=0.8", TEXT],
  ["text/plain, application/json", TEXT],
  ["image/png", TEXT],
  ["application/json", PROBLEM],
  ["application/problem+json", PROBLEM],
  ["application/json, text/plain;q=0.9, */*;q=0.1", PROBLEM],
  ["application/*", PROBLEM],
  ["text/plain;q=0, */*", PROBLEM],
];

/** @param {Velocy} velocy */
export function testErrors(velocy) {
  const { HttpError } = velocy;

  for (const code of [400, 404, 418, 499, 500, 503, 599]) {
    test(`answers ${code} with its message`, async (t) => {
      const { ask, told } = await serve(t, velocy, () => {
        throw new HttpError(code, "told");
      });
      const answer = await ask();
      assert.equal(answer.statusCode, code);
      assert.equal(answer.body, "told\n");
      assert.equal(told.length, code < 500 ? 0 : 1);
    });
  }

  for (const code of [0, 200, 399, 600, 404.5, "404", undefined]) {
    test(`is no error with the status ${code}`, () => {
      assert.throws(() => new HttpError(code), {
        code: "ERR_STATUS_INVALID",
      });
    });
  }

  test("knows the field that can't be sent where it is made", () => {
    for (const headers of [{ "a b": "1" }, { a: "1\r\nb: 2" }]) {
      assert.throws(() => new HttpError(404, "x", { headers }), {
        code: /ERR_INVALID_(HTTP_TOKEN|CHAR)/,
      });
    }
  });

  test("refuses headers whose names it would lose", () => {
    const fields = { "retry-after": "5" };
    const pairs = Object.entries(fields);
    for (const headers of [new Headers(fields), new Map(pairs), pairs]) {
      assert.throws(() => new HttpError(503, "later", { headers }), {
        code: "ERR_HEADERS_INVALID",
      });
    }
  });

  test("is an Error, and keeps its cause to itself", async (t) => {
    const cause = new Error("secret");
    const err = new HttpError(503, "later", { cause });
    assert.ok(err instanceof Error, "an Error");
    assert.equal(err.cause, cause);
    assert.equal("cause" in new HttpError(404), false);
    const { ask, told } = await serve(t, velocy, async () => {
      throw err;
    });
    const accept = { Accept: "application/json" };
    assert.doesNotMatch((await ask("GET", "/", accept)).text, /secret/);
    assert.equal(told[0], err);
  });

  for (const [accept, type] of READERS) {
    test(`is told as ${type} to ${accept ?? "whoever says nothing"}`, async (t) => {
      const { ask } = await serve(t, velocy, () => {
        throw new HttpError(404, "no such user");
      });
      const fields = accept === null ? undefined : { Accept: accept };
      const answer = await ask("GET", "/", fields);
      assert.equal(field(answer, "content-type"), type);
      assert.equal(field(answer, "vary"), "accept");
      const length = Number(field(answer, "content-length"));
      assert.equal(length, answer.body.length);
      if (type === TEXT) return assert.equal(answer.body, "no such user\n");
      assert.deepEqual(JSON.parse(answer.body), {
        title: "Not Found",
        status: 404,
        detail: "no such user",
      });
    });
  }

  test("has members of its own, which can't forge the others", async (t) => {
    const { ask } = await serve(t, velocy, () => {
      throw new HttpError(403, "not enough", {
        type: "https://example.org/no-credit",
        title: "No credit",
        balance: 30,
        status: 200,
        detail: "forged",
        headers: { "x-balance": "30" },
      });
    });
    const answer = await ask("GET", "/", { Accept: "application/json" });
    assert.equal(field(answer, "x-balance"), "30");
    assert.deepEqual(JSON.parse(answer.body), {
      type: "https://example.org/no-credit",
      title: "No credit",
      balance: 30,
      status: 403,
      detail: "not enough",
    });
  });

  test("has no fields but its own", async (t) => {
    const { ask } = await serve(t, velocy, (_req, res) => {
      res.setHeader("content-type", "image/png");
      res.setHeader("etag", '"x"');
      res.setHeader("cache-control", "max-age=60");
      throw new HttpError(404, "x", { headers: { "retry-after": "5" } });
    });
    const answer = await ask();
    assert.equal(field(answer, "etag"), undefined);
    assert.equal(field(answer, "cache-control"), undefined);
    assert.equal(field(answer, "content-type"), TEXT);
    assert.equal(field(answer, "retry-after"), "5");
  });

  test("cuts what has begun, and is told", async (t) => {
    const { ask, told } = await serve(t, velocy, (_req, res) => {
      res.write("half");
      throw new HttpError(404, "too late");
    });
    const answer = await ask();
    assert.doesNotMatch(answer.text, /too late|0\r\n\r\n$/);
    assert.equal(told.length, 1);
  });

  for (const thrown of [new Error("secret"), "secret", undefined, null]) {
    test(`gives 500 without a word for ${thrown}`, async (t) => {
      const { ask, told } = await serve(t, velocy, () => {
        throw thrown;
      });
      const answer = await ask("GET", "/", { Accept: "application/json" });
      assert.equal(answer.statusCode, 500);
      assert.deepEqual(JSON.parse(answer.body), {
        title: "Internal Server Error",
        status: 500,
      });
      assert.deepEqual(told, [thrown]);
    });
  }

  /** @type {[method: string, target: string, number][]} */
  const nobody = [
    ["GET", "/none", 404],
    ["POST", "/here", 405],
    ["GET", "/a//b", 400],
  ];
  for (const [method, target, code] of nobody) {
    test(`is the same where nobody threw: ${code}`, async (t) => {
      const router = new velocy.Router().get("/here", () => "x");
      const { ask, told } = await serveRouter(t, velocy, router);
      const json = await ask(method, target, {
        Accept: "application/json",
      });
      assert.equal(json.statusCode, code);
      assert.equal(field(json, "content-type"), PROBLEM);
      assert.deepEqual(JSON.parse(json.body).status, code);
      const text = await ask(method, target);
      assert.equal(field(text, "content-type"), TEXT);
      const head = await ask("HEAD", "/none");
      assert.equal(head.body, "");
      assert.equal(field(head, "content-length"), "10");
      assert.deepEqual(told, []);
    });
  }
}
