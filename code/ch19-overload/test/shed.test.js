import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { compute, testShedding } from "../../contracts/running/overload.js";
import * as velocy from "../index.js";
import { Gate } from "../lib/running/gate.js";
import { Loop } from "../lib/running/loop.js";

describe("One look before each handler", () => {
  it("knows whether the loop has had nothing to do", async () => {
    const loop = new Loop();
    const isBehind = () => loop.behind(performance.now()) > 1;
    await sleep(20);
    assert.equal(isBehind(), false);
    compute(5);
    assert.equal(isBehind(), true);
    await new Promise((resolve) => loop.turn(5, () => resolve(undefined)));
    assert.equal(isBehind(), false);
  });

  it("turns until nothing new has come in two turns", async () => {
    const loop = new Loop();
    let news = 5;
    let turns = 0;
    const come = () => {
      turns += 1;
      if (news === 0) return;
      news -= 1;
      loop.tell();
      setImmediate(come);
    };
    setImmediate(come);
    await new Promise((resolve) =>
      loop.turn(5000, () => resolve(undefined)),
    );
    assert.equal(news, 0);
    assert.ok(turns >= 5, `${turns} turns`);
  });

  it("doesn't look for longer than it is told", async () => {
    const loop = new Loop();
    const start = performance.now();
    const timer = setInterval(() => loop.tell(), 1);
    const come = () => {
      loop.tell();
      immediate = setImmediate(come);
    };
    let immediate = setImmediate(come);
    await new Promise((resolve) => loop.turn(20, () => resolve(undefined)));
    clearInterval(timer);
    clearImmediate(immediate);
    const time = performance.now() - start;
    assert.ok(time >= 19, `${time} ms`);
  });

  it("serves who waits, and refuses who is too many or too old", async () => {
    const gate = new Gate({ concurrent: 100, age: 300, waiting: 3 });
    /** @type {string[]} */
    const said = [];
    for (const name of ["B", "C", "D", "E"]) {
      gate.wait({
        start: () => {
          compute(200);
          said.push(`${name} is served`);
          gate.leave();
        },
        refuse: () => said.push(`${name} is refused`),
      });
    }
    while (said.length < 4) await sleep(5);
    assert.deepEqual(said, [
      "B is refused",
      "C is served",
      "D is served",
      "E is refused",
    ]);
  });
});

describe("Who must get through", () => {
  testShedding(velocy);
});
