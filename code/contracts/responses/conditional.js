/**
 * Preconditions: RFC 9110, section 13, every row of 13.2.2's order.
 */
import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { test } from "node:test";
import { field, serve } from "./server.js";

/** @import { Velocy } from "./server.js" */

const THEN = "Sun, 06 Nov 1994 08:49:37 GMT";
const EARLIER = "Sun, 06 Nov 1994 08:49:36 GMT";
const LATER = "Sun, 06 Nov 1994 08:49:38 GMT";
const AT = Date.UTC(1994, 10, 6, 8, 49, 37);

/**
 * @typedef {object} Row
 * @property {string} section of RFC 9110
 * @property {Record<string, string>} fields of the request
 * @property {{ etag?: string, lastModified?: number }} validators
 * @property {number} read the status for GET and HEAD
 * @property {number} write the status for PUT, PATCH, POST and DELETE
 */

const strong = { etag: '"a"', lastModified: AT };
const weak = { etag: 'W/"a"', lastModified: AT };
const undated = { etag: '"a"' };
const untagged = { lastModified: AT };
const nothing = {};

/** @type {[section: string, fields: Record<string, string>, validators: Row["validators"], read: number, write: number][]} */
const ROWS = [
  ["13.2.2", {}, strong, 200, 200],
  ["13.2.2", {}, nothing, 200, 200],

  // Step 1: If-Match, by strong comparison.
  ["13.1.1", { "if-match": '"a"' }, strong, 200, 200],
  ["13.1.1", { "if-match": '"b"' }, strong, 412, 412],
  ["13.1.1", { "if-match": '"b", "a"' }, strong, 200, 200],
  ["13.1.1", { "if-match": '"b","a"' }, strong, 200, 200],
  ["13.1.1", { "if-match": "*" }, strong, 200, 200],
  ["13.1.1", { "if-match": "*" }, untagged, 200, 200],
  ["13.1.1", { "if-match": "*" }, nothing, 412, 412],
  ["13.1.1", { "if-match": '"a"' }, nothing, 412, 412],
  ["13.1.1", { "if-match": 'W/"a"' }, strong, 412, 412],
  ["13.1.1", { "if-match": 'W/"a"' }, weak, 412, 412],
  ["13.1.1", { "if-match": '"a"' }, weak, 412, 412],
  ["13.1.1", { "if-match": '"A"' }, strong, 412, 412],
  ["13.1.1", { "if-match": "" }, strong, 412, 412],
  ["13.1.1", { "if-match": "a" }, strong, 412, 412],
  ["8.8.3", { "if-match": '"a,b"' }, { etag: '"a,b"' }, 200, 200],
  ["8.8.3", { "if-match": '"a,b"' }, { etag: '"b"' }, 412, 412],
  ["8.8.3", { "if-match": '""' }, { etag: '""' }, 200, 200],

  // Step 2: If-Unmodified-Since, only without If-Match.
  ["13.1.4", { "if-unmodified-since": THEN }, strong, 200, 200],
  ["13.1.4", { "if-unmodified-since": LATER }, strong, 200, 200],
  ["13.1.4", { "if-unmodified-since": EARLIER }, strong, 412, 412],
  ["13.1.4", { "if-unmodified-since": EARLIER }, undated, 200, 200],
  ["13.1.4", { "if-unmodified-since": EARLIER }, nothing, 200, 200],
  ["13.1.4", { "if-unmodified-since": "1990" }, strong, 200, 200],
  [
    "13.1.1",
    { "if-match": '"a"', "if-unmodified-since": EARLIER },
    strong,
    200,
    200,
  ],
  [
    "13.1.1",
    { "if-match": '"b"', "if-unmodified-since": LATER },
    strong,
    412,
    412,
  ],

  // Step 3: If-None-Match, by weak comparison.
  ["13.1.2", { "if-none-match": '"a"' }, strong, 304, 412],
  ["13.1.2", { "if-none-match": '"b"' }, strong, 200, 200],
  ["13.1.2", { "if-none-match": 'W/"a"' }, strong, 304, 412],
  ["13.1.2", { "if-none-match": '"a"' }, weak, 304, 412],
  ["13.1.2", { "if-none-match": 'W/"a"' }, weak, 304, 412],
  ["13.1.2", { "if-none-match": '"x,y", "a"' }, strong, 304, 412],
  ["13.1.2", { "if-none-match": '"x" , W/"a",' }, strong, 304, 412],
  ["13.1.2", { "if-none-match": "*" }, strong, 304, 412],
  ["13.1.2", { "if-none-match": " * " }, strong, 304, 412],
  ["13.1.2", { "if-none-match": "*" }, untagged, 304, 412],
  ["13.1.2", { "if-none-match": "*" }, nothing, 200, 200],
  ["13.1.2", { "if-none-match": '"*"' }, strong, 200, 200],
  ["13.1.2", { "if-none-match": '"a"' }, nothing, 200, 200],
  ["13.1.2", { "if-none-match": "a" }, strong, 200, 200],
  ["13.1.2", { "if-none-match": "" }, strong, 200, 200],
  ["13.1.2", { "if-none-match": '"a' }, strong, 200, 200],
  ["8.8.3.2", { "if-none-match": '"W/a"' }, strong, 200, 200],

  // Step 4: If-Modified-Since, only without If-None-Match, only to read.
  ["13.1.3", { "if-modified-since": THEN }, strong, 304, 200],
  ["13.1.3", { "if-modified-since": LATER }, strong, 304, 200],
  ["13.1.3", { "if-modified-since": EARLIER }, strong, 200, 200],
  ["13.1.3", { "if-modified-since": THEN }, untagged, 304, 200],
  [
    "13.1.3",
    { "if-modified-since": THEN },
    { lastModified: AT + 999 },
    304,
    200,
  ],
  ["13.1.3", { "if-modified-since": LATER }, undated, 200, 200],
  ["13.1.3", { "if-modified-since": LATER }, nothing, 200, 200],
  ["13.1.3", { "if-modified-since": "2027" }, strong, 200, 200],
  ["13.1.3", { "if-modified-since": `${THEN}, ${THEN}` }, strong, 200, 200],
  [
    "13.1.3",
    { "if-modified-since": "Sunday, 06-Nov-94 08:49:37 GMT" },
    strong,
    304,
    200,
  ],
  [
    "13.1.3",
    { "if-modified-since": "Sun Nov  6 08:49:37 1994" },
    strong,
    304,
    200,
  ],
  [
    "13.1.2",
    { "if-none-match": '"b"', "if-modified-since": LATER },
    strong,
    200,
    200,
  ],
  [
    "13.1.2",
    { "if-none-match": '"a"', "if-modified-since": EARLIER },
    strong,
    304,
    412,
  ],
  [
    "13.1.2",
    { "if-none-match": '"b"', "if-modified-since": LATER },
    untagged,
    200,
    200,
  ],

  // Several steps one after another.
  [
    "13.2.2",
    { "if-match": '"a"', "if-none-match": '"a"' },
    strong,
    304,
    412,
  ],
  [
    "13.2.2",
    { "if-match": '"b"', "if-none-match": '"b"' },
    strong,
    412,
    412,
  ],
  [
    "13.2.2",
    { "if-match": '"a"', "if-none-match": '"b"' },
    strong,
    200,
    200,
  ],
  [
    "13.2.2",
    { "if-match": '"a"', "if-modified-since": THEN },
    strong,
    304,
    200,
  ],
  [
    "13.2.2",
    { "if-unmodified-since": THEN, "if-none-match": '"a"' },
    strong,
    304,
    412,
  ],
  [
    "13.2.2",
    { "if-unmodified-since": EARLIER, "if-none-match": '"a"' },
    strong,
    412,
    412,
  ],
  [
    "13.2.2",
    { "if-unmodified-since": THEN, "if-modified-since": THEN },
    strong,
    304,
    200,
  ],
];

