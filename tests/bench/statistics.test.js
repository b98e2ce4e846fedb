import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { bounds } from "../../benchmarks/lib/bounds.js";
import { derive, judgeNoise } from "../../benchmarks/lib/derive.js";
import {
  areAlike,
  compareToOne,
  drawOrder,
  estimate,
  noiseFloor,
  seededRandom,
  signedRankTest,
} from "../../benchmarks/lib/statistics.js";

/** @import { Block } from "../../benchmarks/lib/derive.js" */
/** @import { Run } from "../../benchmarks/lib/measure.js" */

/**
 * @param {number} cpuMicrosecondsPerRequest
 * @returns {Run}
 */
function run(cpuMicrosecondsPerRequest) {
  const requestsPerSecond = 1e6 / cpuMicrosecondsPerRequest;
  return {
    startedAt: "2026-01-01T00:00:00.000Z",
    requests: 1000,
    seconds: 1,
    requestsPerSecond,
    bytesPerResponse: 208,
    cpuMicrosecondsPerRequest,
    serverBusy: 1,
    generatorBusy: 0.5,
    latency: { mean: 1, stdev: 0, p50: 1, p75: 1, p90: 1, p99: 1, max: 1 },
    littlesLaw: { expectedMs: 1, measuredMs: 1, ratio: 1, holds: true },
    errors: { connect: 0, read: 0, write: 0, timeout: 0, status: 0 },
    verdict: "server-bound",
    idleMemory: { kind: "PSS", bytes: 10, rssBytes: 10 },
    memoryUnderLoad: [{ seconds: 1, bytes: 30 }],
    shares: [],
    contract: { bytesPerResponse: 208, differences: [] },
  };
}

/**
 * Blocks in which the whole machine is faster or slower from one to the next,
 * and each server a little from run to run.
 *
 * @param {Record<string, number>} servers their true costs
 * @param {{ count?: number, noise?: number, seed?: number }} [how]
 * @returns {Block[]}
 */
function blocksOf(servers, { count = 7, noise = 0.02, seed = 1 } = {}) {
  const random = seededRandom(seed);
  return Array.from({ length: count }, (_, index) => {
    const weather = 1 + 0.4 * random();
    const runs = Object.fromEntries(
      Object.entries(servers).map(([id, cost]) => [
        id,
        run(cost * weather * (1 + noise * (random() - 0.5))),
      ]),
    );
    return { block: index + 1, order: Object.keys(servers), runs, failed: {} };
  });
}

describe("an estimate", () => {
  it("has the median and the geometric mean", () => {
    const { median, geometricMean, n } = estimate([1, 2, 4, 8, 16]);
    assert.equal(median, 4);
    assert.ok(Math.abs(geometricMean - 4) < 1e-9);
    assert.equal(n, 5);
  });

  it("takes the mean of the two in the middle", () => {
    assert.equal(estimate([1, 2, 3, 10]).median, 2.5);
  });

  it("reaches from the least to the greatest of five values", () => {
    // The median of five draws is the least with a chance of 5.8 %.
    const { low, high } = estimate([10, 11, 12, 13, 14]);
    assert.deepEqual([low, high], [10, 14]);
  });

  it("is as narrow as order statistics say with many values", () => {
    const values = Array.from({ length: 101 }, (_, index) => index + 1);
    const { median, low, high } = estimate(values);
    assert.equal(median, 51);
    // Binomial: ranks 41 and 61 hold 95 % of the medians of 101 values.
    assert.ok(Math.abs(low - 41) <= 2, `low is ${low}`);
    assert.ok(Math.abs(high - 61) <= 2, `high is ${high}`);
  });

  it("has no width when all values are one", () => {
    const { low, median, high } = estimate([3, 3, 3]);
    assert.deepEqual([low, median, high], [3, 3, 3]);
  });

  it("is the same each time", () => {
    assert.deepEqual(estimate([1, 5, 2, 8, 3]), estimate([1, 5, 2, 8, 3]));
  });

  it("refuses to come from nothing", () => {
    assert.throws(() => estimate([]), RangeError);
  });
});

describe("the order of a block", () => {
  it("is drawn again by the same seed", () => {
    const ids = ["a", "b", "c", "d", "e"];
    assert.deepEqual(drawOrder(ids, seededRandom(7)), drawOrder(ids, seededRandom(7)));
  });

  it("puts every server first now and then", () => {
    const ids = ["a", "b", "c", "d"];
    const firsts = new Set(
      Array.from({ length: 60 }, (_, seed) => drawOrder(ids, seededRandom(seed + 1))[0]),
    );
    assert.deepEqual([...firsts].sort(), ids);
  });
});

