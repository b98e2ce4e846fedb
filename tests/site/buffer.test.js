/** What stands for Node's Buffer in a page does what that does. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { PageBuffer } from "../../assets/labs/buffer.js";
import { bytesOf } from "../../assets/labs/bytes.js";
import { labs } from "../../assets/labs/labs.js";
import { collectLabFiles } from "../../tools/lib/lab-files.js";
import { root } from "../../tools/lib/setup.js";

const text = fc.string({ unit: "binary" });
const bytes = fc.uint8Array({ maxLength: 40 });
const place = fc.integer({ min: 0, max: 50 });

/** @param {Uint8Array} buffer */
const numbers = (buffer) => [...buffer];

describe("the page's Buffer", () => {
  test("reads and writes text as Node's does", () => {
    fc.assert(
      fc.property(text, bytes, place, place, (string, list, start, end) => {
        assert.deepEqual(numbers(PageBuffer.from(string)), numbers(Buffer.from(string)));
        assert.equal(PageBuffer.byteLength(string), Buffer.byteLength(string));
        const [ours, nodes] = [PageBuffer.from(list), Buffer.from(list)];
        assert.equal(ours.toString("latin1"), nodes.toString("latin1"));
        assert.equal(ours.toString("latin1", start, end), nodes.toString("latin1", start, end));
        const latin1 = nodes.toString("latin1");
        assert.deepEqual(numbers(PageBuffer.from(latin1, "latin1")), numbers(nodes));
        assert.equal(PageBuffer.from(string).toString(), Buffer.from(string).toString());
      }),
    );
  });

  test("reads bytes that aren't UTF-8 as Node's does, a mark at the beginning too", () => {
    fc.assert(
      fc.property(bytes, fc.boolean(), (list, hasMark) => {
        const all = hasMark ? [0xef, 0xbb, 0xbf, ...list] : [...list];
        assert.equal(PageBuffer.from(all).toString(), Buffer.from(all).toString());
      }),
    );
  });

  test("cuts, joins and copies as Node's does", () => {
    fc.assert(
      fc.property(bytes, bytes, place, place, place, (one, other, start, end, at) => {
        const results = [PageBuffer, Buffer].map((Kind) => {
          const [a, b] = [Kind.from(one), Kind.from(other)];
          const target = Kind.alloc(60, 0);
          const copied = a.copy(target, at, Math.min(start, a.length), end);
          return {
            copied,
            target: numbers(target),
            joined: numbers(Kind.concat([a, b])),
            cutShort: numbers(Kind.concat([a, b], start)),
            part: numbers(a.subarray(start, end)),
            partText: a.subarray(start, end).toString("latin1"),
            isBuffer: Kind.isBuffer(a.subarray(1)),
          };
        });
        assert.deepEqual(results[0], results[1]);
      }),
    );
  });

  test("shares a part's bytes with the whole", () => {
    const whole = PageBuffer.from([1, 2, 3]);
    whole.subarray(1)[0] = 7;
    assert.deepEqual(numbers(whole), [1, 7, 3]);
  });

  test("says what it doesn't know", () => {
    assert.throws(() => PageBuffer.from("00", "hex"), /latin1 and utf8, and not hex/);
    assert.throws(() => PageBuffer.from([0]).toString("base64"), /and not base64/);
  });

  test("has all that the labs' files ask of Buffer", () => {
    const text = Object.values(labs)
      .flatMap((lab) => collectLabFiles(root, lab).files)
      .flatMap(({ parts }) => parts)
      .filter((part) => typeof part === "string")
      .join("\n");
    const asked = [...text.matchAll(/(?<![\w.{])Buffer\.(\w+)/g)].map(([, name]) => name);
    assert.ok(asked.length > 0);
    const known = Object.getOwnPropertyNames(PageBuffer);
    assert.deepEqual(
      asked.filter((name) => !known.includes(name)),
      [],
    );
  });
});

describe("bytes that a reader types", () => {
  test("are those that raw.js would send", () => {
    const cases = /** @type {[string, number[]][]} */ ([
      ["a\\r\\n", [97, 13, 10]],
      ["\\x00\\xff\\0", [0, 255, 0]],
      ["\\\\r", [92, 114]],
      ["ë", [0xc3, 0xab]],
      ["3*ab", [97, 98, 97, 98, 97, 98]],
      ["\\q", [92, 113]],
    ]);
    for (const [typed, expected] of cases) assert.deepEqual(numbers(bytesOf(typed)), expected);
  });
});
