import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Agenda } from "../lib/simulation/agenda.js";
import { randomFrom } from "../lib/simulation/random.js";
import { checkProperty, exponential, simulate } from "../testing.js";

/** @param {ArrayLike<number>} numbers */
function meanOf(numbers) {
  const sum = Array.from(numbers).reduce((all, each) => all + each, 0);
  return sum / numbers.length;
}

describe("A line on paper", () => {
  it("lets things happen in their order", async () => {
    await checkProperty(
      (choices) => choices.list(200, () => choices.below(50)),
      (delays) => {
        const agenda = new Agenda();
        /** @type {number[]} */
        const times = [];
        for (const delay of delays) {
          agenda.add(delay, () => times.push(agenda.now));
        }
        agenda.run();
        assert.deepEqual(
          times,
          delays.toSorted((a, b) => a - b),
        );
      },
    );
  });

  it("takes what is planned while something happens", () => {
    const agenda = new Agenda();
    /** @type {number[]} */
    const times = [];
    agenda.add(5, () => agenda.add(5, () => times.push(agenda.now)));
    agenda.add(7, () => times.push(agenda.now));
    agenda.run();
    assert.deepEqual(times, [7, 10]);
  });

  it("has the same chance for the same seed, and another for another", () => {
    const numbers = (/** @type {number} */ seed) => {
      const random = randomFrom(seed);
      return Array.from({ length: 10_000 }, random);
    };
    assert.deepEqual(numbers(7), numbers(7));
    assert.notDeepEqual(numbers(7), numbers(8));
    for (const seed of [1, 2, 3, 1e6]) {
      const all = numbers(seed);
      assert.deepEqual(
        all.filter((each) => !(each >= 0 && each < 1)),
        [],
      );
      assert.ok(Math.abs(meanOf(all) - 0.5) < 0.02, `seed ${seed}`);
    }
  });

  it("plays a day that can be reckoned", () => {
    const even = (/** @type {number} */ mean) => mean;
    const model = { gaps: even, rate: 100, service: 15, seconds: 1 };
    const { sent, good, late } = simulate({ ...model, deadline: 100 });
    // Each waits 5 ms longer than the one before, and the first not at all.
    assert.deepEqual(
      { sent, good, late },
      { sent: 99, good: 18, late: 81 },
    );
  });

  // For times without a memory the mean wait is known (Erlang, 1917).
  for (const [servers, utilisation, mean] of [
    [1, 0.7, 3.33],
    [1, 0.8, 5],
    [2, 0.7, 1.96],
    [4, 0.9, 2.97],
  ]) {
    it(`agrees with theory: ${servers} at ${utilisation}`, () => {
      const rate = utilisation * servers * 100;
      const times = { service: 10, times: exponential };
      const { latencies } = simulate({
        ...{ rate, servers, seconds: 2000 },
        ...times,
      });
      const found = meanOf(latencies) / 10;
      assert.ok(Math.abs(found / mean - 1) < 0.1, `${found}, not ${mean}`);
    });
  }

  it("serves who finds the server free, though nobody may wait", () => {
    const even = (/** @type {number} */ mean) => mean;
    const model = { gaps: even, service: 15, seconds: 1 };
    const line = { waiting: 0 };
    const one = simulate({ ...model, rate: 50, line });
    assert.deepEqual([one.good, one.refused], [49, 0]);
    // While one of them is served, the next one comes.
    const other = simulate({ ...model, rate: 100, line });
    assert.deepEqual([other.good, other.refused], [50, 49]);
  });

  it("tells of each second, and of those who left", () => {
    const model = { service: 5, deadline: 200, patience: 1000, seconds: 5 };
    const { goodBySecond, ...rest } = simulate({ ...model, rate: 400 });
    assert.equal(goodBySecond.length, 5);
    assert.ok(goodBySecond[0] > 40, "the first are in time");
    assert.deepEqual(goodBySecond.slice(1), [0, 0, 0, 0]);
    const { sent, good, late, refused, left } = rest;
    assert.equal(good + late + refused + left, sent);
    assert.equal(rest.percentile(1), rest.latencies.at(-1));
  });
});

describe("Those who come back", () => {
  const rate = (/** @type {number} */ now) =>
    now > 5000 && now < 8000 ? 590 : 140;
  const model = {
    ...{ rate, service: 5, refusal: 0.2, seconds: 40 },
    ...{ deadline: 200, patience: 1000 },
  };

  it("keep a server down that would have recovered", () => {
    const without = simulate(model).goodBySecond;
    assert.equal(without[15], 0);
    assert.ok(without[35] > 100, `good: ${without[35]}`);
    const { goodBySecond } = simulate({ ...model, tries: 3 });
    assert.equal(goodBySecond[35], 0);
  });

  it("don't keep one down that refuses", () => {
    const options = { tries: 3, line: { age: 100 } };
    const { goodBySecond } = simulate({ ...model, ...options });
    assert.deepEqual(
      goodBySecond.filter((good) => !(good > 100)),
      [],
    );
  });

  it("ask so many times at most, and not before the pause is over", () => {
    const once = { rate: 10, gaps: (/** @type {number} */ mean) => mean };
    const never = { service: 1, line: { waiting: 0 }, servers: 0 };
    const times = { tries: 3, pause: 100, seconds: 1 };
    const { sent, refused } = simulate({ ...once, ...never, ...times });
    assert.deepEqual({ sent, refused }, { sent: 9, refused: 9 });
  });
});