describe("the noise floor", () => {
  it("says tie when a server is compared with itself", () => {
    const verdicts = Array.from({ length: 40 }, (_, seed) => {
      const blocks = blocksOf({ base: 10, twin: 10 }, { seed: seed + 1 });
      return derive(blocks, { baseline: "base", twin: "twin" }).noise?.verdict;
    });
    assert.deepEqual(new Set(verdicts), new Set(["tie"]));
  });

  it("says not a tie when the twin is another server", () => {
    const blocks = blocksOf({ base: 10, twin: 10.8 });
    assert.equal(derive(blocks, { baseline: "base", twin: "twin" }).noise?.verdict, "not a tie");
  });

  it("says nothing from fewer than five blocks", () => {
    assert.equal(judgeNoise(estimate([1, 1, 1, 1])), "too few blocks");
  });

  it("is the far end of the interval", () => {
    assert.ok(Math.abs(noiseFloor({ ...estimate([1]), low: 0.97, high: 1.01 }) - 0.03) < 1e-12);
  });

  it("makes a difference below it a tie", () => {
    const ratio = { ...estimate([1]), median: 1.02, low: 1.01, high: 1.03 };
    assert.equal(compareToOne(ratio, 0.025), "tie");
    assert.equal(compareToOne(ratio, 0.01), "higher");
  });
});

describe("the signed ranks", () => {
  for (const [differences, expected] of /** @type {[number[], number][]} */ ([
    [[1, 2, 3, 4, 5], 1 / 32],
    [[-1, -2, -3, -4, -5], 1],
    // Of the eight sums of 1, 2 and 3, five are 3 or more.
    [[1, 2, -3], 5 / 8],
    // All of one size: two or three of three heads.
    [[1, 1, -1], 4 / 8],
    [[0, 0, 2], 1 / 2],
  ])) {
    it(`of ${differences} are so large with a chance of ${expected}`, () => {
      assert.ok(Math.abs(signedRankTest(differences) - expected) < 1e-12);
    });
  }
});

describe("two servers", () => {
  const near = [0.99, 1.01, 1.002, 0.985, 1.012, 1.004];

  it("are alike when every block shows it", () => {
    assert.ok(areAlike(near, bounds));
    assert.ok(
      areAlike(
        near.map((ratio) => 1 / ratio),
        bounds,
      ),
    );
  });

  it("aren't shown to be by fewer than five blocks", () => {
    assert.ok(areAlike(near.slice(0, 5), bounds));
    assert.equal(areAlike(near.slice(0, 4), bounds), false);
  });

  it("aren't when the blocks are too noisy to show it, though none shows a difference", () => {
    const noisy = [0.86, 1.15, 1.02, 0.94, 1.09, 0.98];
    assert.equal(compareToOne(estimate(noisy), 0), "tie");
    assert.equal(areAlike(noisy, bounds), false);
  });

  it("aren't when they differ by more than the bound", () => {
    const by = (/** @type {number} */ factor) => near.map((ratio) => ratio * factor);
    assert.equal(areAlike(by(1 + bounds.alike + 0.02), bounds), false);
    assert.equal(areAlike(by(1 / (1 + bounds.alike + 0.02)), bounds), false);
    assert.ok(areAlike(by(1 + bounds.alike - 0.03), bounds));
  });

  it("are called alike by mistake as seldom as the bound says", () => {
    let mistakes = 0;
    for (let seed = 1; seed <= 400; seed++) {
      const random = seededRandom(seed);
      const ratios = Array.from({ length: 11 }, () => {
        return (1 + bounds.alike) * Math.exp(0.04 * (random() - 0.5));
      });
      if (areAlike(ratios, bounds)) mistakes++;
    }
    // 20 of 400 are allowed, and chance; the seeds are always the same.
    assert.ok(mistakes > 0 && mistakes <= 26, `${mistakes} of 400`);
  });
});

