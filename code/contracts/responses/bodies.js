/**
 * What a handler answers with, or returns, and what is sent of it.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { field, serve } from "./server.js";

/** @import { Velocy } from "./server.js" */

const TEXT = "text/plain; charset=utf-8";
const HTML = "text/html; charset=utf-8";
const JSON_TYPE = "application/json";
const BYTES = "application/octet-stream";

const bytes = new Uint8Array([0, 104, 105, 0]).subarray(1, 3);

/** @type {[what: string, type: string, body: string, use: (res: any) => unknown][]} */
const METHODS = [
  [
    "json of an object",
    JSON_TYPE,
    '{"a":"Ã©"}',
    (res) => res.json({ a: "é" }),
  ],
  ["json of a string", JSON_TYPE, '"x"', (res) => res.json("x")],
  ["json of null", JSON_TYPE, "null", (res) => res.json(null)],
  ["text", TEXT, "Ã©", (res) => res.text("é")],
  ["empty text", TEXT, "", (res) => res.text("")],
  ["html", HTML, "<p>â\x98\x83", (res) => res.html("<p>☃")],
];

/**
 * @param {Velocy} velocy
 */
export function testMethods(velocy) {
  for (const [what, type, body, use] of METHODS) {
    test(`sends ${what} with its type, and its length in bytes`, async (t) => {
      const { ask } = await serve(t, velocy, (_req, res) => {
        use(res);
      });
      const answer = await ask();
      assert.equal(answer.statusCode, 200);
      assert.equal(field(answer, "content-type"), type);
      assert.equal(field(answer, "content-length"), String(body.length));
      assert.equal(answer.body, body);
    });

    test(`gives HEAD the fields of GET: ${what}`, async (t) => {
      const { ask } = await serve(t, velocy, (_req, res) => {
        use(res);
      });
      const answer = await ask("HEAD");
      assert.equal(field(answer, "content-type"), type);
      assert.equal(field(answer, "content-length"), String(body.length));
      assert.equal(answer.body, "");
    });
  }

  test("leaves a type and a status that the handler has set", async (t) => {
    const { ask } = await serve(t, velocy, (_req, res) => {
      res.status(418).setHeader("content-type", "application/x+json");
      res.json({});
    });
    const answer = await ask();
    assert.equal(answer.statusCode, 418);
    assert.equal(field(answer, "content-type"), "application/x+json");
  });

  test("corrects a length that the handler has set", async (t) => {
    const { ask } = await serve(t, velocy, (_req, res) => {
      res.setHeader("content-length", 1);
      res.text("whole");
    });
    const answer = await ask();
    assert.equal(field(answer, "content-length"), "5");
    assert.equal(answer.body, "whole");
  });

  for (const code of [
    0,
    99,
    100,
    101,
    199,
    600,
    1000,
    200.5,
    "200",
    Number.NaN,
  ]) {
    test(`refuses status(${code})`, async (t) => {
      const { ask, told } = await serve(t, velocy, (_req, res) => {
        res.status(code).text("x");
      });
      assert.equal((await ask()).statusCode, 500);
      assert.equal(told[0]?.code, "ERR_STATUS_INVALID");
    });
  }

  /** @type {[what: string, use: (res: any) => unknown][]} */
  const refused = [
    ["text of a number", (res) => res.text(1)],
    ["text of nothing", (res) => res.text()],
    ["html of an object", (res) => res.html({})],
    ["json of undefined", (res) => res.json()],
    ["json of a function", (res) => res.json(() => {})],
  ];
  for (const [what, use] of refused) {
    test(`refuses ${what}`, async (t) => {
      const { ask, told } = await serve(t, velocy, (_req, res) => use(res));
      assert.equal((await ask()).statusCode, 500);
      assert.equal(told[0]?.code, "ERR_BODY_INVALID");
    });
  }
}

/** @type {[what: string, type: string, body: string, value: unknown][]} */
const VALUES = [
  ["a string", TEXT, "hi", "hi"],
  ["a string beyond ASCII", TEXT, "â\x98\x83", "☃"],
  ["an empty string", TEXT, "", ""],
  ["a part of an array of bytes", BYTES, "hi", bytes],
  ["a Buffer", BYTES, "hi", Buffer.from("hi")],
  ["an ArrayBuffer", BYTES, "hi", new Uint8Array([104, 105]).buffer],
  ["an object", JSON_TYPE, '{"a":1}', { a: 1 }],
  ["an array", JSON_TYPE, "[1]", [1]],
  ["null", JSON_TYPE, "null", null],
  ["zero", JSON_TYPE, "0", 0],
  ["false", JSON_TYPE, "false", false],
  [
    "what has a toJSON",
    JSON_TYPE,
    '"1970-01-01T00:00:00.000Z"',
    new Date(0),
  ],
];

