import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { checkText, Kept, testLines } from "../../contracts/log/index.js";
import { createLogger } from "../index.js";

/** Numbers that look random, and are the same each time. */
function makeRandom(seed = 1) {
  let state = seed;
  return (/** @type {number} */ most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}

/**
 * @param {ReturnType<typeof makeRandom>} random
 * @param {number} [depth]
 * @returns {unknown}
 */
function makeValue(random, depth = 0) {
  const length = random(5) === 0 ? random(300) : random(6);
  const text = () =>
    String.fromCharCode(...Array.from({ length }, () => random(0x10000)));
  /** @type {(() => unknown)[]} */
  const kinds = [
    text,
    () => text().repeat(random(400)),
    () => random(1e9) / 7,
    () => undefined,
    () => null,
    () => BigInt(random(1e9)),
    () => Symbol(text()),
    () => new Error(text(), { cause: makeValue(random, depth + 1) }),
    () =>
      Array.from({ length: random(4) }, () => makeValue(random, depth + 1)),
    () =>
      Object.fromEntries(
        Array.from({ length: random(4) }, () => [
          text().slice(0, 9),
          makeValue(random, depth + 1),
        ]),
      ),
    () => ({ toJSON: () => makeValue(random, depth + 1) }),
    () =>
      new Proxy(
        {},
        {
          ownKeys: () => {
            throw text();
          },
        },
      ),
  ];
  return kinds[random(depth > 4 ? 7 : kinds.length)]();
}

describe("One line, whatever it holds", () => {
  testLines(createLogger);

  it("is one line for a thousand values that nobody thought of", async () => {
    const random = makeRandom();
    const stream = new Kept();
    const logger = createLogger({ destination: stream, bufferBytes: 1e9 });
    for (let i = 0; i < 1000; i += 1) {
      logger.info(makeValue(random), makeValue(random));
    }
    await logger.close();
    assert.equal(stream.lines.length, 1000);
    assert.deepEqual(logger.counters, { written: 1000, dropped: 0 });
    for (const line of stream.text.split("\n")) checkText(`${line}\n`);
  });

  it("leaves out what is too much, and stays JSON", async () => {
    const stream = new Kept();
    const logger = createLogger({ destination: stream });
    const nothing = Object.fromEntries(
      Array.from({ length: 200 }, (_, i) => [`k${i}`, undefined]),
    );
    logger.info("m", nothing);
    logger.info("m", {
      a: nothing,
      b: Array(20).fill("x".repeat(8000)),
      c: { d: 1 },
    });
    await logger.close();
    assert.equal(stream.lines[0]["[more]"], 100);
    assert.deepEqual(stream.lines[1].a, { "[more]": 100 });
    assert.equal(stream.lines[1].c, undefined);
  });

  it("keeps the line of an error that won't tell its message", async () => {
    const kept = new Kept();
    const logger = createLogger({ destination: kept });
    const err = Object.defineProperty(new Error(), "message", {
      get: () => assert.fail("nobody may ask"),
    });
    logger.error(err, { id: 7 });
    await logger.close();
    const [line] = kept.lines;
    assert.equal(line.message, "[unreadable]");
    assert.equal(line.err.message, "[unreadable]");
    assert.equal(line.err.name, "Error");
    assert.equal(line.id, 7);
    assert.deepEqual(logger.counters.dropped, 0);
  });

  it("tells an error with its stack, its cause and its own fields", async () => {
    const stream = new Kept();
    const logger = createLogger({ destination: stream });
    const cause = new AggregateError(
      [new Error("a"), new Error("b")],
      "both",
    );
    logger.error(
      "m",
      Object.assign(new Error("no", { cause }), { code: "E_NO", shelf: 7 }),
    );
    await logger.close();
    const [{ err }] = stream.lines;
    assert.equal(err.message, "no");
    assert.equal(err.code, "E_NO");
    assert.equal(err.shelf, 7);
    assert.match(err.stack, /^Error: no\n {4}at /);
    assert.deepEqual(
      err.cause.errors.map((/** @type {Error} */ { message }) => message),
      ["a", "b"],
    );
  });
});