describe("what is derived", () => {
  it("compares within a block, so that a slow minute falls out", () => {
    const { contenders } = derive(blocksOf({ base: 10, fast: 5 }, { noise: 0 }), {
      baseline: "base",
    });
    const { low, median, high } = contenders.fast.cpuToBaseline;
    for (const ratio of [low, median, high]) assert.ok(Math.abs(ratio - 0.5) < 1e-9);
  });

  it("tells the time outside the kernel and inside, where each run has both", () => {
    const blocks = blocksOf({ base: 10 }, { noise: 0 });
    for (const { runs } of blocks) runs.base.userShare = 0.25;
    const { base } = derive(blocks, { baseline: "base" }).contenders;
    const { userMicrosecondsPerRequest: user, systemMicrosecondsPerRequest: system } = base;
    assert.ok(user && system);
    assert.ok(Math.abs(user.median * 3 - system.median) < 1e-9);
    const all = base.cpuMicrosecondsPerRequest.median;
    assert.ok(Math.abs(user.median + system.median - all) < 1e-9);
    delete blocks[3].runs.base.userShare;
    const without = derive(blocks, { baseline: "base" }).contenders.base;
    assert.equal("userMicrosecondsPerRequest" in without, false);
  });

  it("gives one rank to those that can't be told apart", () => {
    const blocks = blocksOf({ base: 10, twin: 10, near: 10.02, fast: 5, slow: 20 });
    const { contenders } = derive(blocks, { baseline: "base", twin: "twin" });
    assert.equal(contenders.fast.rank, 1);
    assert.equal(contenders.base.rank, 2);
    assert.equal(contenders.near.rank, 2);
    assert.equal(contenders.slow.rank, 4);
    assert.equal(contenders.twin.rank, 0);
  });

  it("tells those that are alike from those that only don't differ", () => {
    const blocks = blocksOf(
      { base: 10, twin: 10, near: 10.02, fast: 5 },
      { count: 9, noise: 0.01 },
    );
    for (const [index, { runs }] of blocks.entries()) {
      const weather = runs.base.cpuMicrosecondsPerRequest;
      runs.restless = run(weather * (1.02 + 0.11 * ((index % 3) - 1)));
    }
    const design = { baseline: "base", twin: "twin", bounds };
    const { ties, contenders } = derive(blocks, design);
    assert.deepEqual(
      new Set([contenders.base.rank, contenders.near.rank, contenders.restless.rank]),
      new Set([2]),
    );
    const verdicts = Object.fromEntries(
      (ties ?? []).map(({ first, other, verdict }) => [[first, other].sort().join(), verdict]),
    );
    assert.equal(verdicts["base,near"], "alike");
    assert.deepEqual(Object.values(verdicts).sort(), ["alike", "undecided"]);
  });

  it("ranks nobody when the twins don't tie, or there are too few blocks to know", () => {
    const ranksOf = (/** @type {Block[]} */ blocks) => {
      const { contenders } = derive(blocks, { baseline: "base", twin: "twin", bounds });
      return new Set(Object.values(contenders).map(({ rank }) => rank));
    };
    assert.deepEqual(ranksOf(blocksOf({ base: 10, twin: 11, fast: 5 })), new Set([0]));
    assert.deepEqual(
      ranksOf(blocksOf({ base: 10, twin: 10, fast: 5 }, { count: 4 })),
      new Set([0]),
    );
    assert.ok(ranksOf(blocksOf({ base: 10, twin: 10, fast: 5 })).has(1));
  });

  it("compares any two with each other, block by block", () => {
    const blocks = blocksOf({ base: 10, a: 6, b: 3 }, { noise: 0 });
    const { pairs = {} } = derive(blocks, {
      baseline: "base",
      pairs: [
        ["a", "b"],
        ["a", "none"],
      ],
    });
    assert.deepEqual(Object.keys(pairs), ["a-to-b"]);
    assert.ok(Math.abs(pairs["a-to-b"].cpuMicrosecondsPerRequest.median - 2) < 1e-9);
    assert.ok(Math.abs(pairs["a-to-b"].requestsPerSecond.median - 0.5) < 1e-9);
  });

  it("tells the workers from the primary that deals to them", () => {
    const blocks = blocksOf({ base: 10 }, { count: 3 });
    for (const { runs } of blocks) {
      runs.base.shares = [
        { kind: "process", share: 0.5, connections: 130 },
        { kind: "process", share: 0.45, connections: 126 },
        { kind: "process", share: 0.05, connections: 0 },
      ];
    }
    const { contenders } = derive(blocks, { baseline: "base", workers: 2 });
    assert.deepEqual(
      contenders.base.workers?.map(({ connections }) => connections),
      [130, 126],
    );
  });

  it("leaves out a block in which a server failed", () => {
    const blocks = blocksOf({ base: 10, other: 20 });
    delete blocks[0].runs.other;
    blocks[0].failed.other = "12 read errors";
    assert.equal(derive(blocks, { baseline: "base" }).contenders.other.cpuToBaseline.n, 6);
  });
});
