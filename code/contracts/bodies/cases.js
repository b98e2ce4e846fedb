/**
 * What bodies are answered with. Each case is one request:
 * `[what, path, fields, body, statusCode, answer]`, where `answer` is what
 * comes back, if it matters. A string of `body` is UTF-8.
 *
 * The server under test has the routes of `routes.js`.
 *
 * @typedef {[
 *   what: string,
 *   path: string,
 *   fields: Record<string, string>,
 *   body: string | Buffer,
 *   statusCode: number,
 *   answer?: string,
 * ]} Case
 */

import * as zlib from "node:zlib";

/**
 * @typedef {object} CaseGroup
 * @property {string} name
 * @property {string} section where the rule stands
 * @property {Case[]} cases
 */

const json = { "content-type": "application/json" };
const form = { "content-type": "application/x-www-form-urlencoded" };
const chunked = { "transfer-encoding": "chunked" };

/** @param {string} contentType */
const typed = (contentType) => ({ "content-type": contentType });

/** @param {string} coding */
const coded = (coding) => ({ ...json, "content-encoding": coding });

const nested = (/** @type {number} */ depth) =>
  `${"[".repeat(depth)}${"]".repeat(depth)}`;

const packed = '{"a":1}';
const gzipped = zlib.gzipSync(packed);
const bomb = Buffer.from(`"${"a".repeat(100_000)}"`);

