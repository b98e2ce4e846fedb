/**
 * Multipart bodies, and what is in them. In a body `--B` stands for the
 * delimiter's dashes and the boundary, `\r\n` is written as it is.
 *
 * `[what, body, parts | statusCode]`: a part is `[name, filename, type,
 * content]`.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

/** @typedef {[name: string, filename: string | null, type: string, content: string]} Part */
/** @typedef {[what: string, body: string, expected: Part[] | number]} Case */

const BOUNDARY = "d3l1m1ter";
const HALF = BOUNDARY.slice(0, 5);
const text = "text/plain";

/** @param {string} parameters @param {string} [fields] */
function head(parameters, fields = "") {
  return `--B\r\nContent-Disposition: form-data; ${parameters}\r\n${fields}\r\n`;
}

/** @param {string} filename as it is sent @param {string} expected */
function file(filename, expected) {
  const body = `${head(`name="f"; filename="${filename}"`)}x\r\n--B--\r\n`;
  return /** @type {Case} */ ([
    `the file's name ${JSON.stringify(filename)}`,
    body,
    [["f", expected, text, "x"]],
  ]);
}

/** @type {{ name: string, section: string, cases: Case[] }[]} */
export const GROUPS = [
  {
    name: "parts and what is in them",
    section: "RFC 2046, section 5.1.1",
    cases: [
      [
        "a part",
        `${head('name="a"')}hello\r\n--B--\r\n`,
        [["a", null, text, "hello"]],
      ],
      [
        "two parts",
        `${head('name="a"')}1\r\n${head('name="b"')}2\r\n--B--\r\n`,
        [
          ["a", null, text, "1"],
          ["b", null, text, "2"],
        ],
      ],
      [
        "an empty part",
        `${head('name="a"')}\r\n--B--`,
        [["a", null, text, ""]],
      ],
      [
        "a part without even an empty line",
        `${head('name="a"')}--B--`,
        [["a", null, text, ""]],
      ],
      ["no part", "--B--\r\n", []],
      [
        "what stands before the first",
        `hello\r\n${head('name="a"')}1\r\n--B--`,
        [["a", null, text, "1"]],
      ],
      [
        "what stands behind the last",
        `${head('name="a"')}1\r\n--B--\r\nmore\r\n--B\r\n`,
        [["a", null, text, "1"]],
      ],
      [
        "white space behind a boundary",
        `--B \t\r\n${head('name="a"').slice(5)}1\r\n--B--`,
        [["a", null, text, "1"]],
      ],
      [
        "line ends in a part",
        `${head('name="a"')}\r\n\r\n1\r\n\r\n--B--`,
        [["a", null, text, "\r\n\r\n1\r\n"]],
      ],
      [
        "what looks like a boundary",
        `${head('name="a"')}\r\n--\r\n-B\r\r\n--b\n--b\r\n\r\n--B--`,
        [["a", null, text, "\r\n--\r\n-B\r\r\n--b\n--b\r\n"]],
      ],
      [
        "half a boundary at the end of a part",
        `${head('name="a"')}\r\n--${HALF}\r\n--B--`,
        [["a", null, text, `\r\n--${HALF}`]],
      ],
      [
        "a line end before a boundary's",
        `${head('name="a"')}\r\r\n--B--`,
        [["a", null, text, "\r"]],
      ],
      [
        "a boundary within a line",
        `${head('name="a"')}x--B--\r\n--B--`,
        [["a", null, text, `x--${BOUNDARY}--`]],
      ],
    ],
  },
  {
    name: "names, files and types",
    section: "RFC 7578, section 4",
    cases: [
      [
        "a file",
        `${head('name="f"; filename="a.txt"', "Content-Type: image/png\r\n")}x\r\n--B--`,
        [["f", "a.txt", "image/png", "x"]],
      ],
      [
        "fields in any order and letters",
        `--B\r\ncontent-TYPE:a/b\r\nX-Y: 1\r\nCONTENT-disposition: FORM-DATA;NAME=f\r\n\r\nx\r\n--B--`,
        [["f", null, "a/b", "x"]],
      ],
      [
        "a name in UTF-8",
        `${head('name="né"')}x\r\n--B--`,
        [["né", null, text, "x"]],
      ],
      [
        "an empty name",
        `${head('name=""')}x\r\n--B--`,
        [["", null, text, "x"]],
      ],
      [
        "a name that isn't quoted",
        `${head("name=a")}x\r\n--B--`,
        [["a", null, text, "x"]],
      ],
      [
        "a quotation mark, as browsers write it",
        `${head('name="a%22b"')}x\r\n--B--`,
        [['a"b', null, text, "x"]],
      ],
      [
        "a quotation mark, as curl writes it",
        `${head('name="a\\"b"')}x\r\n--B--`,
        [['a"b', null, text, "x"]],
      ],
      [
        "a semicolon in a name",
        `${head('name="a; filename=b"')}x\r\n--B--`,
        [["a; filename=b", null, text, "x"]],
      ],
      [
        "brackets",
        `${head('name="items[4294967294]"')}x\r\n--B--`,
        [["items[4294967294]", null, text, "x"]],
      ],
      [
        "__proto__",
        `${head('name="__proto__"')}x\r\n--B--`,
        [["__proto__", null, text, "x"]],
      ],
      [
        "no file chosen",
        `${head('name="f"; filename=""')}\r\n--B--`,
        [["f", "", text, ""]],
      ],
      [
        "another parameter",
        `${head('name="f"; filename*=UTF-8\'\'b.txt; filename="a.txt"')}x\r\n--B--`,
        [["f", "a.txt", text, "x"]],
      ],
      file("../../etc/passwd", "passwd"),
      file("/etc/passwd", "passwd"),
      file("C:\\Users\\ada\\a.txt", "a.txt"),
      file("..\\..\\a.txt", "a.txt"),
      file("a/..", ""),
      file("..", ""),
      file(".", ""),
      file(".bashrc", ".bashrc"),
      file("a/", ""),
    ],
  },
  {
    name: "what isn't multipart/form-data",
    section: "RFC 7578, section 4.2",
    cases: [
      ["nothing", "", 400],
      ["no last boundary", `${head('name="a"')}hello`, 400],
      [
        "no end of the last boundary",
        `${head('name="a"')}hello\r\n--B`,
        400,
      ],
      [
        "a head that doesn't end",
        "--B\r\nContent-Disposition: form-data; name=a\r\n",
        400,
      ],
      ["another boundary", "--C\r\n\r\nhello\r\n--C--\r\n", 400],
      [
        "more behind a boundary",
        `--Bx\r\n${head('name="a"').slice(5)}1\r\n--B--`,
        400,
      ],
      [
        "what isn't white space behind a boundary",
        `--B\v\u00a0\r\n${head('name="a"').slice(5)}1\r\n--B--`,
        400,
      ],
      ["no fields", "--B\r\n\r\nhello\r\n--B--", 400],
      ["no name", `${head('filename="a"')}x\r\n--B--`, 400],
      [
        "no form-data",
        "--B\r\nContent-Disposition: attachment; name=a\r\n\r\nx\r\n--B--",
        400,
      ],
      ["two names", `${head('name="a"; name="b"')}x\r\n--B--`, 400],
      [
        "two fields of a kind",
        `${head('name="a"', "Content-Disposition: form-data; name=b\r\n")}x\r\n--B--`,
        400,
      ],
      [
        "a field without a colon",
        `${head('name="a"', "hello\r\n")}x\r\n--B--`,
        400,
      ],
      [
        "a field without a name",
        `${head('name="a"', ": x\r\n")}x\r\n--B--`,
        400,
      ],
      [
        "a space before the colon",
        `${head('name="a"', "X : x\r\n")}x\r\n--B--`,
        400,
      ],
      [
        "a field on two lines",
        `${head('name="a"', "X: 1\r\n 2\r\n")}x\r\n--B--`,
        400,
      ],
      ["a NUL in a name", `${head('name="a\0"')}x\r\n--B--`, 400],
      ["a line feed in a name", `${head('name="a\nb"')}x\r\n--B--`, 400],
      ["a quotation that doesn't end", `${head('name="a')}x\r\n--B--`, 400],
    ],
  },
  {
    name: "what is too much",
    section: "RFC 9110, section 15.5.14",
    cases: [
      [
        "a head of 8 KiB and more",
        `${head('name="a"', `X: ${"x".repeat(8_192)}\r\n`)}x\r\n--B--`,
        413,
      ],
      ["a head that goes on", `--B\r\nX: ${"x".repeat(9_000)}`, 413],
      [
        "a name of 256 bytes",
        `${head(`name="${"n".repeat(256)}"`)}x\r\n--B--`,
        [["n".repeat(256), null, text, "x"]],
      ],
      [
        "a name of 257 bytes",
        `${head(`name="${"n".repeat(257)}"`)}x\r\n--B--`,
        413,
      ],
      [
        "a file's name of 257 bytes",
        `${head(`name="f"; filename="${"n".repeat(257)}"`)}x\r\n--B--`,
        413,
      ],
      ["4 parts of 3", `${head('name="a"')}x\r\n`.repeat(4) + "--B--", 413],
      [
        "a part of 10,001 bytes",
        `${head('name="a"')}${"x".repeat(10_001)}\r\n--B--`,
        413,
      ],
    ],
  },
];