/**
 * @param {(method: string, fields: any, validators: any) => number} judgePreconditions
 */
export function testPreconditions(judgePreconditions) {
  for (const [section, fields, validators, read, write] of ROWS) {
    const asked = JSON.stringify(fields);
    const there = JSON.stringify(validators);
    test(`${section}: ${asked} with ${there}`, () => {
      for (const method of ["GET", "HEAD"]) {
        const judged = judgePreconditions(method, fields, validators);
        assert.equal(judged, read, method);
      }
      for (const method of ["PUT", "PATCH", "POST", "DELETE"]) {
        const judged = judgePreconditions(method, fields, validators);
        assert.equal(judged, write, method);
      }
    });
  }

  test("takes a Date for a number", () => {
    const fields = { "if-modified-since": THEN };
    const validators = { lastModified: new Date(AT) };
    assert.equal(judgePreconditions("GET", fields, validators), 304);
  });
}

/** RFC 9110, section 5.6.7. @type {[text: string, time: number][]} */
const DATES = [
  [THEN, AT],
  ["Sunday, 06-Nov-94 08:49:37 GMT", AT],
  ["Sun Nov  6 08:49:37 1994", AT],
  ["Wed Nov 16 08:49:37 1994", AT + 10 * 86_400_000],
  ["Thu, 29 Feb 2024 00:00:00 GMT", Date.UTC(2024, 1, 29)],
  ["Thu, 01 Jan 1970 00:00:00 GMT", 0],
  ["Wed, 31 Dec 1969 23:59:59 GMT", -1000],
  ["Fri, 30 Dec 2016 23:59:60 GMT", Date.UTC(2016, 11, 31)],
  ["Thu, 01 Jan 0094 00:00:00 GMT", Number.NaN],
  ["Fri, 30 Feb 2024 00:00:00 GMT", Number.NaN],
  ["Wed, 29 Feb 2023 00:00:00 GMT", Number.NaN],
  ["Sun, 06 Nov 1994 24:00:00 GMT", Number.NaN],
  ["Sun, 06 Nov 1994 08:60:00 GMT", Number.NaN],
  ["Sun, 06 Nov 1994 08:49:61 GMT", Number.NaN],
  ["Sun, 6 Nov 1994 08:49:37 GMT", Number.NaN],
  ["Sun, 00 Nov 1994 08:49:37 GMT", Number.NaN],
  ["sun, 06 nov 1994 08:49:37 gmt", Number.NaN],
  ["Sun, 06 Nov 1994 08:49:37 UTC", Number.NaN],
  ["Sun, 06 Nov 1994 08:49:37 +0000", Number.NaN],
  ["Sun, 06 Nov 1994 08:49:37", Number.NaN],
  ["Sun, 06 Nov 94 08:49:37 GMT", Number.NaN],
  [` ${THEN}`, Number.NaN],
  [`${THEN} `, Number.NaN],
  ["1994-11-06T08:49:37Z", Number.NaN],
  ["2027", Number.NaN],
  ["0", Number.NaN],
  ["", Number.NaN],
];

