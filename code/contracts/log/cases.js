/**
 * What may be logged, and what stands in the line: `[what, message, fields,
 * expected]`. `expected` are the fields of the line that the case is about.
 *
 * @typedef {[what: string, message: unknown, fields: unknown,
 *   expected: Record<string, unknown>]} LineCase
 *
 * @typedef {object} LineGroup
 * @property {string} name
 * @property {string} [section] where the rule stands; one without is ours
 * @property {() => LineCase[]} makeCases
 */

class CodedError extends Error {
  code = "E_CODED";
  password = "swordfish";
}

/** @param {string} text */
const message = (text) => ({ message: text });

const UNREADABLE = "[unreadable]";

/** @returns {never} */
function throwing() {
  throw new Error("never to be seen");
}

/** An object whose toJSON gives another of its kind, without end. */
function endless() {
  return { toJSON: endless };
}

function circle() {
  /** @type {Record<string, unknown>} */
  const object = { name: "circle" };
  object.self = object;
  return object;
}

function revoked() {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

/** @param {number} depth */
function nested(depth) {
  /** @type {Record<string, unknown>} */
  let object = { end: true };
  for (let i = 0; i < depth; i += 1) object = { in: object };
  return object;
}

function shyError() {
  const err = Object.assign(new Error("no"), { stack: "a stack" });
  return Object.defineProperty(err, "code", { get: throwing });
}

const all = { get: throwing, ownKeys: throwing, getPrototypeOf: throwing };

/** @type {LineGroup[]} */
export const LINE_GROUPS = [
  {
    name: "a message is one text on one line",
    section: "RFC 8259, section 7",
    makeCases: () => [
      ["a plain text", "hello", undefined, message("hello")],
      [
        "CR LF",
        'a\r\n{"level":"fatal"}',
        undefined,
        message('a\r\n{"level":"fatal"}'),
      ],
      ["quotes and backslashes", '\\"', undefined, message('\\"')],
      ["NUL and ESC", "\0\x1b[2J", undefined, message("\0\x1b[2J")],
      [
        "letters of all languages",
        "é 日本 😀",
        undefined,
        message("é 日本 😀"),
      ],
    ],
  },
  {
    name: "half a surrogate pair is no character",
    section: "RFC 8259, section 8.2",
    makeCases: () => [
      [
        "half a surrogate pair",
        "a\ud800b\udc00",
        undefined,
        message("a\ufffdb\ufffd"),
      ],
    ],
  },
  {
    name: "a terminal gets nothing that it obeys",
    section: "ECMA-48, section 5.3",
    makeCases: () => [
      [
        "NEL and other C1 characters",
        "\x85\x9b",
        undefined,
        message("\x85\x9b"),
      ],
    ],
  },
  {
    name: "no other program sees the end of a line",
    section: "Unicode Standard Annex #14, class BK",
    makeCases: () => [
      [
        "U+2028 and U+2029",
        "a\u2028b\u2029",
        undefined,
        message("a\u2028b\u2029"),
      ],
    ],
  },
  {
    name: "nothing turns the direction of a line",
    section: "Unicode Standard Annex #9, section 2",
    makeCases: () => [
      [
        "marks of direction",
        "\u202egpj.exe",
        undefined,
        message("\u202egpj.exe"),
      ],
      [
        "marks of one letter's direction",
        "\u200ea\u200fb\u061c",
        undefined,
        message("\u200ea\u200fb\u061c"),
      ],
    ],
  },
  {
    name: "a message may be anything",
    makeCases: () => [
      ["undefined", undefined, undefined, message("undefined")],
      ["a number", 7, undefined, message("7")],
      ["an object", { a: 1 }, undefined, message('{"a":1}')],
      ["a symbol", Symbol("s"), undefined, message("Symbol(s)")],
      ["a revoked proxy", revoked(), undefined, message(UNREADABLE)],
    ],
  },
  {
    name: "a value is written as JSON.stringify writes it",
    section: "ECMA-262, JSON.stringify",
    makeCases: () => [
      [
        "null and undefined",
        "m",
        { a: null, b: undefined },
        { a: null, b: undefined },
      ],
      [
        "a date",
        "m",
        { a: new Date(0) },
        { a: "1970-01-01T00:00:00.000Z" },
      ],
      ["an invalid date", "m", { a: new Date(Number.NaN) }, { a: null }],
      ["a URL", "m", { a: new URL("http://x/y") }, { a: "http://x/y" }],
      ["nothing inherited", "m", { a: Object.create({ b: 1 }) }, { a: {} }],
      [
        "an array with holes",
        "m",
        { a: Object.assign(Array(2), { 0: 1, 2: undefined }) },
        { a: [1, null, null] },
      ],
      [
        "__proto__",
        "m",
        { a: JSON.parse('{"__proto__":1}') },
        { a: JSON.parse('{"__proto__":1}') },
      ],
    ],
  },
  {
    name: "a number that JSON doesn't have is a text",
    section: "RFC 8259, section 6",
    makeCases: () => [
      [
        "Infinity and NaN",
        "m",
        { a: Infinity, b: NaN },
        { a: "Infinity", b: "NaN" },
      ],
      ["a BigInt", "m", { a: 2n ** 64n }, { a: "18446744073709551616" }],
    ],
  },
  {
    name: "what JSON has no form for is named",
    makeCases: () => [
      [
        "a BigInt of a million bits",
        "m",
        { a: 1n << 1_000_000n },
        { a: "[large bigint]" },
      ],
      ["a symbol", "m", { a: Symbol("s") }, { a: "Symbol(s)" }],
      ["a function", "m", { a() {} }, { a: "[function]" }],
      ["bytes", "m", { a: Buffer.from("secret") }, { a: "[6 bytes]" }],
      ["a RegExp", "m", { a: /b/g }, { a: "/b/g" }],
      ["a Map", "m", { a: new Map([[1, 2]]) }, { a: "[1 entries]" }],
      ["a Set", "m", { a: new Set([1, 2]) }, { a: "[2 entries]" }],
    ],
  },
  {
    name: "a value that can't be written costs nothing but itself",
    makeCases: () => [
      [
        "a circle",
        "m",
        circle(),
        { name: "circle", self: { name: "circle", self: "[circular]" } },
      ],
      [
        "a getter that throws",
        "m",
        {
          get a() {
            return throwing();
          },
          b: 1,
        },
        { a: UNREADABLE, b: 1 },
      ],
      [
        "a getter of an error that throws",
        "m",
        { a: shyError(), b: 1 },
        {
          a: {
            name: "Error",
            message: "no",
            code: UNREADABLE,
            stack: "a stack",
          },
          b: 1,
        },
      ],
      [
        "a toJSON that throws",
        "m",
        { a: { toJSON: throwing }, b: 1 },
        { a: UNREADABLE, b: 1 },
      ],
      [
        "a toJSON without end",
        "m",
        { a: endless(), b: 1 },
        { a: "[deep]", b: 1 },
      ],
      [
        "a revoked proxy",
        "m",
        { a: revoked(), b: 1 },
        { a: UNREADABLE, b: 1 },
      ],
      [
        "a proxy that throws",
        "m",
        { a: new Proxy({}, all), b: 1 },
        { a: UNREADABLE, b: 1 },
      ],
      [
        "an array that throws",
        "m",
        { a: new Proxy([], { get: throwing }), b: 1 },
        { a: UNREADABLE, b: 1 },
      ],
      ["fields that are a proxy", "m", revoked(), { message: "m" }],
      ["fields that are a text", "m", "text", { value: "text" }],
      ["fields that are a list", "m", [1], { value: [1] }],
    ],
  },
  {
    name: "a line has an end",
    makeCases: () => [
      [
        "a long text",
        "m",
        { a: "x".repeat(10_000) },
        { a: `${"x".repeat(8192)}[1808 more]` },
      ],
      [
        "a long list",
        "m",
        { a: Array(1000).fill(1) },
        { a: [...Array(100).fill(1), "[900 more]"] },
      ],
      [
        "a text in many objects, which counts once",
        "m",
        { v: { a: { a: { a: { a: "x".repeat(8000) } } } }, b: 1 },
        { v: { a: { a: { a: { a: "x".repeat(8000) } } } }, b: 1 },
      ],
      [
        "what is deep",
        "m",
        nested(7),
        { in: { in: { in: { in: { in: { in: { in: "[deep]" } } } } } } },
      ],
    ],
  },
  {
    name: "our names are ours",
    section: "RFC 8259, section 4",
    makeCases: () => [
      [
        "time, level, message",
        "m",
        { time: 1, level: 2, message: 3 },
        { message: "m", level: "info", time_: 1, level_: 2, message_: 3 },
      ],
      [
        "and the names beside them",
        "m",
        { message: 1, message_: 2 },
        { message: "m", message_: 2, message__: 1 },
      ],
    ],
  },
  {
    name: "an error tells all it has",
    makeCases: () => [
      ["as the message", new Error("no"), undefined, message("no")],
      [
        "a DOMException",
        new DOMException("late", "TimeoutError"),
        undefined,
        message("late"),
      ],
      [
        "as the message, with fields",
        new Error("no"),
        { a: 1 },
        { message: "no", a: 1 },
      ],
    ],
  },
  {
    name: "what is secret isn't written",
    section: "CWE-532",
    makeCases: () => [
      [
        "a password",
        "m",
        { password: "swordfish" },
        { password: "[redacted]" },
      ],
      [
        "in the names of many styles",
        "m",
        {
          access_token: "swordfish",
          accessToken: "swordfish",
          userPassword: "swordfish",
          passwd: "swordfish",
          PWD: "swordfish",
          idJwt: "swordfish",
          credentials: "swordfish",
          apiKey: "swordfish",
          "X-Api-Key": "swordfish",
          Set_Cookie: "swordfish",
          i_ban: "swordfish",
          monkey: "no secret",
          tokenCount: 7,
        },
        {
          access_token: "[redacted]",
          accessToken: "[redacted]",
          PWD: "[redacted]",
          idJwt: "[redacted]",
          credentials: "[redacted]",
          monkey: "no secret",
          tokenCount: 7,
        },
      ],
      [
        "behind its name in a list",
        "m",
        { rawHeaders: ["Host", "x", "Authorization", "swordfish"] },
        { rawHeaders: ["Host", "x", "Authorization", "[redacted]"] },
      ],
      [
        "in upper case",
        "m",
        { PassWord: "swordfish" },
        { PassWord: "[redacted]" },
      ],
      [
        "at any depth",
        "m",
        { a: [{ headers: { Cookie: "swordfish" } }] },
        { a: [{ headers: { Cookie: "[redacted]" } }] },
      ],
      [
        "a name that was asked for",
        "m",
        { iban: "swordfish" },
        { iban: "[redacted]" },
      ],
      ["in an error", new CodedError("no"), undefined, { message: "no" }],
      [
        "a getter isn't even called",
        "m",
        {
          get token() {
            return throwing();
          },
        },
        { token: "[redacted]" },
      ],
      [
        "where an object was expected",
        "m",
        { user: "text" },
        { user: "text" },
      ],
    ],
  },
];
