import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { MultipartParser } from "../lib/request/multipart-parser.js";
import {
  canonicalPath,
  TargetError,
  targetOf,
} from "../lib/router/path.js";
import { shrink } from "../lib/testing/shrink.js";
import { Choices, checkProperty } from "../testing.js";

describe("Any body, cut anywhere", () => {
  it("makes the same choices from the same seed", () => {
    const draw = (choices) =>
      Array.from({ length: 50 }, () => choices.below(9));
    assert.deepEqual(draw(Choices.byChance(7)), draw(Choices.byChance(7)));
    assert.notDeepEqual(
      draw(Choices.byChance(7)),
      draw(Choices.byChance(8)),
    );
  });

  it("refuses seeds that would make the same numbers for ever", () => {
    for (const seed of [0, -1, 1.5, NaN, Infinity, 2 ** 32, "7"]) {
      assert.throws(
        () => Choices.byChance(/** @type {any} */ (seed)),
        { code: "ERR_OPTION_INVALID" },
        `${seed}`,
      );
    }
    const most = Choices.byChance(2 ** 32 - 1);
    assert.notEqual(most.below(1000), most.below(1000));
  });

  it("refuses to choose among nothing", () => {
    const choices = Choices.byChance(7);
    for (const limit of [0, -1, 1.5, NaN, 2 ** 32, undefined, "9"]) {
      assert.throws(
        () => choices.below(/** @type {any} */ (limit)),
        { code: "ERR_OPTION_INVALID" },
        `${limit}`,
      );
    }
    assert.throws(() => choices.pick([]), { code: "ERR_OPTION_INVALID" });
  });

  it("refuses options that nobody would read", async () => {
    const options = /** @type {any} */ ({ run: 5 });
    await assert.rejects(
      checkProperty(
        () => 0,
        () => {},
        options,
      ),
      { code: "ERR_OPTION_UNKNOWN" },
    );
  });

  it("refuses runs that aren't a number of runs", async () => {
    for (const runs of [-1, 1.5, NaN, Infinity, "abc"]) {
      const options = /** @type {any} */ ({ runs });
      await assert.rejects(
        checkProperty(
          () => 0,
          () => {},
          options,
        ),
        { code: "ERR_OPTION_INVALID" },
        `${runs}`,
      );
    }
  });

  it("keeps what has failed where nothing simpler can be made", async () => {
    const make = (choices) => {
      const items = choices.list(9, () => choices.below(50));
      return items.reduce((a, b) => a + b);
    };
    const check = (sum) => assert.ok(sum < 20, `the sum is ${sum}`);
    const outcomes = await Promise.all(
      [1, 2, 3, 4].map((seed) =>
        checkProperty((choices) => make(choices), check, { seed }).then(
          () => "it holds",
          ({ message }) => message,
        ),
      ),
    );
    for (const message of outcomes) {
      assert.match(
        message,
        /^run \d+ of seed \d (fails with 20|can't make a value)$/,
      );
    }
    assert.ok(
      outcomes.some((message) => message.includes("20")),
      `${outcomes}`,
    );
  });

  it("tells the seed also where no value can be made", async () => {
    const make = () => {
      throw new Error("no value");
    };
    await assert.rejects(
      checkProperty(make, () => {}, { seed: 5 }),
      (/** @type {any} */ err) => {
        assert.equal(err.message, "run 1 of seed 5 can't make a value");
        assert.equal(err.cause.message, "no value");
        return true;
      },
    );
  });

  it("makes them again, and the simplest behind them", () => {
    const choices = Choices.again([3, 100]);
    assert.equal(choices.below(10), 3);
    assert.equal(choices.below(10), 0);
    assert.equal(choices.pick(["simple", "other"]), "simple");
    assert.equal(choices.made.length, 3);
  });

  it("chooses each of them, about as often", () => {
    const choices = Choices.byChance(1);
    const counts = new Array(10).fill(0);
    for (let i = 0; i < 10_000; i += 1) counts[choices.below(10)] += 1;
    assert.ok(Math.min(...counts) > 800, `${counts}`);
    assert.ok(Math.max(...counts) < 1200, `${counts}`);
  });

  it("makes lists of every length", () => {
    const lengths = new Set();
    for (let seed = 1; seed < 500; seed += 1) {
      const choices = Choices.byChance(seed * 7_919);
      lengths.add(choices.list(3, () => 0).length);
    }
    assert.deepEqual([...lengths].sort(), [0, 1, 2, 3]);
  });

  it("passes what holds, after as many runs as it was asked for", async () => {
    let runs = 0;
    const count = () => {
      runs += 1;
    };
    await checkProperty((choices) => choices.below(5), count, { runs: 17 });
    assert.equal(runs, 17);
    runs = 0;
    await checkProperty((choices) => choices.below(5), count);
    assert.equal(runs, 100);
  });

  it("tells the simplest list that fails, and what failed", async () => {
    const make = (choices) => choices.list(20, () => choices.below(1000));
    const check = (list) => {
      assert.equal(
        list.find((item) => item >= 700),
        undefined,
      );
    };
    await assert.rejects(
      checkProperty(make, check, { seed: 3 }),
      (/** @type {any} */ err) => {
        assert.match(
          err.message,
          /^run \d+ of seed 3 fails with \[ 700 \]$/,
        );
        assert.equal(err.cause.code, "ERR_ASSERTION");
        return true;
      },
    );
  });

  it("makes numbers smaller that have more than 31 bits", async () => {
    const fails = async (list) => (list[0] >= 3_000_000_000 ? list : null);
    assert.deepEqual(await shrink([4_000_000_001], fails), [3_000_000_000]);
  });

  it("takes away five choices that belong together", async () => {
    const block = "5,3,3,3,3,";
    const fails = async (/** @type {number[]} */ list) =>
      `${list}`.replaceAll(block, "") === "4,2,0,0" ? list : null;
    const list = [5, 3, 3, 3, 3, 4, 2, 0, 0];
    assert.deepEqual(await shrink(list, fails), [4, 2, 0, 0]);
  });

  it("waits for a check that takes its time", async () => {
    const make = (choices) => choices.below(100);
    const check = async (value) => {
      await null;
      if (value > 10) throw new Error("too large");
    };
    await assert.rejects(checkProperty(make, check), /fails with 11$/);
  });

  it("fails in the same way with the seed that it tells", async () => {
    const make = (choices) => choices.list(9, () => choices.below(50));
    const check = (list) => assert.notEqual(list[3], 17);
    const once = (options) =>
      checkProperty(make, check, options).then(
        () => assert.fail("it holds"),
        ({ message }) => message,
      );
    const message = await once({ runs: 5000 });
    const seed = Number(/seed (\d+)/.exec(message)?.[1]);
    assert.equal(await once({ runs: 5000, seed }), message);
  });

  it("comes to an end, whatever fails", async () => {
    const start = [9, 8, 7, 6];
    const best = await shrink(start, async (list) => list);
    assert.deepEqual(best, []);
    const stubborn = await shrink(start, async () => [9, 9, 9, 9, 9]);
    assert.deepEqual(stubborn, start);
  });

  it("finds a delimiter that a chunk's end has cut", async () => {
    const read = (chunks) => {
      const parser = new MultipartParser("b");
      let text = "";
      for (const chunk of chunks) {
        parser.push(chunk);
        for (;;) {
          const piece = parser.takePiece();
          text += piece === null ? "|" : (piece ?? "");
          if (piece === null && !parser.takeHead(1000)) break;
          if (piece === undefined) break;
        }
      }
      return text.replaceAll(/\|+/g, "|");
    };
    const texts = ["a", "-", "\r", "\n", "--b", "\r\n--b", "\r\n\r\n"];
    const make = (choices) => {
      const text = choices.list(12, () => choices.pick(texts)).join("");
      return { text: `--b${text}`, cut: choices.below(text.length + 3) };
    };
    const check = ({ text, cut }) => {
      const body = Buffer.from(text);
      const halves = [body.subarray(0, cut), body.subarray(cut)];
      assert.equal(read(halves), read([body]));
    };
    await checkProperty(make, check, { runs: 1000 });
  });

  it("reads a canonical path as itself", async () => {
    const pieces = [
      "a",
      "/",
      "%2F",
      "%25",
      "%2e",
      "é",
      "%5C",
      ".",
      "?",
      " ",
    ];
    const make = (choices) =>
      `/${choices.list(12, () => choices.pick(pieces)).join("")}`;
    const check = (path) => {
      try {
        const canonical = canonicalPath(path);
        assert.equal(canonicalPath(targetOf(canonical)), canonical);
      } catch (err) {
        if (!(err instanceof TargetError)) throw err;
      }
    };
    await checkProperty(make, check, { runs: 2000 });
  });
});
