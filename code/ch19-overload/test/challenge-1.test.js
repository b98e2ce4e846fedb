import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { ask, listen } from "../../contracts/router/ask.js";
import { createServer, Router, shed } from "../index.js";
import { Line } from "../lib/running/line.js";

const skip = process.env.CHALLENGE !== "1" && "challenge 1";

/**
 * @param {any} options
 * @param {[name: string, priority: number | undefined][]} visits
 */
function lineOf(options, visits) {
  const line = /** @type {any} */ (new Line(options));
  for (const [index, [name, priority]] of visits.entries()) {
    line.add(name, index, priority);
  }
  return line;
}

describe("Challenges", { skip }, () => {
  it("takes the highest number, and among equals as before", () => {
    const visits = /** @type {[string, number | undefined][]} */ ([
      ["a", 0],
      ["b", 2],
      ["c", undefined],
      ["d", 2],
      ["e", 1],
    ]);
    for (const [order, expected] of [
      ["oldest", "bdeac"],
      ["newest", "dbeca"],
    ]) {
      const line = lineOf({ order }, visits);
      const taken = visits.map(() => line.take(10));
      assert.equal(taken.join(""), expected, order);
      assert.equal(line.take(10), undefined);
    }
  });

  it("refuses the oldest of the lowest when the line is too long", () => {
    const line = lineOf({ waiting: 2, age: 100 }, [
      ["a", 1],
      ["b", -1],
      ["c", -1],
      ["d", 0],
    ]);
    assert.equal(line.refuse(10), "b");
    assert.equal(line.refuse(10), "c");
    assert.equal(line.refuse(10), undefined);
  });

  it("refuses who is too old in any case", () => {
    const line = lineOf({ age: 100 }, [
      ["a", 9],
      ["b", 0],
    ]);
    assert.equal(line.refuse(100), "a");
    assert.equal(line.refuse(100), undefined);
  });

  it("asks the option for each request that waits", async (t) => {
    const router = new Router();
    /** @type {string[]} */
    const served = [];
    /** @type {() => void} */
    let release = () => {};
    const held = new Promise((resolve) => {
      release = () => resolve(undefined);
    });
    const priority = (/** @type {any} */ req) =>
      req.params.name === "pays" ? 1 : 0;
    const options = { concurrent: 1, age: 60_000, priority };
    const guard = shed(/** @type {any} */ (options));
    router.use(guard);
    router.get("/:name", async (req) => {
      served.push(req.params.name);
      await held;
      return "done";
    });
    const port = await listen(t, createServer(router));
    /** @type {Promise<any>[]} */
    const asked = [];
    for (const [index, name] of ["first", "looks", "pays"].entries()) {
      asked.push(ask(port, "GET", `/${name}`));
      const isIn = () => guard.counts.running + guard.counts.waiting;
      while (isIn() <= index) await sleep(1);
    }
    release();
    await Promise.all(asked);
    assert.deepEqual(served, ["first", "pays", "looks"]);
  });
});
