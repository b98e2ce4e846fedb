import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import process from "node:process";
import { describe, it } from "node:test";
import { Ajv } from "ajv";
import { derive, derivePauses } from "../../benchmarks/database/derive.js";
import { summarisePauses } from "../../benchmarks/database/experiments.js";
import { peakMemory, tooMuchMemory } from "../../benchmarks/database/memory.js";
import {
  apartTable,
  capacityTable,
  collapseTable,
  formatDatabase,
  kneeTable,
  ladderTable,
  pauseTable,
} from "../../benchmarks/database/table.js";
import { bookMachine } from "../../benchmarks/lib/paths.js";
import { asWritten, resultFile } from "../../benchmarks/lib/results.js";

/** @param {number} perSecond @param {[p99: number, isKept: boolean][]} runs */
function serverOf(perSecond, runs) {
  const cpu = { serverBusy: 1, otherBusy: 0.5, serverCpu: 100, databaseCpu: 100 };
  const counts = { due: 100, sent: 100, added: 100, late: 1 };
  const all = runs.map(([p99, isKept]) => ({ ...cpu, ...counts, p50: 1, p99, isKept }));
  return /** @type {any} */ ({ capacity: { ...cpu, perSecond }, runs: all });
}

describe("The knees of Node and Go", () => {
  const block = {
    go: serverOf(1000, [
      [2, true],
      [4, true],
      [9, true],
    ]),
    node: serverOf(600, [
      [3, true],
      [40, true],
      [2000, false],
    ]),
    engine: serverOf(700, [
      [2, true],
      [5, true],
      [900, false],
    ]),
    "node-again": serverOf(600, [
      [3, true],
      [40, true],
      [2000, false],
    ]),
  };
  const derived = derive({ rates: [250, 500, 900], blocks: [block, block] });

  it("are apart by what each can do at most", () => {
    assert.equal(derived.nodeToGo, 0.6);
    assert.equal(derived.twins, 1);
  });

  it("are the highest rates that each has kept", () => {
    assert.deepEqual([derived.knee.node, derived.knee.engine, derived.knee.go], [500, 500, 900]);
    assert.equal(derived.keepsAllThatGoKeeps, false);
  });

  it("come with the share of the core that each server used by itself", () => {
    assert.equal(derived.share.go, 0.1);
    assert.deepEqual(derived.ranges.nodes.perSecond, { least: 600, most: 600 });
  });

  it("bound the rates at which latencies are compared", () => {
    // 500 is more than three quarters of 600.
    assert.deepEqual(derived.below75, { rates: 1, worstP99ToGo: 1.5 });
  });
});

describe("The knee of a server that disagrees with itself", () => {
  const rates = [100, 200, 300, 400];
  /** @param {boolean[][]} kept by block */
  const runsOf = (kept) =>
    kept.map((block) =>
      serverOf(
        1000,
        block.map((isKept) => [1, isKept]),
      ),
    );
  const [yes, no] = [true, false];
  const node = runsOf([
    [yes, yes, no, no],
    [yes, yes, yes, no],
    [yes, no, yes, no],
  ]);
  const go = runsOf([
    [yes, yes, yes, no],
    [yes, yes, yes, no],
    [yes, yes, no, no],
  ]);
  const blocks = node.map((own, index) => ({
    ...{ node: own, engine: own, "node-again": own },
    go: go[index],
  }));
  const derived = derive({ rates, blocks });

  it("is what most blocks keep, up to the first rate that most don't", () => {
    assert.deepEqual([derived.knee.node, derived.knee.go], [300, 300]);
    assert.equal(derived.rates[2].of.node.keptIn, 2);
  });

  it("is told for each block, and a rate behind one that was missed doesn't count", () => {
    assert.deepEqual(derived.knees.node, [200, 300, 100]);
    assert.deepEqual(derived.knees.go, [300, 300, 200]);
    assert.deepEqual(derived.kneesApart, { lower: 2, same: 1, higher: 0 });
  });

  it("has a rate above it that neither server keeps", () => {
    assert.equal(derived.beyond, 400);
  });

  it("is printed with the blocks that kept a rate, where they disagree", () => {
    const [, first, second, third, fourth] = ladderTable({ derived }).map((row) => row[1]);
    assert.deepEqual(
      [first, second, third, fourth],
      ["1.0 / 1.0", "1.0 / 1.0, 2 of 3", "1.0 / 1.0, 2 of 3", "(1.0 / 1.0)"],
    );
    assert.equal(kneeTable({ derived })[1][2], "100 · 200 · 300");
  });
});

