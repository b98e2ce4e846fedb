import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { routersByRoutes } from "../../benchmarks/charts/router.js";
import { describeScore } from "../../benchmarks/router/score.js";

/**
 * A result of rounds that agree, but for one set.
 *
 * @param {Record<string, Record<string, number>>} hits by set and router
 * @param {string} [unclear] a set on which velocy is slow in every other round
 * @returns {any}
 */
function resultOf(hits, unclear) {
  const sets = Object.keys(hits);
  const blocks = Array.from({ length: 5 }, (_, i) =>
    sets.flatMap((set) =>
      Object.entries(hits[set]).map(([router, ns]) => {
        const isSlow = set === unclear && i % 2 === 1 && router.startsWith("velocy");
        return { router, set, hits: isSlow ? ns * 9 : ns };
      }),
    ),
  );
  const routers = Object.keys(hits[sets[0]]).map((id) => [id, { title: `the ${id}` }]);
  const estimates = (/** @type {Record<string, number>} */ ofSet) =>
    Object.fromEntries(
      Object.entries(ofSet).map(([id, ns]) => [id, { median: ns, low: ns, high: ns }]),
    );
  return {
    machine: "a machine",
    where: { cores: 2, cpu: "a CPU" },
    blocks,
    routers: Object.fromEntries(routers),
    sets: Object.fromEntries(
      sets.map((set) => [set, { routes: Number(set.replace(/\D/g, "")) || 7 }]),
    ),
    derived: Object.fromEntries(sets.map((set) => [set, { hits: estimates(hits[set]) }])),
  };
}

const path = "velocy-0.10.0";
const target = "velocy-0.10.0-from-a-target";

/**
 * @param {number} fromPath
 * @param {number} fromTarget
 * @param {number} memoirist
 * @param {number} findMyWay
 */
function row(fromPath, fromTarget, memoirist, findMyWay) {
  return { [path]: fromPath, [target]: fromTarget, memoirist, "find-my-way": findMyWay };
}

describe("the routers' score", () => {
  it("compares like with like, and names every set that is lost", () => {
    const hits = { short: row(10, 20, 15, 30), long: row(20, 30, 15, 25) };
    assert.equal(
      describeScore(resultOf(hits), "0.10.0"),
      "For velocy, a target takes 1.5 to 2.0 times as long as a path. " +
        "Asked by path, velocy takes less than the best of the others that take a path on short, " +
        "and more than the best of the others that take a path on long. " +
        "Asked by target, it takes less than find-my-way on short, " +
        "and more than find-my-way on long.",
    );
  });

  it("says where the rounds don't agree, and how far apart they are", () => {
    const hits = { short: row(10, 20, 15, 30), long: row(20, 30, 15, 25) };
    const score = describeScore(resultOf(hits, "short"), "0.10.0");
    assert.match(score, /Asked by target, it takes more than find-my-way on long\./);
    assert.match(score, /The rounds disagree on short \(0\.67 to 6\.00 times as long\)\.$/);
  });

  it("settles nothing by one round", () => {
    const result = resultOf({ short: row(10, 20, 15, 30) });
    result.blocks.length = 1;
    const score = describeScore(result, "0.10.0");
    assert.doesNotMatch(score, /less than|more than|disagree/);
    assert.match(score, /There were too few rounds to tell on short\.$/);
  });

  it("has the sets that grow, by their numbers of routes", () => {
    const hits = {
      short: row(10, 20, 15, 30),
      "scale-10": row(10, 20, 15, 10),
      "scale-10000": row(10, 20, 15, 10),
    };
    assert.match(
      describeScore(resultOf(hits), "0.10.0"),
      /In the chart, asked by target, it takes more than find-my-way with 10 and 10,000 routes\.$/,
    );
  });
});

describe("the chart of the routers by their routes", () => {
  it("shows velocy asked by path and by target", () => {
    const hits = { "scale-10": row(10, 20, 15, 10), "scale-100": row(10, 20, 15, 10) };
    const { table } = routersByRoutes(resultOf(hits));
    assert.deepEqual(
      table.map(([title]) => title),
      ["router", `the ${path}`, `the ${target}`, "the memoirist", "the find-my-way"],
    );
  });
});