/** @param {Velocy} velocy */
export function testReturned(velocy) {
  for (const [what, type, body, value] of VALUES) {
    for (const how of ["returned", "promised"]) {
      test(`sends ${what} that is ${how}`, async (t) => {
        const { ask } = await serve(t, velocy, () =>
          how === "returned" ? value : Promise.resolve(value),
        );
        for (const method of ["GET", "POST", "HEAD"]) {
          const answer = await ask(method);
          assert.equal(answer.statusCode, 200);
          assert.equal(field(answer, "content-type"), type);
          assert.equal(field(answer, "content-length"), `${body.length}`);
          assert.equal(answer.body, method === "HEAD" ? "" : body);
        }
      });
    }
  }

  test("leaves a type, a status and fields that are set", async (t) => {
    const { ask } = await serve(t, velocy, (_req, res) => {
      res.status(201).setHeader("content-type", "text/csv");
      res.setHeader("location", "/1");
      return "a,b\n";
    });
    const answer = await ask();
    assert.equal(answer.statusCode, 201);
    assert.equal(field(answer, "content-type"), "text/csv");
    assert.equal(field(answer, "location"), "/1");
  });

  test("waits for whatever has a method then", async (t) => {
    const { ask } = await serve(t, velocy, () => ({
      // biome-ignore lint/suspicious/noThenProperty: a query builder's way
      then: (/** @type {(value: unknown) => void} */ resolve) => {
        setImmediate(resolve, "later");
      },
    }));
    assert.equal((await ask()).body, "later");
  });

  test("waits for a handler that returns nothing, or the response", async (t) => {
    const { ask } = await serve(t, velocy, (req, res) => {
      setImmediate(() => res.end("later"));
      return req.url === "/res" ? res : undefined;
    });
    assert.equal((await ask()).body, "later");
    assert.equal((await ask("GET", "/res")).body, "later");
  });

  /** @type {Record<string, unknown>} */
  const cycle = {};
  cycle.cycle = cycle;
  /** @type {[what: string, value: unknown][]} */
  const refused = [
    ["a function", () => {}],
    ["a symbol", Symbol("x")],
    ["a BigInt", 1n],
    ["a cycle", cycle],
    ["an error", new Error("secret")],
    ["an array of 16-bit numbers", new Uint16Array(2)],
    ["a web Response", new Response("x")],
  ];
  for (const [what, value] of refused) {
    for (const how of ["returned", "promised"]) {
      test(`refuses ${what} that is ${how}`, async (t) => {
        const { ask, told } = await serve(t, velocy, () =>
          how === "returned" ? value : Promise.resolve(value),
        );
        const answer = await ask();
        assert.equal(answer.statusCode, 500);
        assert.doesNotMatch(answer.text, /secret/);
        assert.equal(told.length, 1);
      });
    }
  }

  test("says what to do with bytes, and with a web Response", async (t) => {
    const { ask, told } = await serve(t, velocy, (req, res) => {
      if (req.url === "/bytes") return res.json(new Uint8Array(2));
      return new Response("x");
    });
    await ask("GET", "/bytes");
    assert.match(told[0].message, /return bytes as a Uint8Array/);
    await ask();
    assert.match(told[1].message, /a web Response can't be sent/);
  });

  test("says which error was returned", async (t) => {
    const { ask, told } = await serve(t, velocy, () => new Error("secret"));
    assert.doesNotMatch((await ask()).text, /secret/);
    assert.match(told[0].message, /the error "secret" can't be sent/);
  });

  test("reports a value behind an answer, and leaves the answer", async (t) => {
    const { ask, told } = await serve(t, velocy, (_req, res) => {
      res.end("first");
      return "second";
    });
    assert.equal((await ask()).body, "first");
    assert.equal(told[0]?.code, "ERR_ANSWERED");
  });

  test("reports a second answer by a method, and speaks of no value", async (t) => {
    const { ask, told } = await serve(t, velocy, (_req, res) => {
      res.text("first");
      res.json("second");
    });
    assert.equal((await ask()).body, "first");
    assert.equal(told[0]?.code, "ERR_ANSWERED");
    assert.doesNotMatch(told[0].message, /value|return/);
  });

  test("does everything through writeHead and end of the object", async (t) => {
    const calls = new Set();
    const { ask } = await serve(t, velocy, (_req, res) => {
      const { writeHead, end } = res;
      res.writeHead = function patched(/** @type {any[]} */ ...args) {
        calls.add("writeHead");
        return writeHead.apply(this, args);
      };
      res.end = function patched(/** @type {any[]} */ ...args) {
        calls.add("end");
        return end.apply(this, args);
      };
      return { a: 1 };
    });
    assert.equal((await ask()).body, '{"a":1}');
    assert.deepEqual([...calls].sort(), ["end", "writeHead"]);
  });
}
