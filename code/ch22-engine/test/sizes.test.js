import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { bareServer } from "../../contracts/http/engine-fuzz.js";
import { judgeInMemory } from "../../contracts/http/verdict.js";
import { openConnection, Router } from "../index.js";
import { createServer } from "../lib/engine/index.js";
import { MemorySocket } from "../lib/testing/socket.js";

const HEAD_BYTES = 400;
const FIELDS = 10;

const server = bareServer(createServer, Router, {
  maxHeaderSize: HEAD_BYTES,
});
server.maxHeadersCount = FIELDS;
const judge = judgeInMemory(server, MemorySocket);

/** @param {string} text @param {number} size of a piece */
async function ask(text, size) {
  const bytes = Buffer.from(text, "latin1");
  const pieces = [];
  for (let at = 0; at < bytes.length; at += size)
    pieces.push(bytes.subarray(at, at + size));
  const { statuses, isOpen, odd } = await judge(pieces);
  assert.equal(odd, undefined);
  return [...statuses, isOpen ? "open" : "closed"].join(" ");
}

const START = "GET / HTTP/1.1\r\nHost: a\r\n";
const CHUNKED =
  "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
const fill = (/** @type {number} */ count) =>
  "x".repeat(Math.max(0, count));

/**
 * @typedef {object} Limit
 * @property {string} what
 * @property {(size: number) => string} make a request of that size
 * @property {number} most the last size that passes
 * @property {number} status of the first that doesn't
 */

/** @type {Limit[]} */
const LIMITS = [
  {
    what: "a head by one long field",
    make: (size) => `${START}X: ${fill(size - START.length - 7)}\r\n\r\n`,
    most: HEAD_BYTES,
    status: 431,
  },
  {
    what: "a head by one long name",
    make: (size) => `${START}${fill(size - START.length - 6)}: \r\n\r\n`,
    most: HEAD_BYTES,
    status: 431,
  },
  {
    what: "a head by white space around a value",
    make: (size) =>
      `${START}X:${" ".repeat(Math.max(0, size - START.length - 7))}y\r\n\r\n`,
    most: HEAD_BYTES,
    status: 431,
  },
  {
    what: "a head by many short fields",
    make: (size) => {
      const field = "Y: 1\r\n".repeat(5);
      const rest = size - START.length - field.length - 7;
      return `${START}${field}X: ${fill(rest)}\r\n\r\n`;
    },
    most: HEAD_BYTES,
    status: 431,
  },
  {
    what: "the second head on a connection",
    make: (size) =>
      `${START}\r\n${START}X: ${fill(size - START.length - 7)}\r\n\r\n`,
    most: HEAD_BYTES,
    status: 431,
  },
  {
    what: "fields by their count",
    make: (count) => `${START}${"X: y\r\n".repeat(count - 1)}\r\n`,
    most: FIELDS,
    status: 431,
  },
  {
    what: "trailers by their count",
    make: (count) => `${CHUNKED}0\r\n${"X: y\r\n".repeat(count)}\r\n`,
    most: FIELDS,
    status: 431,
  },
  {
    what: "trailers by their bytes",
    make: (size) => `${CHUNKED}0\r\nX: ${fill(size - 5)}\r\n\r\n`,
    most: HEAD_BYTES,
    status: 431,
  },
  {
    what: "the line of a chunk",
    make: (size) => `${CHUNKED}1;${fill(size - 2)}\r\nx\r\n0\r\n\r\n`,
    most: 256,
    status: 400,
  },
  {
    what: "the line of the last chunk",
    make: (size) => `${CHUNKED}0;${fill(size - 2)}\r\n\r\n`,
    most: 256,
    status: 400,
  },
  {
    what: "zeros before a chunk's size",
    make: (size) => `${CHUNKED}${"0".repeat(size - 1)}1\r\nx\r\n0\r\n\r\n`,
    most: 256,
    status: 400,
  },
];

/** What counts for a limit may be a line with its end, or without. */
const AROUND = [-3, -2, -1, 0, 1, 2, 3];

describe("A head in any pieces", () => {
  for (const { what, make, most, status } of LIMITS) {
    for (const piece of [1, 2, 7, 64, 100_000]) {
      it(`${what}, in pieces of ${piece}`, async () => {
        for (const more of AROUND) {
          const size = most + more;
          const verdict = await ask(make(size), piece);
          const refused = new RegExp(`^(200 )?${status} closed$`);
          const expected = more > 0 ? refused : /^(200 )?200 open$/;
          assert.match(verdict, expected, `${size} (${more} more)`);
        }
      });
    }
  }

  it("a target that is too long, whatever comes behind it", async () => {
    for (const length of [HEAD_BYTES, HEAD_BYTES + 1, 20_000]) {
      const line = `GET /${fill(length)} HTTP/1.1\r\nHost: a\r\n\r\n`;
      for (const piece of [1, 100, 100_000])
        assert.match(await ask(line, piece), /^4(14|31) closed$/);
      assert.match(
        await ask(`GET /${fill(length)}`, 50),
        /^4(14|31) closed$/,
      );
    }
  });

  it("a method that never ends, and a name that never ends", async () => {
    assert.match(await ask(fill(5_000), 50), /^4\d\d closed$/);
    assert.match(await ask(START + fill(5_000), 50), /^431 closed$/);
    assert.match(
      await ask(`${START}X:${" ".repeat(5_000)}`, 50),
      /^431 closed$/,
    );
  });

  for (const kind of ["a length", "chunks"]) {
    it(`a body with ${kind}, around what its route takes`, async () => {
      const router = new Router();
      router.post("/", { bodyBytes: 100 }, async (req) => {
        return { length: (await req.bytes()).length };
      });
      const limited = createServer(router);
      for (const length of [0, 1, 99, 100, 101, 102, 5000]) {
        for (const piece of [1, 33, 100_000]) {
          if (length === 5000 && piece === 1) continue;
          const request = bodyOf(kind, length);
          const text = await send(limited, request, piece);
          const expected =
            length > 100 ? /^HTTP\/1\.1 413 / : /^HTTP\/1\.1 200 /;
          assert.match(text, expected, `${length} in pieces of ${piece}`);
          if (length > 100) continue;
          const body = `{"length":${length}}`;
          assert.ok(text.includes(body), text.slice(0, 300));
        }
      }
    });
  }
});

/** @param {string} kind @param {number} length */
function bodyOf(kind, length) {
  const head = "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n";
  if (kind === "a length")
    return `${head}Content-Length: ${length}\r\n\r\n${fill(length)}`;
  const chunk =
    length > 0 ? `${length.toString(16)}\r\n${fill(length)}\r\n` : "";
  return `${head}Transfer-Encoding: chunked\r\n\r\n${chunk}0\r\n\r\n`;
}

/**
 * @param {any} to a server
 * @param {string} text
 * @param {number} size of a piece
 * @returns {Promise<string>} all that comes until the server closes
 */
async function send(to, text, size) {
  const socket = openConnection(to);
  socket.on("error", () => {});
  let received = "";
  socket.setEncoding("latin1");
  socket.on("data", (chunk) => {
    received += chunk;
  });
  const ended = new Promise((resolve) => {
    socket.once("end", resolve).once("close", resolve);
  });
  for (let at = 0; at < text.length; at += size) {
    if (socket.writable) socket.write(text.slice(at, at + size));
    await new Promise((resolve) => setImmediate(resolve));
  }
  await ended;
  socket.destroy();
  return received;
}