/**
 * @param {(text: string) => number} parseDate
 * @param {(date: Date | number) => string} formatDate
 */
export function testDates(parseDate, formatDate) {
  for (const [text, time] of DATES) {
    const what = Number.isNaN(time)
      ? "is no date"
      : new Date(time).toISOString();
    test(`${JSON.stringify(text)} ${what}`, () => {
      assert.equal(parseDate(text), time);
    });
  }

  test("reads two digits of a year by the nearest half century", () => {
    const year = new Date().getUTCFullYear();
    const inYear = (/** @type {number} */ y) =>
      `Monday, 01-Jun-${String(y % 100).padStart(2, "0")} 00:00:00 GMT`;
    for (const y of [year, year + 49, year - 49]) {
      assert.equal(new Date(parseDate(inYear(y))).getUTCFullYear(), y);
    }
  });

  test("reads what it writes", () => {
    for (let time = -1e12; time < 4e12; time += 7_777_777_000) {
      assert.equal(parseDate(formatDate(time)), time);
    }
    assert.equal(formatDate(new Date(AT)), THEN);
  });
}

/**
 * @param {any} etag the module: etagOf, isSameStrong, isSameWeak, tagsOf
 */
export function testTags({ etagOf, isSameStrong, isSameWeak, tagsOf }) {
  // RFC 9110, section 8.8.3.2: the table of examples.
  for (const [a, b, strongly, weakly] of /** @type {const} */ ([
    ['W/"1"', 'W/"1"', false, true],
    ['W/"1"', 'W/"2"', false, false],
    ['W/"1"', '"1"', false, true],
    ['"1"', '"1"', true, true],
  ])) {
    test(`compares ${a} with ${b}`, () => {
      assert.equal(isSameStrong(a, b), strongly);
      assert.equal(isSameStrong(b, a), strongly);
      assert.equal(isSameWeak(a, b), weakly);
      assert.equal(isSameWeak(b, a), weakly);
    });
  }

  for (const [list, tags] of /** @type {[string, string[]][]} */ ([
    ['"a"', ['"a"']],
    ['"a", W/"b",, "c,d" ,""', ['"a"', 'W/"b"', '"c,d"', '""']],
    ["", []],
    ["a, b", []],
    ['"a', []],
  ])) {
    test(`finds ${tags.length} tags in ${JSON.stringify(list)}`, () => {
      assert.deepEqual([...tagsOf(list)], tags);
    });
  }

  test("gives the same bytes the same strong tag, and others another", () => {
    const tag = etagOf("é");
    assert.match(tag, /^"[!#-~]{10,40}"$/);
    assert.equal(etagOf(Buffer.from("é")), tag);
    const tags = new Set();
    for (let i = 0; i < 10_000; i += 1) tags.add(etagOf(String(i)));
    assert.equal(tags.size, 10_000);
  });
}