/** @type {Record<string, CaseGroup[]>} */
export const CASES = {
  limits: [
    {
      name: "a body may be as long as its route says",
      section: "RFC 9110, section 15.5.14",
      cases: [
        ["nothing", "/ten/text", {}, "", 200, ""],
        [
          "ten bytes of ten",
          "/ten/text",
          {},
          "0123456789",
          200,
          "0123456789",
        ],
        ["eleven bytes of ten", "/ten/text", {}, "0123456789a", 413],
        ["ten in chunks", "/ten/text", chunked, "0123456789", 200],
        ["eleven in chunks", "/ten/text", chunked, "0123456789a", 413],
        [
          "ten bytes, not ten characters",
          "/ten/text",
          {},
          "012345678é",
          413,
        ],
        ["a mebibyte", "/length", {}, "a".repeat(2 ** 20), 200, "1048576"],
        ["a byte more", "/length", {}, "a".repeat(2 ** 20 + 1), 413],
        [
          "a byte more, in chunks",
          "/length",
          chunked,
          "a".repeat(2 ** 20 + 1),
          413,
        ],
        ["by events", "/ten/events", chunked, "0123456789", 200, "10"],
        ["too much by events", "/ten/events", chunked, "0123456789a", 413],
        ["too much in a loop", "/ten/loop", chunked, "0123456789a", 413],
        [
          "too much for a pipeline",
          "/ten/pipeline",
          chunked,
          "0123456789a",
          413,
        ],
        ["too much that nobody reads", "/ten/none", {}, "0123456789a", 413],
        [
          "two mebibytes where there is no limit",
          "/any/length",
          {},
          "a".repeat(2 ** 21),
          200,
        ],
      ],
    },
  ],
  text: [
    {
      name: "text is UTF-8",
      section: "RFC 8259, section 8.1",
      cases: [
        ["ASCII", "/text", {}, "abc", 200, "abc"],
        ["two bytes", "/text", {}, "é", 200, "é"],
        ["four bytes", "/text", {}, "😀", 200, "😀"],
        ["a mark at the beginning", "/text", {}, "\ufeffa", 200, "a"],
        ["a mark further on", "/text", {}, "a\ufeff", 200, "a\ufeff"],
        ["a broken byte", "/text", {}, Buffer.from([0x61, 0xff]), 400],
        ["half a character", "/text", {}, Buffer.from([0xc3]), 400],
        ["an overlong slash", "/text", {}, Buffer.from([0xc0, 0xaf]), 400],
        [
          "half a surrogate pair",
          "/text",
          {},
          Buffer.from([0xed, 0xa0, 0x80]),
          400,
        ],
        [
          "charset=utf-8",
          "/text",
          typed("text/plain; charset=utf-8"),
          "é",
          200,
        ],
        [
          "charset=utf8",
          "/text",
          typed("text/plain; charset=utf8"),
          "é",
          200,
          "é",
        ],
        [
          'charset="UTF-8"',
          "/text",
          typed('text/plain;charset="UTF-8"'),
          "é",
          200,
        ],
        [
          "charset=utf-16",
          "/text",
          typed("text/plain; charset=utf-16"),
          "a",
          415,
        ],
        [
          "charset=latin1",
          "/text",
          typed("text/plain; charset=latin1"),
          "a",
          415,
        ],
        [
          "charset=utf-16 twice",
          "/text",
          typed("text/plain; charset=utf-16; charset=utf-16"),
          "a",
          415,
        ],
        [
          "charset = utf-16",
          "/text",
          typed("text/plain; charset = utf-16"),
          "a",
          415,
        ],
        [
          "charset=utf-16, and half a parameter",
          "/text",
          typed("text/plain;charset=utf-16;x"),
          "a",
          415,
        ],
        ["what is no type", "/text", typed("/"), "a", 415],
        ["a NUL", "/text", {}, "a\0b", 200, "a\0b"],
      ],
    },
  ],
  json: [
    {
      name: "JSON has one of JSON's types",
      section: "RFC 9110, section 15.5.16",
      cases: [
        ["application/json", "/json", json, "[1]", 200, "[1]"],
        ["in capitals", "/json", typed("APPLICATION/JSON"), "1", 200],
        [
          "with a charset",
          "/json",
          typed("application/json; charset=utf-8"),
          "1",
          200,
        ],
        [
          "with an empty parameter",
          "/json",
          typed("application/json ;"),
          "1",
          200,
        ],
        [
          "with another parameter",
          "/json",
          typed('application/json; a="b;c"'),
          "1",
          200,
        ],
        ["+json", "/json", typed("application/vnd.api+json"), "1", 200],
        ["+json without a slash", "/json", typed("api+json"), "1", 415],
        ["none", "/json", {}, "1", 415],
        ["text/plain", "/json", typed("text/plain"), "1", 415],
        ["text/json", "/json", typed("text/json"), "1", 415],
        ["a tab in it", "/json", typed("application/json\tx"), "1", 415],
        ["two", "/json", typed("application/json, text/plain"), "1", 415],
        ["more behind it", "/json", typed("application/jsonx"), "1", 415],
        [
          "a space before the slash",
          "/json",
          typed("application /json"),
          "1",
          415,
        ],
        [
          "two charsets",
          "/json",
          typed("application/json; charset=utf-8; charset=utf-16"),
          "1",
          415,
        ],
        [
          "another charset",
          "/json",
          typed("application/json; charset=utf-16"),
          "1",
          415,
        ],
        [
          "a broken parameter",
          "/json",
          typed('application/json; a="'),
          "1",
          415,
        ],
      ],
    },
    {
      name: "JSON is as its standard says",
      section: "RFC 8259",
      cases: [
        [
          "an object",
          "/json",
          json,
          '{"a":[true,null,1.5]}',
          200,
          '{"a":[true,null,1.5]}',
        ],
        ["null", "/json", json, "null", 200, "null"],
        ["white space", "/json", json, " \t\r\n1 ", 200, "1"],
        ["a mark at the beginning", "/json", json, "\ufeff1", 200, "1"],
        ["nothing", "/json", json, "", 400],
        ["two values", "/json", json, "1 2", 400],
        ["half a value", "/json", json, '{"a":', 400],
        ["single quotes", "/json", json, "{'a':1}", 400],
        ["a comma too many", "/json", json, "[1,]", 400],
        ["a comment", "/json", json, "1 // one", 400],
        ["NaN", "/json", json, "NaN", 400],
        [
          "a broken byte in a string",
          "/json",
          json,
          Buffer.from([0x22, 0xff, 0x22]),
          400,
        ],
      ],
    },
    {
      name: "no key of JSON leads to a prototype",
      section: "ECMA-262, section 20.1.3.8.1",
      cases: [
        ["__proto__", "/json", json, '{"__proto__":{"a":1}}', 400],
        [
          "__proto__ with escapes",
          "/json",
          json,
          '{"\\u005f_proto_\\u005F":1}',
          400,
        ],
        [
          "__proto__ further down",
          "/json",
          json,
          '[{"a":{"__proto__":1}}]',
          400,
        ],
        [
          "__proto__ as a value",
          "/json",
          json,
          '["__proto__"]',
          200,
          '["__proto__"]',
        ],
        [
          "constructor.prototype",
          "/json",
          json,
          '{"constructor":{"prototype":{}}}',
          400,
        ],
        [
          "a constructor of cars",
          "/json",
          json,
          '{"constructor":"Ferrari"}',
          200,
        ],
        ["no constructor", "/json", json, '{"constructor":null}', 200],
      ],
    },
    {
      name: "JSON isn't deep",
      section: "RFC 8259, section 9",
      cases: [
        ["100 levels", "/json", json, nested(100), 200],
        ["101 levels", "/json", json, nested(101), 400],
        ["100,000 levels", "/json", json, nested(100_000), 400],
        [
          "brackets in a string",
          "/json",
          json,
          `"${"[".repeat(200)}"`,
          200,
        ],
        ["side by side", "/json", json, `[${"[],".repeat(200)}1]`, 200],
      ],
    },
  ],
  schema: [
    {
      name: "a body fits its route's schema",
      section: "RFC 9110, section 15.5.21",
      cases: [
        [
          "what fits",
          "/schema",
          json,
          '{"age":7}',
          200,
          '{"age":7,"isAdult":false}',
        ],
        [
          "what is decided later",
          "/schema/later",
          json,
          '{"age":70}',
          200,
          '{"age":70,"isAdult":true}',
        ],
        ["a wrong field", "/schema", json, '{"age":"x"}', 422],
        [
          "a wrong field, decided later",
          "/schema/later",
          json,
          '{"age":"x"}',
          422,
        ],
        ["no JSON", "/schema", json, "{", 400],
        ["another type", "/schema", {}, '{"age":7}', 415],
      ],
    },
  ],
  codings: [
    {
      name: "a packed body is for who asked for it",
      section: "RFC 9110, section 15.5.16",
      cases: [
        ["gzip", "/json", coded("gzip"), gzipped, 415],
        ["gzip, read as bytes", "/length", coded("gzip"), gzipped, 415],
        [
          "gzip, read as it comes",
          "/ten/events",
          coded("gzip"),
          "0123",
          200,
          "4",
        ],
        ["identity", "/json", coded("identity"), "1", 200],
        ["one that nobody knows", "/json", coded("foo"), "1", 415],
      ],
    },
    {
      name: "a packed body is unpacked whole or not at all",
      section: "RFC 9110, section 8.4",
      cases: [
        ["not packed", "/packed", json, packed, 200, packed],
        ["gzip", "/packed", coded("gzip"), gzipped, 200, packed],
        ["x-gzip", "/packed", coded("x-gzip"), gzipped, 200, packed],
        ["GZIP", "/packed", coded("GZIP"), gzipped, 200, packed],
        [
          "gzip in chunks",
          "/packed",
          { ...coded("gzip"), ...chunked },
          gzipped,
          200,
          packed,
        ],
        [
          "gzip in two members",
          "/packed",
          coded("gzip"),
          Buffer.concat([zlib.gzipSync("[1"), zlib.gzipSync("]")]),
          200,
          "[1]",
        ],
        [
          "deflate",
          "/packed",
          coded("deflate"),
          zlib.deflateSync(packed),
          200,
          packed,
        ],
        [
          "br",
          "/packed",
          coded("br"),
          zlib.brotliCompressSync(packed),
          200,
          packed,
        ],
        [
          "deflate without its wrapper",
          "/packed",
          coded("deflate"),
          zlib.deflateRawSync(packed),
          400,
        ],
        [
          "gzip, cut off",
          "/packed",
          coded("gzip"),
          gzipped.subarray(0, -1),
          400,
        ],
        ["gzip, empty", "/packed", coded("gzip"), "", 400],
        [
          "gzip, and more behind it",
          "/packed",
          coded("gzip"),
          Buffer.concat([gzipped, Buffer.from("x")]),
          400,
        ],
        [
          "deflate, and more behind it",
          "/packed",
          coded("deflate"),
          Buffer.concat([zlib.deflateSync(packed), Buffer.from("x")]),
          400,
        ],
        [
          "br, cut off",
          "/packed",
          coded("br"),
          zlib.brotliCompressSync(packed).subarray(0, -1),
          400,
        ],
        [
          "br, and more behind it",
          "/packed",
          coded("br"),
          Buffer.concat([
            zlib.brotliCompressSync(packed),
            Buffer.from("x"),
          ]),
          400,
        ],
        ["what isn't gzip", "/packed", coded("gzip"), packed, 400],
        [
          "packed twice",
          "/packed",
          coded("gzip, gzip"),
          zlib.gzipSync(gzipped),
          415,
        ],
        ["one that nobody knows", "/packed", coded("foo"), packed, 415],
        [
          "a bomb of gzip",
          "/packed",
          coded("gzip"),
          zlib.gzipSync(bomb),
          413,
        ],
        [
          "a bomb of br",
          "/packed",
          coded("br"),
          zlib.brotliCompressSync(bomb),
          413,
        ],
      ],
    },
  ],
  forms: [
    {
      name: "a form is read like a query",
      section: "https://url.spec.whatwg.org/#urlencoded-parsing",
      cases: [
        [
          "two fields",
          "/form",
          form,
          "a=1&b=2",
          200,
          '[["a","1"],["b","2"]]',
        ],
        [
          "a field twice",
          "/form",
          form,
          "a=1&a=2",
          200,
          '[["a","1"],["a","2"]]',
        ],
        ["escapes", "/form", form, "a+b=%C3%A9", 200, '[["a b","é"]]'],
        ["a broken escape", "/form", form, "a=%", 200, '[["a","%"]]'],
        [
          "a question mark in front",
          "/form",
          form,
          "?buy=milk",
          200,
          '[["?buy","milk"]]',
        ],
        [
          "an escape that isn't UTF-8",
          "/form",
          form,
          "a=%FF",
          200,
          '[["a","\ufffd"]]',
        ],
        [
          "brackets",
          "/form",
          form,
          "a[b]=1&a[1000]=2",
          200,
          '[["a[b]","1"],["a[1000]","2"]]',
        ],
        [
          "__proto__",
          "/form",
          form,
          "__proto__=1",
          200,
          '[["__proto__","1"]]',
        ],
        ["nothing", "/form", form, "", 200, "[]"],
        ["1,000 fields", "/form", form, "a&".repeat(999), 200],
        ["1,001 fields", "/form", form, "a&".repeat(1_000), 413],
        ["a broken byte", "/form", form, Buffer.from([0x61, 0xff]), 400],
        ["another type", "/form", json, "a=1", 415],
        ["no type", "/form", {}, "a=1", 415],
      ],
    },
  ],
};