/** The limits that the corpus is read with. */
export const LIMITS = { count: 3, partBytes: 10_000 };

/**
 * Reads a body that comes in pieces. Fails with an error that has a
 * `statusCode`.
 *
 * @callback Read
 * @param {Buffer[]} pieces
 * @param {string} boundary
 * @returns {Promise<Part[]>}
 */

/** @param {Read} read */
export function testMultipart(read) {
  for (const { name, section, cases } of GROUPS) {
    describe(`${name} (${section})`, () => {
      for (const [what, body, expected] of cases) {
        const bytes = Buffer.from(body.replaceAll("--B", `--${BOUNDARY}`));
        test(what, async () => {
          assert.deepEqual(await outcome(read, [bytes]), expected);
          for (const pieces of cuts(bytes)) {
            const lengths = pieces.map(({ length }) => length);
            const got = await outcome(read, pieces);
            assert.deepEqual(got, expected, `in ${lengths.join(" and ")}`);
          }
        });
      }
    });
  }
}

// Every cut in two, and each byte by itself.
/** @param {Buffer} bytes */
function* cuts(bytes) {
  for (let at = 1; at < bytes.length; at += 1) {
    yield [bytes.subarray(0, at), bytes.subarray(at)];
  }
  yield Array.from(bytes, (byte) => Buffer.from([byte]));
}

/** @param {Read} read @param {Buffer[]} pieces */
async function outcome(read, pieces) {
  try {
    return await read(pieces, BOUNDARY);
  } catch (err) {
    const { statusCode } = /** @type {{ statusCode?: number }} */ (err);
    if (statusCode === undefined) throw err;
    return statusCode;
  }
}
