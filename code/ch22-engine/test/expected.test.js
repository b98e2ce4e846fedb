import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { testExpected } from "../../contracts/http/expected.js";
import * as velocy from "../index.js";
import { membersOf } from "../lib/engine/framing.js";
import { createServer } from "../lib/engine/index.js";
import { headEnd } from "../lib/engine/response-head.js";

describe("What a program expects of Node", () => {
  describe("on the engine", () => {
    testExpected({ ...velocy, createServer });
  });
  describe("on node:http", () => testExpected(velocy));

  it("refuses an interval that no timer takes", () => {
    for (const interval of [2 ** 31, Infinity]) {
      const options = { connectionsCheckingInterval: interval };
      assert.throws(() => createServer(new velocy.Router(), options), {
        code: "ERR_OPTION_INVALID",
      });
    }
    const options = { connectionsCheckingInterval: 2 ** 31 - 1 };
    createServer(new velocy.Router(), options);
  });

  it("has as much time for a head as node:http has", () => {
    for (const options of [
      {},
      { requestTimeout: 2_000 },
      { requestTimeout: 0 },
      { requestTimeout: 90_000, headersTimeout: 70_000 },
    ]) {
      const own = createServer(new velocy.Router(), options);
      const node = velocy.createServer(new velocy.Router(), options);
      const expected =
        options.requestTimeout === 0 ? 60_000 : node.headersTimeout;
      assert.equal(own.headersTimeout, expected, JSON.stringify(options));
    }
  });

  it("refuses what the engine can't do", () => {
    for (const options of [
      { requireHostHeader: false },
      { insecureHTTPParser: true },
      { optimizeEmptyRequests: true },
      { httpValidation: "relaxed" },
      { joinDuplicateHeaders: true },
      { rejectNonStandardBodyWrites: true },
      { shouldUpgradeCallback: () => true },
      { uniqueHeaders: ["x-a"] },
    ]) {
      assert.throws(() => createServer(new velocy.Router(), options), {
        code: "ERR_OPTION_INVALID",
      });
    }
  });
});

/** @param {number} count @returns {number} milliseconds */
function timeToSplit(count) {
  const list = `a${" ".repeat(count)}b`;
  const start = performance.now();
  for (let i = 0; i < 20; i += 1) membersOf(list);
  return performance.now() - start;
}

describe("Fields that nobody has asked for", () => {
  it("splits a list in a time that grows as the list does", () => {
    timeToSplit(1_000);
    const time = timeToSplit(16_000);
    // A pattern that tries each space again takes a hundred times as long.
    assert.ok(time < 500, `${time} ms for twenty lists`);
    assert.deepEqual(membersOf(" Close ,\t,a b\t,\xa0c"), [
      "close",
      "a b",
      "\xa0c",
    ]);
  });
});

describe("The head that is always the same", () => {
  it("makes one end for each timeout, not for each answer", (t) => {
    const timers = t.mock.method(globalThis, "setTimeout");
    for (let i = 0; i < 100; i += 1) {
      assert.match(headEnd(i % 2 === 0 ? 5_000 : 7_000), /timeout=[57]\r/);
    }
    // Two, if a second ends in between.
    const count = timers.mock.callCount();
    assert.ok(count <= 2, `${count} timers were made`);
  });
});