describe("The memory of a server", () => {
  it("is the most that it had at any time", { skip: process.platform !== "linux" }, async () => {
    const held =
      'Buffer.alloc(150 << 20, 1); gc(); console.log("freed"); setInterval(() => {}, 1e3)';
    const child = spawn(process.execPath, ["--expose-gc", "-e", held]);
    try {
      await once(child.stdout, "data");
      assert.ok(peakMemory([/** @type {number} */ (child.pid)]) > 150);
    } finally {
      child.kill();
    }
  });

  it("counts nothing for a process that has ended", () => {
    assert.equal(peakMemory([2 ** 30]), 0);
  });

  it("may be one GiB", () => {
    assert.equal(tooMuchMemory({ node: 1024, go: 300 }), undefined);
    const words = "go has used 1025 MiB, and a server may have 1024.";
    assert.equal(tooMuchMemory({ node: 1024, go: 1025.2 }), words);
  });
});

describe("The tables of chapter 29", () => {
  it("say of a core what the server itself has used: users times microseconds", () => {
    const busy = { server: 0.99, other: 0.5, serverCpu: 250, databaseCpu: 100 };
    const all = (/** @type {any} */ value) => ({
      ...{ node: value, engine: value, go: value, "node-again": value },
    });
    const [head, row] = capacityTable({
      derived: { capacity: all(2000), busy: all(busy), share: all(0.5) },
    });
    assert.equal(row[head.indexOf("its share")], "50 %");
    assert.equal(row[head.indexOf("its core")], "99 %");
  });

  it("put side by side what was asked of both in several places, and leave out what wasn't", () => {
    const both = (/** @type {any[]} */ [node, go]) => [
      { id: "node", ...node },
      { id: "go", ...go },
    ];
    const withP99 = (/** @type {number} */ p99) => ({ p99 });
    const rows = apartTable({
      derived: {
        capacity: { node: 500, go: 1000 },
        rates: [{ of: { node: withP99(30), go: withP99(10) } }],
      },
      statements: both([
        { way: "prepared", capacity: { perSecond: 600 }, fixed: withP99(20) },
        { way: "prepared", capacity: { perSecond: 800 }, fixed: withP99(10) },
      ]),
      pools: both([
        { pool: 60, capacity: 400, p99: 60 },
        { pool: 60, capacity: 1000, p99: 10 },
      ]),
      // The quick run has no proxy without a delay.
      distance: {
        rows: both([
          { pool: 60, milliseconds: 5 },
          { pool: 60, milliseconds: 5 },
        ]),
      },
      cluster: both([
        { workers: 1, run: { perSecond: 900 } },
        { workers: 1, run: { perSecond: 1000 } },
      ]),
    });
    assert.deepEqual(
      rows.slice(1).map((row) => [row[3], row[6]]),
      [
        ["0.50", "3.0"],
        ["0.75", "2.0"],
        ["0.40", "6.0"],
        ["–", "–"],
        ["0.90", "–"],
      ],
    );
  });

  it("leave nobody out that was due", () => {
    const run = { rate: 100, due: 400, sent: 350, added: 200, refused: 30, censored: 170 };
    const row = {
      id: "node",
      way: "as it is",
      run: { ...run, perSecond: 50, p50: 1 },
      written: 210,
    };
    const [head, line] = collapseTable({ collapse: { seconds: 4, rows: [row] } });
    const of = (/** @type {string} */ name) => Number(line[head.indexOf(name)]);
    assert.equal(of("never sent"), 50);
    assert.equal(of("given up"), 120);
    assert.equal(of("added") + of("refused") + of("given up") + of("never sent"), of("due"));
  });
});

describe("The median beyond the knee", () => {
  /** @param {object} run */
  const medianOf = (run) => {
    const counts = { rate: 100, due: 1000, refused: 0, censored: 0 };
    const row = { id: "go", way: "as it is", run: { ...counts, ...run }, written: 0 };
    const [head, line] = collapseTable({ collapse: { seconds: 10, rows: [row] } });
    return line[head.indexOf("p50 ms")];
  };

  it("is a dash where more than half were never sent", () => {
    assert.equal(medianOf({ sent: 499, added: 100, perSecond: 5, p50: 900 }), "–");
    assert.equal(
      medianOf({ sent: 500, added: 100, perSecond: 10, p50: 900, end: 10_000 }),
      "900.0",
    );
  });

  it("takes off what the wait for the last answer may have added to an older result", () => {
    // 100 users at 8 a second: the last answer came after 12.5 s, and the first of those never
    // sent was due after 6 s.
    const run = { sent: 600, added: 100, perSecond: 8 };
    assert.equal(medianOf({ ...run, p50: 6400 }), "3900.0");
    assert.equal(medianOf({ ...run, p50: 6600 }), "6600.0");
  });
});

