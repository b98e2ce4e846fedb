import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { simulate } from "../testing.js";

const skip = process.env.CHALLENGE !== "3" && "challenge 3";

const rate = (/** @type {number} */ now) =>
  now > 5000 && now < 8000 ? 590 : 140;
const model = {
  ...{ rate, service: 5, refusal: 0.2, seconds: 40 },
  ...{ deadline: 200, patience: 1000, tries: 3 },
};

/** @param {any} options */
const play = (options) => simulate({ ...model, ...options });

describe("Challenges", { skip }, () => {
  it("lets a server come back by itself", () => {
    assert.equal(play({}).goodBySecond[38], 0, "without a budget");
    const { goodBySecond } = play({ budget: 0.1 });
    assert.ok(goodBySecond[38] > 100, `good: ${goodBySecond[38]}`);
  });

  it("is a share of the new requests", () => {
    const never = { servers: 0, line: { waiting: 0 } };
    const once = play({ ...never, tries: 1 });
    const none = play({ ...never, budget: 0 });
    assert.equal(none.refused, once.refused);
    assert.deepEqual(none.sent, once.sent);
  });
});
