import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Line } from "../lib/running/line.js";

/**
 * @param {any} options
 * @param {number[]} times when they came
 */
function lineOf(options, times) {
  const line = new Line(options);
  for (const time of times) line.add(`at ${time}`, time);
  return line;
}

describe("Too old, or too many", () => {
  it("refuses the oldest, when its time is over", () => {
    const line = lineOf({ age: 100 }, [0, 50]);
    assert.equal(line.refuse(99), undefined);
    assert.equal(line.refuse(100), "at 0");
    assert.equal(line.refuse(100), undefined);
    assert.equal(line.oldest, 50);
  });

  it("refuses the oldest, when too many wait", () => {
    const line = lineOf({ waiting: 2 }, [0, 1, 2]);
    assert.equal(line.refuse(3), "at 0");
    assert.equal(line.refuse(3), undefined);
    assert.equal(line.length, 2);
  });

  it("refuses nobody in an empty line", () => {
    const line = lineOf({ age: 1, waiting: 0 }, []);
    assert.equal(line.refuse(10), undefined);
    assert.equal(line.take(10), undefined);
    assert.equal(line.oldest, undefined);
  });
});

describe("Who is next", () => {
  it("takes the oldest or the newest, as it is told", () => {
    assert.equal(lineOf({ order: "oldest" }, [0, 1, 2]).take(3), "at 0");
    assert.equal(lineOf({ order: "newest" }, [0, 1, 2]).take(3), "at 2");
  });

  it("takes the newest only when the line has stood for ten ages", () => {
    const line = lineOf({ age: 100 }, [0, 950, 960, 970]);
    assert.equal(line.take(999), "at 0");
    assert.equal(line.take(1000), "at 970");
    assert.equal(line.take(1001), "at 960");
    assert.equal(line.take(1002), "at 950");
    line.add("later", 1003);
    line.add("last", 1004);
    assert.equal(line.take(1005), "later", "it was empty meanwhile");
  });

  it("takes the oldest where nobody may be too old", () => {
    assert.equal(lineOf({}, [0, 1e9]).take(1e9), "at 0");
  });
});
