import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { cases } from "./cases.js";
import { cutAt, parse } from "./parse.js";
import { toBytes } from "./raw-client.js";
import { visible } from "./run-case.js";

/**
 * @typedef {import("./parse.js").RequestParserClass} RequestParserClass
 * @typedef {import("./parse.js").RequestLike} RequestLike
 *
 * @typedef {import("./cases/building-blocks.js").Limits} Limits
 *
 * @typedef {object} Written a request, and the bytes that say it
 * @property {RequestLike} request
 * @property {Buffer} bytes
 */

/**
 * Feeds a parser what chance makes: requests that are right, requests with a
 * few bytes changed, and no requests at all, each in any pieces.
 *
 * @param {RequestParserClass} RequestParser
 * @param {{ runs?: number }} [options] inputs per property
 */
export function parserProperties(RequestParser, { runs = 1000 } = {}) {
  const check = (/** @type {fc.IProperty<any>} */ property) =>
    fc.assert(property, { numRuns: runs, includeErrorInReport: true });
  /** @type {(bytes: Buffer, cuts: number[], limits: Limits) => void} */
  const sameInPieces = (bytes, cuts, limits) => {
    const whole = parse(RequestParser, [bytes], limits);
    const pieces = cutAt(bytes, offsets(bytes, cuts));
    assert.deepEqual(parse(RequestParser, pieces, limits), whole);
  };

  it("reads whatever valid requests, in whatever pieces", () => {
    const written = fc.array(validRequest, { minLength: 1, maxLength: 4 });
    check(
      fc.property(written, manyCuts, (all, cuts) => {
        const bytes = Buffer.concat(all.map((one) => one.bytes));
        const pieces = cutAt(bytes, offsets(bytes, cuts));
        const requests = all.map(({ request }) => request);
        assert.deepEqual(parse(RequestParser, pieces), { requests });
      }),
    );
  });

  it("reads a request with a few bytes changed, or refuses it", () => {
    check(
      fc.property(mutated(validRequest), manyCuts, noLimits, sameInPieces),
    );
  });

  it("reads a case with a few bytes changed, or refuses it", () => {
    check(
      fc.property(mutated(contractCase), manyCuts, noLimits, sameInPieces),
    );
  });

  it("meets its limits at the same place, in whatever pieces", () => {
    check(
      fc.property(
        mutated(validRequest),
        manyCuts,
        smallLimits,
        sameInPieces,
      ),
    );
  });

  it("refuses words of HTTP in no order, or waits for more", () => {
    check(fc.property(wordSalad, manyCuts, noLimits, sameInPieces));
  });

  it("refuses any bytes, or waits for more", () => {
    check(fc.property(anyBytes, manyCuts, noLimits, sameInPieces));
  });
}

/** Where to cut: places between 0 and 1 along the bytes. */
const manyCuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), {
  maxLength: 12,
});

const noLimits = fc.constant({});

/** Limits that a request of ordinary size comes near to. */
const smallLimits = fc.record({
  requestLineBytes: fc.integer({ min: 12, max: 40 }),
  fieldSectionBytes: fc.integer({ min: 9, max: 150 }),
  fieldCount: fc.integer({ min: 1, max: 8 }),
  bodyBytes: fc.integer({ min: 1, max: 60 }),
});

/**
 * @param {Buffer} bytes
 * @param {number[]} cuts
 */
function offsets(bytes, cuts) {
  return cuts.map((cut) => Math.floor(cut * bytes.length)).sort(ascending);
}

/** @param {number} a @param {number} b */
const ascending = (a, b) => a - b;

/** @param {string} characters @param {fc.StringConstraints} [constraints] */
const stringOf = (characters, constraints) =>
  fc.string({ unit: fc.constantFrom(...characters), ...constraints });

const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const DIGITS = "0123456789";
const token = stringOf(`${LETTERS}${DIGITS}!#$%&'*+-.^_\`|~`, {
  minLength: 1,
  maxLength: 12,
});
const method = fc.constantFrom("GET", "POST", "PUT", "DELETE", "PATCH");
const target = stringOf(`${LETTERS}${DIGITS}/?-._~!$&'()*+,;=:@`).map(
  (rest) => `/${rest}`,
);
const whitespace = stringOf(" \t", { maxLength: 3 });
const line = stringOf(`${LETTERS}${DIGITS}:;,="()<>@ \t\xa0\xe9\xff`).map(
  (text) => text.replace(/^[ \t]+|[ \t]+$/g, ""),
);

/** The name of a field that means nothing to a server. */
const fieldName = fc.oneof(
  token.map((rest) => `X-${rest}`),
  fc.constantFrom("Set-Cookie", "Accept", "__proto__", "x-same"),
);
const field = fc.record({
  name: fieldName,
  value: line,
  before: whitespace,
  after: whitespace,
});
const extension = fc.oneof(
  { weight: 4, arbitrary: fc.constant("") },
  token.map((name) => `;${name}`),
  fc.tuple(token, token).map(([name, value]) => `;${name}=${value}`),
  fc.tuple(token, line).map(([name, value]) => {
    return `;${name}="${value.replaceAll('"', "'")}"`;
  }),
);

const head = fc.record({
  method,
  target,
  fields: fc.array(field, { maxLength: 8 }),
});
const body = fc.string({ unit: "binary", maxLength: 60 });

const withoutBody = head.map((parts) => write(parts, [], "", ""));
const withLength = fc
  .tuple(head, body, stringOf("0", { maxLength: 3 }))
  .map(([parts, text, zeros]) => {
    const length = `${zeros}${Buffer.byteLength(text)}`;
    return write(parts, [`Content-Length: ${length}`], text, text);
  });