/** @param {Velocy} velocy */
export function testConditionalAnswers(velocy) {
  const tagged = (/** @type {any} */ _req, /** @type {any} */ res) => {
    res.setHeader("ETag", '"a"');
    res.setHeader("Last-Modified", THEN);
    res.setHeader("Cache-Control", "no-cache");
    res.setHeader("Content-Language", "en");
    res.setHeader("Vary", "accept");
    res.setHeader("Set-Cookie", "a=1");
    return { a: 1 };
  };

  for (const method of ["GET", "HEAD"]) {
    test(`answers ${method} with 304 by itself`, async (t) => {
      const { ask } = await serve(t, velocy, tagged);
      const answer = await ask(method, "/", { "If-None-Match": 'W/"a"' });
      assert.equal(answer.statusCode, 304);
      assert.equal(answer.body, "");
      // RFC 9110, section 15.4.5.
      assert.equal(field(answer, "etag"), '"a"');
      assert.equal(field(answer, "cache-control"), "no-cache");
      assert.equal(field(answer, "vary"), "accept");
      assert.equal(field(answer, "set-cookie"), "a=1");
      assert.ok(field(answer, "date"), "a Date");
      assert.equal(field(answer, "content-type"), undefined);
      assert.equal(field(answer, "content-length"), undefined);
      assert.equal(field(answer, "content-language"), undefined);
    });
  }

  test("sends the whole where the version is another", async (t) => {
    const { ask } = await serve(t, velocy, tagged);
    for (const fields of [
      {},
      { "If-None-Match": '"b"' },
      { "If-Modified-Since": EARLIER },
      { "If-None-Match": '"b"', "If-Modified-Since": THEN },
    ]) {
      const answer = await ask("GET", "/", /** @type {any} */ (fields));
      assert.equal(answer.statusCode, 200);
      assert.equal(answer.body, '{"a":1}');
    }
  });

  test("goes by the date where there is no tag", async (t) => {
    const { ask } = await serve(t, velocy, (_req, res) => {
      res.setHeader("last-modified", THEN);
      return "x";
    });
    const then = await ask("GET", "/", { "If-Modified-Since": THEN });
    assert.equal(then.statusCode, 304);
    const never = await ask("GET", "/", { "If-Modified-Since": "2027" });
    assert.equal(never.statusCode, 200);
  });

  test("answers 412 where If-Match names another version", async (t) => {
    const { ask } = await serve(t, velocy, tagged);
    const answer = await ask("GET", "/", { "If-Match": '"b"' });
    assert.equal(answer.statusCode, 412);
    assert.equal(answer.body, "Precondition Failed\n");
  });

  // RFC 9111, section 3: with one of these a cache may keep any status.
  test("lets no cache keep a 412", async (t) => {
    const { ask } = await serve(t, velocy, (req, res) => {
      res.setHeader("Cache-Control", "public, max-age=60");
      res.setHeader("Expires", "Fri, 31 Dec 2100 23:59:59 GMT");
      if (req.url === "/held") {
        return res.preconditionsHold({ etag: '"a"' }) ? "x" : undefined;
      }
      res.setHeader("ETag", '"a"');
      return "x";
    });
    for (const target of ["/held", "/sent"]) {
      const answer = await ask("GET", target, { "If-Match": '"b"' });
      assert.equal(answer.statusCode, 412);
      assert.equal(field(answer, "cache-control"), undefined);
      assert.equal(field(answer, "expires"), undefined);
      const same = await ask("GET", target, { "If-None-Match": '"a"' });
      assert.equal(same.statusCode, 304);
      assert.equal(field(same, "cache-control"), "public, max-age=60");
    }
  });

  test("sends the whole where the tag is none", async (t) => {
    const { ask, told } = await serve(t, velocy, (_req, res) => {
      res.setHeader("etag", 5);
      return "x";
    });
    const answer = await ask("GET", "/", { "If-None-Match": '"5"' });
    assert.equal(answer.statusCode, 200);
    assert.deepEqual(told, []);
  });

  test("judges only what succeeds, and only what reads", async (t) => {
    const fields = { "If-None-Match": '"a"' };
    const { ask: askLost } = await serve(t, velocy, (req, res) => {
      res.status(404);
      return tagged(req, res);
    });
    assert.equal((await askLost("GET", "/", fields)).statusCode, 404);
    const { ask } = await serve(t, velocy, tagged);
    assert.equal((await ask("POST", "/", fields)).statusCode, 200);
  });

  test("judges json, text and html as what is returned", async (t) => {
    for (const method of ["json", "text", "html"]) {
      const { ask } = await serve(t, velocy, (_req, res) => {
        res.setHeader("etag", '"a"');
        res[method]("x");
      });
      const answer = await ask("GET", "/", { "If-None-Match": '"a"' });
      assert.equal(answer.statusCode, 304);
    }
  });

  test("doesn't start a stream that nobody needs", async (t) => {
    let hasBegun = false;
    const { ask } = await serve(t, velocy, (_req, res) => {
      res.setHeader("etag", '"a"');
      return (async function* () {
        hasBegun = true;
        yield "x";
      })();
    });
    const answer = await ask("GET", "/", { "If-None-Match": '"a"' });
    assert.equal(answer.statusCode, 304);
    assert.equal(hasBegun, false);
    const stream = new Readable({ read() {} });
    const { ask: askStream } = await serve(t, velocy, (_req, res) => {
      res.setHeader("etag", '"a"');
      return stream;
    });
    await askStream("GET", "/", { "If-None-Match": '"a"' });
    assert.equal(stream.destroyed, true);
  });
}

