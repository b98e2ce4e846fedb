import assert from "node:assert/strict";
import { it } from "node:test";

/**
 * Replies of RESP, of the types that velocy asks for (https://redis.io/docs/latest/develop/reference/protocol-spec/).
 *
 * @type {[bytes: string, value: unknown][]}
 */
const REPLIES = [
  ["+OK\r\n", "OK"],
  ["+\r\n", ""],
  [":5\r\n", 5],
  [":-5\r\n", -5],
  [":99999999999999999999\r\n", 99999999999999999999n],
  ["$5\r\nhe\r\nl\r\n", "he\r\nl"],
  ["$0\r\n\r\n", ""],
  ["$6\r\n☃é!\r\n", "☃é!"],
  ["$-1\r\n", null],
  ["_\r\n", null],
  ["*0\r\n", []],
  ["*-1\r\n", null],
  ["*3\r\n:1\r\n*1\r\n+a\r\n$1\r\nb\r\n", [1, ["a"], "b"]],
  [
    "%2\r\n+a\r\n:1\r\n:2\r\n+b\r\n",
    new Map(
      /** @type {[unknown, unknown][]} */ ([
        ["a", 1],
        [2, "b"],
      ]),
    ),
  ],
];

const BAD = [
  "HTTP/1.1 400 Bad Request\r\n",
  ":x\r\n",
  "$x\r\n",
  "$-2\r\n",
  "$?\r\n;0\r\n",
  "*?\r\n.\r\n",
  "$3\r\nabcd\r\n",
  "$99999999999\r\n",
  "*99999999999\r\n",
  "*1\r\n.\r\n",
  "\r\n",
  "(x\r\n",
  "*1\r\n".repeat(100),
];

/**
 * @param {{ Source: any, readReply: any, RedisError: any }} resp
 */
export function testReplies({ Source, readReply, RedisError }) {
  /** @param {Buffer[]} pieces */
  const readAll = (pieces) => {
    const source = new Source();
    /** @type {unknown[]} */
    const got = [];
    const reading = (function* readAll() {
      for (;;) got.push(yield* readReply(source));
    })();
    for (const piece of pieces) {
      source.add(piece);
      reading.next();
    }
    return got;
  };

  for (const [text, value] of REPLIES) {
    it(`reads ${JSON.stringify(text).slice(0, 50)}, cut anywhere`, () => {
      // Twice, so that a reply that takes too much is seen.
      const bytes = Buffer.from(text + text);
      assert.deepEqual(readAll([bytes]), [value, value]);
      for (let i = 1; i < bytes.length; i += 1) {
        const pieces = [bytes.subarray(0, i), bytes.subarray(i)];
        assert.deepEqual(readAll(pieces), [value, value], `cut at ${i}`);
      }
      const each = Array.from(bytes, (byte) => Buffer.from([byte]));
      assert.deepEqual(readAll(each), [value, value]);
    });
  }

  it("reads an error", () => {
    const [error] = readAll([Buffer.from("-OOM no memory\r\n")]);
    assert.ok(error instanceof RedisError, "it is an error");
    assert.equal(/** @type {any} */ (error).code, "OOM");
    assert.equal(/** @type {any} */ (error).message, "OOM no memory");
  });

  for (const text of BAD) {
    it(`refuses ${JSON.stringify(text).slice(0, 40)}`, () => {
      assert.throws(() => readAll([Buffer.from(text)]));
    });
  }

  it("refuses a line without an end", () => {
    const pieces = Array(100).fill(Buffer.alloc(1024, "+"));
    assert.throws(() => readAll(pieces));
  });

  it("reads a long line byte by byte in a time that grows with it", () => {
    const bytes = Buffer.from(`+${"x".repeat(60_000)}\r\n`);
    const pieces = Array.from(bytes, (byte) => Buffer.from([byte]));
    const before = process.cpuUsage();
    assert.equal(/** @type {any} */ (readAll(pieces)[0]).length, 60_000);
    // Joined at each byte, these would be 1.8 gigabytes to copy.
    const { user, system } = process.cpuUsage(before);
    assert.ok(user + system < 250_000, "it took too long");
  });

  it("refuses a line that ends in half of a line end", () => {
    assert.throws(() => readAll([Buffer.from("+a\n")]));
  });

  it("reads a large text in small pieces in a time that grows with it", () => {
    const size = 8 * 1024 * 1024;
    const bytes = Buffer.from(`$${size}\r\n${"x".repeat(size)}\r\n`);
    const pieces = [];
    for (let i = 0; i < bytes.length; i += 1024) {
      pieces.push(bytes.subarray(i, i + 1024));
    }
    const start = performance.now();
    assert.equal(/** @type {any} */ (readAll(pieces)[0]).length, size);
    // Joined at each piece, these would be 32 gigabytes to copy.
    assert.ok(performance.now() - start < 2_000, "it took too long");
  });
}