const inChunks = fc
  .record({
    parts: head,
    chunks: fc.array(
      fc.record({
        text: fc.string({ unit: "binary", minLength: 1, maxLength: 30 }),
        extension,
        isUpper: fc.boolean(),
      }),
      { maxLength: 5 },
    ),
    lastExtension: extension,
    trailers: fc.array(field, { maxLength: 3 }),
  })
  .map(({ parts, chunks, lastExtension, trailers }) => {
    const pieces = chunks.map(({ text, extension, isUpper }) => {
      const size = Buffer.byteLength(text).toString(16);
      const line = (isUpper ? size.toUpperCase() : size) + extension;
      return Buffer.concat([latin1(`${line}\r\n`), utf8(`${text}\r\n`)]);
    });
    const last = [`0${lastExtension}`, ...trailers.map(written), "", ""];
    const raw = Buffer.concat([...pieces, latin1(last.join("\r\n"))]);
    const text = chunks.map((chunk) => chunk.text).join("");
    return write(parts, ["Transfer-Encoding: chunked"], raw, text);
  });

/** @type {fc.Arbitrary<Written>} */
const validRequest = fc.oneof(withoutBody, withLength, inChunks);

/** A case of the contract, as bytes. */
const contractCase = fc.constantFrom(
  ...cases
    .map(({ send }) =>
      send.filter((step) => typeof step === "string").join(""),
    )
    .filter(({ length }) => length > 0 && length < 2000)
    .map((text) => ({ bytes: toBytes(text) })),
);

/** @param {string} text */
const latin1 = (text) => Buffer.from(text, "latin1");
/** @param {string} text */
const utf8 = (text) => Buffer.from(text);

/** @param {{ name: string, value: string, before: string, after: string }} f */
const written = ({ name, before, value, after }) =>
  `${name}:${before}${value}${after}`;

/**
 * @param {{ method: string, target: string, fields: any[] }} parts
 * @param {string[]} framing a field line, if any
 * @param {string | Buffer} raw the body as it is sent
 * @param {string} body the body as it is meant
 * @returns {Written}
 */
function write({ method, target, fields }, framing, raw, body) {
  const lines = ["Host: a", ...fields.map(written), ...framing];
  const start = `${method} ${target} HTTP/1.1\r\n`;
  const end = `${lines.join("\r\n")}\r\n\r\n`;
  return {
    request: {
      method,
      target,
      version: "1.1",
      fields: meaningOf(lines),
      body,
    },
    bytes: printable(
      Buffer.concat([latin1(start + end), Buffer.from(raw)]),
    ),
  };
}

/**
 * The field lines as the contract wants them read, done slowly and plainly.
 *
 * @param {string[]} lines
 */
function meaningOf(lines) {
  /** @type {Record<string, any>} */
  const fields = Object.create(null);
  for (const text of lines) {
    const colon = text.indexOf(":");
    const name = text.slice(0, colon).toLowerCase();
    const value = text.slice(colon + 1).replace(/^[ \t]+|[ \t]+$/g, "");
    if (name === "set-cookie") {
      fields[name] = [...(fields[name] ?? []), value];
    } else {
      fields[name] = name in fields ? `${fields[name]}, ${value}` : value;
    }
  }
  return fields;
}

/** Bytes that matter to a parser. */
const touchy = fc.oneof(
  fc.constantFrom(..."\r\n\0 \t:;,=0-+xX/*#\x7f\xff").map(latin1),
  fc
    .constantFrom("\r\n", "\r\n\r\n", "HTTP/1.1", "chunked", "0x")
    .map(latin1),
  fc.uint8Array({ minLength: 1, maxLength: 3 }).map(Buffer.from),
);

/**
 * A few bytes taken out, put in, or put in place of others.
 *
 * @param {fc.Arbitrary<{ bytes: Buffer }>} original
 * @returns {fc.Arbitrary<Buffer>}
 */
function mutated(original) {
  const change = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    remove: fc.nat(3),
    insert: fc.oneof(fc.constant(latin1("")), touchy),
  });
  const changes = fc.array(change, { minLength: 1, maxLength: 4 });
  return fc.tuple(original, changes).map(([{ bytes }, all]) => {
    let changed = bytes;
    for (const { at, remove, insert } of all) {
      const offset = Math.floor(at * changed.length);
      const before = changed.subarray(0, offset);
      const after = changed.subarray(offset + remove);
      changed = Buffer.concat([before, insert, after]);
    }
    return printable(changed);
  });
}

/**
 * Has a counterexample print its bytes as text.
 *
 * @param {Buffer} bytes
 */
function printable(bytes) {
  const print = { value: () => `"${visible(bytes)}"` };
  return Object.defineProperty(bytes, fc.toStringMethod, print);
}

const wordSalad = fc
  .array(
    fc.oneof(
      fc
        .constantFrom(
          ..."\r\n \t:;0159af\0",
          "GET ",
          "POST ",
          "/",
          " HTTP/1.1\r\n",
          " HTTP/1.0\r\n",
          "Host: a\r\n",
          "Content-Length: ",
          "Transfer-Encoding: ",
          "chunked\r\n",
          "Expect: 100-continue\r\n",
          "Connection: close\r\n",
          "\r\n\r\n",
          "0\r\n\r\n",
          "GET / HTTP/1.1\r\nHost: a\r\n",
        )
        .map(latin1),
      touchy,
    ),
    { maxLength: 30 },
  )
  .map((words) => printable(Buffer.concat(words)));

const anyBytes = fc
  .uint8Array({ maxLength: 300 })
  .map((bytes) => printable(Buffer.from(bytes)));