/** @param {Velocy} velocy */
export function testPreconditionsHold(velocy) {
  test("lets a program ask before it writes", async (t) => {
    /** @type {{ etag?: string }} */
    let current = {};
    let writes = 0;
    const { ask } = await serve(t, velocy, (_req, res) => {
      if (!res.preconditionsHold(current)) return;
      writes += 1;
      current = { etag: `"${writes}"` };
      res.status(204).end();
    });
    const put = async (/** @type {Record<string, string>} */ fields) =>
      (await ask("PUT", "/", fields)).statusCode;
    assert.equal(await put({ "If-Match": "*" }), 412);
    assert.equal(await put({ "If-None-Match": "*" }), 204);
    assert.equal(await put({ "If-None-Match": "*" }), 412);
    assert.equal(await put({ "If-Match": '"1"' }), 204);
    assert.equal(await put({ "If-Match": '"1"' }), 412);
    assert.equal(await put({}), 204);
    assert.equal(writes, 3);
  });

  test("sets the fields for who reads, and answers 304", async (t) => {
    const { ask } = await serve(t, velocy, (_req, res) => {
      const lastModified = new Date(AT + 500);
      if (!res.preconditionsHold({ etag: '"a"', lastModified })) return;
      return "x";
    });
    const whole = await ask();
    assert.equal(field(whole, "etag"), '"a"');
    assert.equal(field(whole, "last-modified"), THEN);
    assert.equal(whole.body, "x");
    const same = await ask("GET", "/", { "If-Modified-Since": THEN });
    assert.equal(same.statusCode, 304);
    assert.equal(field(same, "etag"), '"a"');
    const put = await ask("PUT", "/", {});
    assert.equal(field(put, "etag"), undefined);
  });

  /** @type {[what: string, validators: any][]} */
  const refused = [
    ["a tag without quotes", { etag: "a" }],
    ["a tag that is a number", { etag: 5 }],
    ["a Date without a time", { lastModified: new Date(Number.NaN) }],
    ["a date as text", { lastModified: THEN }],
    ["a date that is null", { lastModified: null }],
  ];
  for (const [what, validators] of refused) {
    test(`refuses ${what}, whatever is asked`, async (t) => {
      const { ask, told } = await serve(t, velocy, (_req, res) =>
        res.preconditionsHold(validators) ? "x" : undefined,
      );
      for (const method of ["GET", "PUT"]) {
        assert.equal((await ask(method)).statusCode, 500);
        assert.equal(told.pop()?.code, "ERR_VALIDATOR_INVALID");
      }
    });
  }
}
