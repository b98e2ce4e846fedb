import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ranksByWork } from "../../benchmarks/charts/work.js";
import { sameServers, suites } from "../../benchmarks/lib/suites.js";

/** @import { Result } from "../../benchmarks/lib/results.js" */

/**
 * @param {string} suite
 * @param {string} verdict of its twins
 * @param {Record<string, [ratio: number, rank: number, verdict?: string]>} servers
 * @returns {Result}
 */
function resultOf(suite, verdict, servers) {
  const ids = Object.keys(servers);
  const result = {
    suite,
    contenders: Object.fromEntries(ids.map((id) => [id, { title: `the ${id}` }])),
    derived: {
      noise: { verdict },
      contenders: Object.fromEntries(
        ids.map((id) => {
          const [median, rank, of = "server-bound"] = servers[id];
          return [id, { cpuToBaseline: { median }, rank, verdict: of }];
        }),
      ),
    },
  };
  return /** @type {Result} */ (/** @type {unknown} */ (result));
}

describe("the table of ranks by work", () => {
  const small = resultOf("documented", "tie", {
    "go-http": [0.9, 3],
    "node-http": [1, 4],
    "express-documented": [4, 9],
    "another one": [0.1, 1],
  });

  it("ranks the same servers among themselves, ties with them", () => {
    const json = resultOf("json-body", "tie", {
      "go-http": [1.2, 2],
      "node-http": [1, 1],
      "express-documented": [1.21, 2],
    });
    assert.deepEqual(ranksByWork([small, json]), [
      ["server", "a small GET", "a POST with JSON", "places"],
      ["the go-http", "0.90 (1.)", "1.20 (2.)", "1 to 2"],
      ["the node-http", "1.00 (2.)", "1.00 (1.)", "1 to 2"],
      ["the express-documented", "4.00 (3.)", "1.21 (2.)", "2 to 3"],
    ]);
  });

  it("gives a suite of one work a column by itself, under what it asks", () => {
    for (const { name, work } of suites.filter((suite) => suite.work)) {
      const [head] = ranksByWork([small, resultOf(name, "tie", { "node-http": [1, 1] })]);
      assert.deepEqual(head, ["server", "a small GET", work, "places"]);
    }
  });

  it("ranks without C, which not every work has", () => {
    const json = resultOf("json-body", "tie", {
      "c-floor": [0.3, 1],
      "go-http": [0.9, 2],
      "node-http": [1, 3],
    });
    const rows = ranksByWork([small, json]);
    assert.deepEqual(rows[1], ["the go-http", "0.90 (1.)", "0.90 (1.)", "1"]);
    assert.deepEqual(rows.at(-1), ["the c-floor", "–", "0.30", "–"]);
  });

  it("marks what wasn't full, and ranks nobody whom neither side held up", () => {
    const file = resultOf("file", "tie", {
      "axum-documented": [0.5, 1, "neither-bound"],
      "go-http": [0.9, 2, "generator-bound"],
      "node-http": [1, 3],
    });
    const rows = ranksByWork([small, file]);
    assert.deepEqual(rows[1], ["the go-http", "0.90 (1.)", "0.90° (1.)", "1"]);
    assert.deepEqual(rows[2], ["the node-http", "1.00 (2.)", "1.00 (2.)", "2"]);
    assert.deepEqual(rows.at(-1), ["the axum-documented", "–", "0.50*", "–"]);
  });

  it("gives no rank where the twins don't tie, and a dash where a server is missing", () => {
    const secure = resultOf("tls", "not a tie", { "node-http": [1, 1], "go-http": [0.8, 2] });
    const rows = ranksByWork([small, secure]);
    assert.deepEqual(rows[1], ["the go-http", "0.90 (1.)", "0.80", "1"]);
    assert.deepEqual(rows[3], ["the express-documented", "4.00 (3.)", "–", "3"]);
  });
});

describe("the suites of one work", () => {
  const works = suites.filter(({ work }) => work);

  it("ask the same servers, all of which `typical` or `documented` has too", () => {
    assert.equal(works.length, 6);
    const asked = suites
      .filter(({ name }) => name === "typical" || name === "documented")
      .flatMap(({ contenders }) => contenders());
    assert.deepEqual(
      sameServers.filter((id) => !asked.includes(id)),
      [],
    );
    for (const { name, contenders, baseline } of works) {
      assert.ok(contenders().includes(baseline), name);
      const missing = sameServers.filter((id) => !contenders().includes(id));
      assert.deepEqual(missing, name === "tls" ? ["c-floor"] : [], name);
    }
  });
});