describe("What makes one in a hundred wait", () => {
  const collector = { scavenges: { count: 24, half: 2, most: 3 }, others: { count: 0, half: 0 } };
  const row = (/** @type {string} */ id, /** @type {string} */ way, /** @type {number} */ p99) => ({
    id,
    way,
    run: { p50: 1, p99 },
    ...(id === "go" ? {} : { collector }),
  });
  const blocks = [
    [
      row("go", "as it is", 2),
      row("node", "keeps its connections", 3),
      row("node", "as it is", 20),
    ],
    [
      row("node", "as it is", 30),
      row("node", "keeps its connections", 8),
      row("go", "as it is", 4),
    ],
    [
      row("node", "keeps its connections", 2),
      row("go", "as it is", 4),
      row("node", "as it is", 60),
    ],
  ];
  const pauses = { rate: 100, seconds: 12, blocks };
  const derived = derivePauses(pauses);

  it("is set beside Go in the same block", () => {
    const of = derived.map(({ id, way, p99, toGo }) => ({ id, way, p99, toGo }));
    assert.deepEqual(of, [
      { id: "node", way: "as it is", p99: 30, toGo: 10 },
      { id: "node", way: "keeps its connections", p99: 3, toGo: 1.5 },
      { id: "go", way: "as it is", p99: 4, toGo: 1 },
    ]);
  });

  it("counts the blocks within the mark, and the collector's pauses", () => {
    assert.deepEqual(
      derived.map(({ withinMark }) => withinMark),
      [0, 2, 3],
    );
    assert.deepEqual(derived[1].inBlocks, [0.5, 1.5, 2]);
    assert.deepEqual(derived[0].collector?.scavenges, { perSecond: 2, half: 2, most: 3 });
    assert.equal(derived[2].collector, undefined);
  });

  it("has a table with dashes where no collector was asked", () => {
    const [, , kept, go] = pauseTable({ pauses: { ...pauses, derived } });
    assert.deepEqual(kept.slice(1, 7), [
      "keeps its connections",
      "1.0",
      "3.0",
      "1.50",
      "0.5 to 2.0",
      "2.0",
    ]);
    assert.deepEqual(kept.slice(8), ["0.0", "–"]);
    assert.deepEqual(go.slice(6), ["–", "–", "–", "–"]);
  });

  it("takes the pauses of the load alone", () => {
    const at = (/** @type {number} */ time, /** @type {number} */ ms, isShort = true) => ({
      at: time,
      ms,
      isShort,
    });
    const all = [at(99, 50), at(100, 1), at(150, 9, false), at(199, 2), at(200, 70)];
    assert.deepEqual(summarisePauses(all, 100, 200), {
      scavenges: { count: 2, half: 1.5, most: 2 },
      others: { count: 1, half: 9, most: 9 },
    });
    assert.deepEqual(summarisePauses([], 0, 1).scavenges, { count: 0, half: 0, most: 0 });
  });
});

describe("The result of chapter 29", () => {
  const result = JSON.parse(readFileSync(resultFile(bookMachine, "database"), "utf8"));

  it("has the schema's form", () => {
    const url = new URL("../../benchmarks/database/result.schema.json", import.meta.url);
    const validate = new Ajv({ allErrors: true }).compile(JSON.parse(readFileSync(url, "utf8")));
    assert.ok(validate(result), JSON.stringify(validate.errors));
  });

  it("derives its figures from its runs", () => {
    assert.deepEqual(asWritten(derive(result.ladder)).capacity, result.derived.capacity);
    assert.deepEqual(asWritten(derive(result.ladder)).knee, result.derived.knee);
    assert.deepEqual(asWritten(derive(result.ladder)).knees, result.derived.knees);
  });

  it("derives what makes one in a hundred wait from its runs", () => {
    const { derived, ...pauses } = result.pauses;
    assert.deepEqual(asWritten(derivePauses(pauses)), derived);
  });

  it("makes its table", () => {
    const file = resultFile(bookMachine, "database").replace(/json$/, "txt");
    assert.equal(`${formatDatabase(result)}\n`, readFileSync(file, "utf8"));
  });
});
